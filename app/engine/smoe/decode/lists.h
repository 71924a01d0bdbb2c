// SPDX-License-Identifier: BSD-3-Clause
// Which components matter to each tile: bars per cell, then lists of districts,
// supertiles and tiles, each filtered from the one above, and in the end a mask of cells per entry
// with a certificate of what was left out. Components ascend in every list, so that sums are the
// same bits on every run. Work goes by bands of tile rows; they stay until the next begin().
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/scan.h"
#include "app/engine/smoe/decode/device_model.h"
#include "shaders/smoe/decode/shared.h"

namespace fathom::smoe {

/// The final lists of some rows of tiles.
struct TileBand {
  shared::Params params{};                   // firstTile and tileCount are the band's
  std::uint32_t firstRow = 0, rowCount = 0;  // of tiles
  std::uint32_t entryCount = 0;              // of expected sizes: known once fit() is
  gpu::Words starts;                         // uint[tileCount + 1]
  gpu::Buffer<glm::uvec2> entries;           // component, mask
  gpu::Buffer<shared::Tile> tiles;
};

/// Measured lists are made by waiting for their sizes; expected ones are as large as before.
enum class ListSizes { Measured, Expected };

class ListBuilder {
 public:
  explicit ListBuilder(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu) {}

  /// Starts over. The model is sliced already, and must live until the last step(). Measured: every
  /// list has the room that it needs. Expected: where the last lists were made with the same
  /// options, for as many samples and components, theirs is the room; fit() tells.
  void begin(const DeviceModel& model, const ViewWindow& window, const DecodeOptions& options,
             ListSizes sizes = ListSizes::Measured);
  /// One more piece of work; true when all bands stand. Throws Error when this device cannot hold
  /// the lists.
  bool step();
  bool finished() const { return at_.finished; }

  /// Of finished lists: Outgrown ones end where their room does and must be measured. Unknown where
  /// the device is not that far; `wait` for it.
  enum class Fit { Unknown, Fits, Outgrown };
  Fit fit(bool wait);

  const std::deque<TileBand>& bands() const { return bands_; }
  const shared::Params& params() const { return params_; }
  const gpu::Buffer<glm::uvec2>& axes() const { return buffers_.axes; }
  /// The band of a tile row.
  const TileBand& bandOf(int tileRow) const;
  /// Adds to the certificates of finished lists what arithmetic can, if that was not done yet.
  void certify();
  /// Sums over the bands so far. Waits for the device.
  shared::Stats stats() const;

 private:
  /// Lists of all boxes of one size.
  struct BoxLists {
    gpu::Buffer<glm::uvec2> ranges;  // begin and end in `list`
    gpu::Words list;                 // components
    gpu::Words counts;               // per work group and child, scanned
    gpu::Buffer<glm::uvec2> lost;    // 32.32 fixed point, twice the limit
    gpu::Buffer<float> bars;
  };
  /// How many work groups filter a level, and how many entries its lists have together.
  struct Room {
    std::uint32_t groups = 0, entries = 0;
  };
  struct BandRoom {
    std::uint32_t superRows = 0;
    Room candidates;
    std::uint32_t entries = 0;
  };
  /// What lists of one kind needed.
  struct Plan {
    std::uint32_t count = 0;
    glm::ivec2 size{0};
    DecodeOptions options;
    Room districts, supers;
    std::vector<BandRoom> bands;
    float margin = 0;
  };
  /// One level of the descent: the lists of some boxes become those of their children.
  struct Descent {
    shared::Filter level;
    const BoxLists* parents;  // null: one list of all components
    std::uint32_t childCount;
    BoxLists& out;
  };
  /// How far the work is.
  struct State {
    float margin = 0;  // bits beyond tau that the lists above the tiles keep
    std::uint32_t nextSuperRow = 0;
    std::uint32_t mostSuperRows = 0;  // of a band
    bool hasUpper = false;            // the lists above the bands
    bool finished = false, expects = false, certified = false;
  };
  struct Buffers {
    gpu::Buffer<glm::uvec2> axes;
    gpu::Words pyramid, seeds, blocks, nextBlocks, works, bits, masks;
    gpu::Buffer<float> cellBars;
    gpu::Words stats;  // shared::Stats, then what is needed
  };
  bool suits(const Plan& plan) const;
  gpu::PassKey keyOf(std::string_view name, bool districts = false) const;
  gpu::Pass& overModel(std::string_view name, const shared::Params& params);
  std::vector<gpu::PassKey> programs() const;
  void stepMeasured();
  void stepExpected();
  void finish();
  bool overBudget(const shared::Stats& stats) const;
  void startOver();
  void setBandsAside();
  void makeBars();
  void findCandidates();
  void makeUpperLists();
  void makeBand(BandRoom& room);
  std::uint32_t bandRows() const;
  std::uint32_t groupsOf(std::uint32_t superRow, std::uint32_t superRows) const;
  void shrinkBars(const gpu::RawBuffer& from, glm::ivec2 children, glm::ivec2 parents, int block,
                  bool districts, gpu::Buffer<float>& to);
  void filter(const Descent& descent, Room& room);
  void countPasses(const Descent& descent);
  void placeEntries(const Descent& descent);
  void tightenBars(const shared::Params& params, const shared::Filter& level);
  void maskCells(TileBand& band, const shared::Filter& level, BandRoom& room);
  void countTiles(TileBand& band, const shared::Filter& level, BandRoom& room);

  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  const DeviceModel* model_ = nullptr;
  DecodeOptions options_;
  shared::Params params_{};
  glm::ivec2 districts_{0};
  State at_;
  Fit fit_ = Fit::Fits;
  Plan plan_, made_;  // of lists that were known to fit; of those in progress
  gpu::ReadBack facts_;
  std::vector<glm::uvec2> superRanges_;  // on the host, where sizes are measured
  std::deque<TileBand> bands_, spareBands_;

  Buffers buffers_;
  BoxLists districtLists_, superLists_, tileLists_;
};

}  // namespace fathom::smoe
