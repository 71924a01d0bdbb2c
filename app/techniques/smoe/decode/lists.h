// SPDX-License-Identifier: BSD-3-Clause
// Which components matter to each tile: bars per cell, then lists of districts,
// supertiles and tiles, each filtered from the one above, and in the end a mask of cells per entry
// with a certificate of what was left out. Components ascend in every list, so that sums are the
// same bits on every run. Work goes by bands of tile rows; they stay until the next begin().
#pragma once

#include "app/gpu/pass.h"
#include "app/gpu/sort/scan.h"
#include "app/techniques/smoe/decode/decoder.h"
#include "app/techniques/smoe/decode/device_model.h"
#include "shaders/smoe/decode/shared.h"

#include <cstdint>
#include <deque>

#include <glm/vec2.hpp>

namespace fathom::smoe {

/// The final lists of some rows of tiles.
struct TileBand {
  shared::Params params{};                   // firstTile and tileCount are the band's
  std::uint32_t firstRow = 0, rowCount = 0;  // of tiles
  std::uint32_t entryCount = 0;
  gpu::Buffer<std::uint32_t> starts;  // uint[tileCount + 1]
  gpu::Buffer<glm::uvec2> entries;    // component, mask
  gpu::Buffer<shared::Tile> tiles;
};

class ListBuilder {
 public:
  explicit ListBuilder(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu) {}

  /// Starts over. The model is sliced already, and must live until the last step().
  void begin(const DeviceModel& model, const ViewWindow& window, const DecodeOptions& options);
  /// One more piece of work; true when all bands stand. Throws Error when this device cannot hold
  /// the lists.
  bool step();
  bool finished() const { return finished_; }

  const std::deque<TileBand>& bands() const { return bands_; }
  const shared::Params& params() const { return params_; }
  const gpu::Buffer<glm::uvec2>& axes() const { return axes_; }
  /// The band of a tile row.
  const TileBand& bandOf(int tileRow) const;
  /// Sums over the bands so far. Waits for the device.
  shared::Stats stats() const { return stats_.download().front(); }

 private:
  /// Lists of all boxes of one size.
  struct BoxLists {
    gpu::Buffer<std::uint32_t> starts;  // uint[boxes][segments] and the total
    gpu::Buffer<std::uint32_t> list;    // components
    gpu::Buffer<glm::uvec2> lost;       // 32.32 fixed point, twice the limit
    gpu::Buffer<float> bars;
    std::uint32_t segments = 0, total = 0, longest = 0;
  };
  bool overBudget() const;
  /// Throws gpu::DoesNotFit when one buffer cannot hold them.
  void expectBlock(const char* name, std::int64_t bytes) const;
  void startOver();
  void setBandsAside();
  void makeBars();
  void makeUpperLists();
  void makeBand(std::uint32_t superRow, std::uint32_t superRows);
  void chooseBands();
  void shrinkBars(const gpu::RawBuffer& from, glm::ivec2 children, glm::ivec2 parents, int block,
                  bool districts, gpu::Buffer<float>& to);
  /// One level of the descent: the lists of `parentCount` boxes become those of their children.
  struct Descent {
    shared::Filter level;
    const BoxLists& parents;
    std::uint32_t parentCount, childCount;
    BoxLists& out;
    // Above districts there are no lists: the root's is all components.
    const gpu::RawBuffer& parentStarts() const;
    const gpu::RawBuffer& parentList() const;
  };
  void filter(const shared::Filter& level, const BoxLists& parents, std::uint32_t parentCount,
              std::uint32_t childCount, BoxLists& out);
  void countPasses(const Descent& descent);
  void measureLists(const Descent& descent);
  void placeEntries(const Descent& descent);
  void tightenBars(const shared::Params& params, const shared::Filter& level,
                   std::uint32_t superCount);
  void maskCells(TileBand& band, const shared::Filter& level);

  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  const DeviceModel* model_ = nullptr;
  DecodeOptions options_;
  shared::Params params_{};
  glm::ivec2 districts_{0};
  float margin_ = 0;  // bits beyond tau that the lists above the tiles keep
  std::uint32_t nextSuperRow_ = 0;
  std::uint32_t bandSuperRows_ = 0;  // 0: the lists above the bands are not made yet
  bool finished_ = false;
  std::deque<TileBand> bands_, spareBands_;

  gpu::Buffer<glm::uvec2> axes_;
  gpu::Buffer<std::uint32_t> pyramid_, holes_, bits_, masks_;
  gpu::Buffer<float> cellBars_;
  gpu::Buffer<shared::Stats> stats_;
  BoxLists root_, districtLists_, superLists_, tileLists_;
};

}  // namespace fathom::smoe
