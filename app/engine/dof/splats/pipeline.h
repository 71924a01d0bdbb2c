// SPDX-License-Identifier: BSD-3-Clause
// The passes from fragments to sorted tile lists, and their order: splat, count, scan, scatter,
// sort, emit (Selgrad et al. 2016; Lier et al. 2016). Accumulation takes the lists from here. Lists
// are never cut: a band of tiles whose entries do not fit the device's buffers is worked on in
// parts, and entries beyond the room there was last time are scattered again with more.
#pragma once

#include "app/engine/dof/lens/optics.h"
#include "app/engine/dof/settings.h"
#include "app/engine/dof/splats/model.h"
#include "app/engine/dof/splats/source.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/scan.h"
#include "shaders/dof/shared.h"

namespace fathom::dof {

inline constexpr std::int64_t kMostTileBytes = 1 << 27;  // of what requests need besides lists

/// How emit_nodes.comp packs an entry.
struct NodeFormat {
  int kind = DOF_NODE_A_FLOAT;  // DOF_NODE_*
  bool alphaLoaded = true;      // alpha is that of the splat; false: the opacity of its fragment
  bool operator==(const NodeFormat&) const = default;
};

/// What apertures that are not plain look up (ApertureMap), on the GPU.
class ApertureTables;

/// What is held out, sharp, of the blurred picture: see accumulate_area.comp.
struct HoldOut {
  gpu::Words begins;  // uint[pixelCount]
  gpu::Buffer<glm::vec4> knots;
  int samples = 0;  // of the picture along a side of the pixels; 0: there is none
};

/// What the lists depend on besides the fragments.
struct ListRequest {
  shared::Optics optics{};
  bool area = false;    // smooth discs, for accumulateArea(); else the paper's, as nodes
  bool mapped = false;  // their aperture is not plain: its map and tables are bound
  bool varies = false, colored = false;  // as Aperture says
  bool cells = false;                    // for lens cells
  bool thin = true;               // translucent fragments thin those behind them in their own pixel
  std::int64_t bytesPerTile = 0;  // above 0: bands are of whole rows, and need this besides
  int reach = 16;                 // px: how far splats may have light
  NodeFormat nodes;
  Sort sort = Sort::Auto;
  const ApertureTables* tables = nullptr;  // not owned; smooth discs have one
  const HoldOut* held = nullptr;           // not owned, of smooth discs; null: none
};

/// Defines of the shaders that include aperture.glsl.
std::vector<gpu::Define> apertureDefines(const ListRequest& request);

/// Software renderers read records as texels: their lanes gather other memory word by word.
bool readsRecordTexels(const gpu::Context& gpu);

/// The lists of a band on the GPU, ready for accumulation. Entry i of tile t of the band:
/// nodes[tileBegin[t] + i], front to back.
struct TileLists {
  TileArea area, source;                  // of the picture; whose splats reach into it
  shared::Params params{};                // picture and band
  const gpu::Words* tileBegin = nullptr;  // uint[tileCount + 1]
  const gpu::Words* nodes = nullptr;      // uvec4[entryCount]
  std::uint32_t entryCount = 0, longest = 0;
  float brightest = 0;  // color value of the band's splats
  std::uint32_t tileCount() const { return params.tilesX * params.tileRowCount; }
};

class TileSorter;

/// What the passes write; each has room for a band, and keeps it.
struct PipelineBuffers {
  gpu::Words places, depths, colors, pairs, counts, tileBegin, keys, nodes;
  gpu::Buffer<shared::Stats> stats;
  gpu::TexelView colorTexels;  // of records
};

/// The parts of a picture that are worked on one after another: one, until buffers of the device
/// cannot hold the lists of it.
class Bands {
 public:
  /// For these fragments, whose splats reach `reach` px; keeps the bands of the last picture of
  /// this size. `byRows`: they are of whole rows.
  void begin(const Source& source, int reach, bool byRows);
  const std::vector<TileArea>& all() const { return bands_; }
  /// The tiles of the source that can reach into a band; the source begins above the picture.
  TileArea sourceOf(const TileArea& area) const;
  /// The splats of its own tiles.
  std::uint64_t splatsOf(TileArea area) const;
  /// Cuts a band into as many parts as should fit, at least two. Throws Error when it is one tile.
  void cut(std::size_t band, const gpu::DoesNotFit& reason);

 private:
  std::pair<TileArea, TileArea> halvesOf(const TileArea& area) const;

  const Source* source_ = nullptr;
  int reach_ = 0;
  bool byRows_ = false;
  std::vector<TileArea> bands_;
  glm::ivec2 size_{0};  // px, of the picture that they cover
};

class Pipeline {
 public:
  explicit Pipeline(gpu::Context& gpu);
  ~Pipeline();

  const ListRequest& request() const { return request_; }
  const Source& source() const { return *source_; }
  /// Starts over with these fragments, which must live until the last build(). Bands of the last
  /// picture of this size are kept.
  void begin(Source& source, const ListRequest& request);
  /// Those that a band goes through, but for the radix sort.
  const std::vector<gpu::PassKey>& programs() const { return programs_; }
  /// All splats are sorted together, as far as is known before their lists are.
  bool sortsSplats() const;
  /// Parts of the picture in the order of work, which cover it.
  const std::vector<TileArea>& bands() const { return bands_.all(); }
  /// The lists of one band; the ones of the band before are gone. May cut the band: then
  /// lists().area is its first part, and bands() has more. Throws Error when a single tile does not
  /// fit this device.
  const TileLists& build(std::size_t band);
  /// build() without a wait, where lists are sorted by themselves: queues the work with the room
  /// that there is. What is made of the lists holds once check() says so; Again: it is to be queued
  /// again, with more room or fewer tiles. `wait`: never Pending.
  enum class Check { Pending, Again, Holds };
  const TileLists& queue(std::size_t band);
  Check check(bool wait);
  const TileLists& lists() const { return lists_; }
  /// The nodes of the same lists, with alpha in place of color.
  void emitAlpha();

  /// Sums over the bands built since begin(); splats without those of the tiles that bands share.
  struct Totals {
    std::uint64_t entries = 0, splats = 0, clamped = 0;
    std::uint32_t longest = 0, tiles = 0;
    float widest = 0;  // radius that was cut; 0: none was
    int overflowRedos = 0;
    double meanList() const { return tiles ? double(entries) / tiles : 0; }
    double clampedShare() const { return splats ? double(clamped) / double(splats) : 0; }
  };
  const Totals& totals() const { return totals_; }

  /// Room for `entries` entries from now on; grows as needed. For tests.
  void setCapacity(std::uint32_t entries) { capacity_ = entries; }
  /// As if lists of more keys took too long to be sorted by themselves. For tests.
  void setLongestSorted(std::uint32_t keys);
  /// Longer lists are gone through in parts of so many entries. For tests.
  void setListPart(std::uint32_t entries) { listPart_ = entries; }

  /// For accumulateArea(): splats, and entries as keys of two words or as splat indices alone.
  const gpu::Words& records() const { return buffers_.colors; }
  const gpu::TexelView& recordTexels() const { return buffers_.colorTexels; }
  const gpu::Words& keys() const { return indexed_ ? *entries_ : buffers_.keys; }
  const gpu::Words& depths() const { return buffers_.depths; }
  int keyWords() const { return indexed_ ? 1 : 2; }

  const gpu::Words& places() const { return buffers_.places; }
  const gpu::RawBuffer& stats() const { return buffers_.stats; }

 private:
  bool countsPairs() const;
  void reserve(const shared::Params& params);
  const TileLists& make(std::size_t band, bool waits);
  void cut(std::size_t band, const gpu::DoesNotFit& reason);
  TileLists tryBuild(const TileArea& area, bool waits);
  void account(const shared::Stats& stats);
  shared::Params paramsOf(const TileArea& area, const TileArea& source) const;
  void splat(const shared::Params& params);
  void count(const shared::Params& params);
  std::optional<shared::Stats> place(shared::Params& params, bool waits);
  bool makeRoom(const shared::Stats& stats);
  bool tooLongToSort(const shared::Stats& stats);
  void scatter(const shared::Params& params);
  void emit(const shared::Params& params, bool ofAlpha);
  std::uint32_t capacityLimit() const;

  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  std::unique_ptr<TileSorter> sorter_;
  Source* source_ = nullptr;
  ListRequest request_;
  std::vector<gpu::PassKey> programs_;
  Bands bands_;
  std::uint32_t capacity_ = 0;           // entries that there is room for
  std::uint32_t listPart_ = 0;           // 0: what the device takes at once
  bool indexed_ = false;                 // entries are splat indices, not keys
  bool hasLongLists_ = false;            // since begin(): more keys than one sorts
  bool hasLongMean_ = false;             // the last ones that were made
  const gpu::Words* entries_ = nullptr;  // then they are here

  PipelineBuffers buffers_;
  gpu::ReadBack statsRead_;
  std::size_t queued_ = 0;  // band
  bool pending_ = false;    // its statistics have not been looked at
  TileLists lists_;
  Totals totals_;
};

}  // namespace fathom::dof
