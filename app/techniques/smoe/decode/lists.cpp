// SPDX-License-Identifier: BSD-3-Clause
// The passes from components to final lists, in order: bars of cells (splat, settle, fill holes),
// bars of larger boxes, lists of districts and supertiles, and per band exact bars, candidates of
// tiles, masks.
#include "app/techniques/smoe/decode/lists.h"

#include "app/techniques/smoe/decode/grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

namespace fathom::smoe {
namespace {

// Bits beyond tau that lists of larger boxes keep, so that what they drop hardly adds to the
// certificate: of districts, supertiles and tiles before their cells are looked at.
constexpr float kDistrictMargin = 14, kSuperMargin = 10, kTileMargin = 3;
// How far they may be raised together, until next to nothing is left out.
constexpr float kMaxMargin = 60;

// llvmpipe silently ends loops after 65,535 rounds.
constexpr std::uint32_t kMaxRounds = 60'000;

std::uint32_t area(glm::ivec2 size) { return std::uint32_t(size.x) * std::uint32_t(size.y); }

/// An eighth more than there are, so that the next view finds room, as far as one buffer may hold it.
template <class T>
std::uint64_t roomFor(gpu::Context& gpu, std::uint64_t count) {
  const std::uint64_t most = std::uint64_t(gpu.memory().blockLimit()) / sizeof(T);
  return std::max(std::max<std::uint64_t>(1, count), std::min(count + count / 8, most));
}

/// Levels and bands share scratch buffers of very different sizes: those only grow.
template <class T>
void grow(gpu::Context& gpu, gpu::Buffer<T>& buffer, const char* name, std::uint64_t count) {
  if (!buffer || buffer.count() < count) gpu::ensure(gpu, buffer, name, roomFor<T>(gpu, count));
}

/// Of all levels of the pyramid.
std::size_t pyramidWords(const shared::Params& params) {
  std::size_t words = 0;
  for (std::uint32_t level = 0; level < params.levels; ++level)
    words += area(boxes(params.size, SMOE_CELL << level));
  return words;
}

}  // namespace

void ListBuilder::begin(const DeviceModel& model, const ViewWindow& window,
                        const DecodeOptions& options) {
  model_ = &model;
  options_ = options;
  params_ = gridParams(window, options, model);
  districts_ = boxes(params_.size, SMOE_DISTRICT);
  const std::vector<glm::uvec2> axes = axesOf(window, params_);
  if (axes_.count() != axes.size()) axes_ = gpu::Buffer<glm::uvec2>(gpu_, "smoe axes", axes.size());
  axes_.upload(axes);
  grow(gpu_, stats_, "smoe list facts", 1);
  stats_.clear();
  margin_ = 0;
  nextSuperRow_ = bandSuperRows_ = 0;
  finished_ = false;
  setBandsAside();
}

/// Their buffers serve the next bands, which are as large when nothing but the view has changed.
void ListBuilder::setBandsAside() {
  if (!bands_.empty()) spareBands_ = std::exchange(bands_, {});
}

bool ListBuilder::step() {
  if (finished_) return true;
  if (bandSuperRows_ == 0) {
    if (options_.relevance != Relevance::Window) makeBars();
    makeUpperLists();
    chooseBands();
  }
  const auto rows = std::uint32_t(params_.supers.y);
  const std::uint32_t count = std::min(bandSuperRows_, rows - nextSuperRow_);
  try {
    makeBand(nextSuperRow_, count);
  } catch (const gpu::DoesNotFit&) {
    if (count == 1) throw;
    bands_.pop_back();
    bandSuperRows_ = count / 2;
    return false;
  }
  nextSuperRow_ += count;
  finished_ = nextSuperRow_ == rows;
  if (finished_) spareBands_.clear();
  if (finished_ && overBudget()) startOver();
  return finished_;
}

/// True when what was left out above the tiles takes too much of the budget from them.
bool ListBuilder::overBudget() const {
  if (options_.relevance != Relevance::Budget || margin_ >= kMaxMargin) return false;
  return std::bit_cast<float>(stats().upper) > 0.5f * params_.limit;
}

void ListBuilder::startOver() {
  margin_ += 6;
  nextSuperRow_ = bandSuperRows_ = 0;
  finished_ = false;
  setBandsAside();
  stats_.clear();
}

const TileBand& ListBuilder::bandOf(int tileRow) const {
  for (const TileBand& band : bands_)
    if (std::uint32_t(tileRow) < band.firstRow + band.rowCount) return band;
  return bands_.back();
}

/// A valid bar for every cell, and the lowest of each supertile and district.
void ListBuilder::makeBars() {
  const std::uint32_t cells = area(params_.cells);
  grow(gpu_, pyramid_, "smoe bars", pyramidWords(params_));
  grow(gpu_, holes_, "smoe holes", cells);
  grow(gpu_, cellBars_, "smoe cell bars", cells);
  pyramid_.clear();

  gpu::Pass& splat = gpu_.pass({"splat bars", "shaders/smoe/decode/splat_bars.comp", {}});
  splat.storage(SMOE_BIND_CULL, model_->cull())
      .storage(SMOE_BIND_AXES, axes_)
      .storage(SMOE_BIND_BARS, pyramid_)
      .params(SMOE_BIND_PARAMS, params_);
  splat.dispatch(params_.count);
  gpu::barrier(gpu::Reader::Storage);  // settle bars

  gpu::Pass& settle = gpu_.pass({"settle bars", "shaders/smoe/decode/settle_bars.comp", {}});
  settle.storage(SMOE_BIND_BARS, pyramid_)
      .storage(SMOE_BIND_HOLES, holes_)
      .storage(SMOE_BIND_STATS, stats_)
      .params(SMOE_BIND_PARAMS, params_);
  settle.dispatch(cells);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // fill holes, the host

  const std::uint32_t holes = stats().holes;
  gpu::Pass& fill = gpu_.pass({"fill holes", "shaders/smoe/decode/fill_holes.comp", {}});
  fill.storage(SMOE_BIND_CULL, model_->cull())
      .storage(SMOE_BIND_AXES, axes_)
      .storage(SMOE_BIND_BARS, pyramid_)
      .storage(SMOE_BIND_HOLES, holes_)
      .storage(SMOE_BIND_STATS, stats_)
      .params(SMOE_BIND_PARAMS, params_);
  fill.dispatchGroups(holes);
  gpu::barrier(gpu::Reader::Storage);  // shrink bars

  shrinkBars(pyramid_, params_.cells, params_.supers, SMOE_SUPER / SMOE_CELL, false,
             superLists_.bars);
  shrinkBars(superLists_.bars, params_.supers, districts_, SMOE_DISTRICT / SMOE_SUPER, true,
             districtLists_.bars);
}

void ListBuilder::shrinkBars(const gpu::RawBuffer& from, glm::ivec2 children, glm::ivec2 parents,
                             int block, bool districts, gpu::Buffer<float>& to) {
  grow(gpu_, to, "smoe box bars", area(parents));
  shared::Filter level{};
  level.parents = parents, level.children = children;
  level.childBlock = std::uint32_t(block);
  gpu::Pass& pass = gpu_.pass({"shrink bars",
                               "shaders/smoe/decode/shrink_bars.comp",
                               {{"SMOE_DISTRICTS", districts ? 1 : 0}}});
  pass.storage(SMOE_BIND_BARS, from).storage(SMOE_BIND_BOX_BARS, to).params(SMOE_BIND_LEVEL, level);
  pass.dispatch(area(parents));
  gpu::barrier(gpu::Reader::Storage);  // shrink bars again, filter boxes
}

/// Lists of districts from all components, then of supertiles.
void ListBuilder::makeUpperLists() {
  shared::Filter level{};
  level.parents = boxes(params_.size, SMOE_ROOT), level.children = districts_;
  level.parentPixels = SMOE_ROOT, level.childPixels = SMOE_DISTRICT;
  level.childBlock = SMOE_ROOT / SMOE_DISTRICT;
  level.tau = params_.tau + margin_ + kDistrictMargin;
  root_.longest = params_.count;
  filter(level, root_, area(level.parents), area(level.children), districtLists_);

  level.parents = districts_, level.children = params_.supers;
  level.parentPixels = SMOE_DISTRICT, level.childPixels = SMOE_SUPER;
  level.childBlock = SMOE_DISTRICT / SMOE_SUPER;
  level.parentSegments = districtLists_.segments;
  level.tau = params_.tau + margin_ + kSuperMargin;
  filter(level, districtLists_, area(level.parents), area(level.children), superLists_);
}

const gpu::RawBuffer& ListBuilder::Descent::parentStarts() const {
  return level.parentSegments ? parents.starts : out.starts;
}

const gpu::RawBuffer& ListBuilder::Descent::parentList() const {
  return level.parentSegments ? static_cast<const gpu::RawBuffer&>(parents.list) : out.starts;
}

/// Filters the lists of some parents into those of their children: test and count, scan, find how
/// much room they need, fill.
void ListBuilder::filter(const shared::Filter& level, const BoxLists& parents,
                         std::uint32_t parentCount, std::uint32_t childCount, BoxLists& out) {
  out.segments = std::max(1u, (parents.longest + SMOE_FILTER_SIZE - 1) / SMOE_FILTER_SIZE);
  Descent descent{level, parents, parentCount, childCount, out};
  descent.level.segments = out.segments;
  countPasses(descent);
  scanner_.exclusive(out.starts, out.starts, std::size_t(childCount) * out.segments);
  measureLists(descent);
  placeEntries(descent);
}

/// A bit per entry and child, and the number of passes per child and segment.
void ListBuilder::countPasses(const Descent& d) {
  BoxLists& out = d.out;
  const std::size_t words = std::size_t(d.parentCount) * out.segments * d.level.childBlock *
                            d.level.childBlock * SMOE_FILTER_WORDS;
  grow(gpu_, out.starts, "smoe list starts", std::size_t(d.childCount) * out.segments + 1);
  grow(gpu_, out.lost, "smoe lost", d.childCount);
  grow(gpu_, out.bars, "smoe box bars", 1);
  grow(gpu_, bits_, "smoe passed", words);
  out.lost.clear();

  const bool isWindow = options_.relevance == Relevance::Window;
  gpu::Pass& test = gpu_.pass({"filter boxes",
                               "shaders/smoe/decode/filter_boxes.comp",
                               {{"SMOE_WINDOW", isWindow ? 1 : 0}}});
  test.storage(SMOE_BIND_CULL, model_->cull())
      .storage(SMOE_BIND_REACH, model_->reach())
      .storage(SMOE_BIND_AXES, axes_)
      .storage(SMOE_BIND_PARENT_STARTS, d.parentStarts())
      .storage(SMOE_BIND_PARENT_LIST, d.parentList())
      .storage(SMOE_BIND_PARENT_LOST, d.level.parentSegments ? d.parents.lost : out.lost)
      .storage(SMOE_BIND_COUNTS, out.starts)
      .storage(SMOE_BIND_BITS, bits_)
      .storage(SMOE_BIND_LOST, out.lost)
      .storage(SMOE_BIND_BOX_BARS, out.bars)
      .params(SMOE_BIND_PARAMS, params_)
      .params(SMOE_BIND_LEVEL, d.level);
  test.dispatchGrid(out.segments, d.parentCount);
  gpu::barrier(gpu::Reader::Storage);  // scan
}

/// The longest list and their sum; waits for the device.
void ListBuilder::measureLists(const Descent& d) {
  constexpr std::int64_t kLongest = offsetof(shared::Stats, listLongest);
  stats_.clear(0, sizeof(std::uint32_t), kLongest);
  shared::Filter lists = d.level;
  lists.firstChild = d.childCount;
  gpu::Pass& measure = gpu_.pass({"measure lists", "shaders/smoe/decode/measure_lists.comp", {}});
  measure.storage(SMOE_BIND_COUNTS, d.out.starts)
      .storage(SMOE_BIND_STATS, stats_)
      .params(SMOE_BIND_LEVEL, lists);
  measure.dispatch(d.childCount);
  gpu::barrier(gpu::Reader::Transfer);  // the host
  const shared::Stats facts = stats();
  d.out.total = facts.listTotal, d.out.longest = facts.listLongest;
  if (gpu_.device().software && lists.childPixels <= SMOE_SUPER && d.out.longest > kMaxRounds)
    fail("model: {} components matter to {} x {} samples; software renderers take at most {}",
         d.out.longest, lists.childPixels, lists.childPixels, kMaxRounds);
}

/// Components, ascending in each list.
void ListBuilder::placeEntries(const Descent& d) {
  grow(gpu_, d.out.list, "smoe lists", std::uint64_t(d.out.total) + 1);
  gpu::Pass& place = gpu_.pass({"place entries", "shaders/smoe/decode/place_entries.comp", {}});
  place.storage(SMOE_BIND_PARENT_STARTS, d.parentStarts())
      .storage(SMOE_BIND_PARENT_LIST, d.parentList())
      .storage(SMOE_BIND_COUNTS, d.out.starts)
      .storage(SMOE_BIND_BITS, bits_)
      .storage(SMOE_BIND_LIST, d.out.list)
      .params(SMOE_BIND_PARAMS, params_)
      .params(SMOE_BIND_LEVEL, d.level);
  place.dispatchGrid(d.out.segments, d.parentCount);
  gpu::barrier(gpu::Reader::Storage);  // the next level
}

/// Rows of supertiles per band: on software renderers few, so that a slice of work stays short.
void ListBuilder::chooseBands() {
  const auto rows = std::uint32_t(params_.supers.y), columns = std::uint32_t(params_.supers.x);
  bandSuperRows_ = gpu_.device().software ? std::max(1u, 16 / columns) : rows;
}

void ListBuilder::expectBlock(const char* name, std::int64_t bytes) const {
  const std::int64_t limit = gpu_.memory().blockLimit();
  if (bytes > limit)
    throw gpu::DoesNotFit(fmt::format("{}: needs {} in one buffer, this GPU allows {}", name,
                                      gpu::bytesText(bytes), gpu::bytesText(limit)),
                          double(bytes), double(limit));
}

void ListBuilder::makeBand(std::uint32_t superRow, std::uint32_t superRows) {
  const auto perSuper = std::uint32_t(SMOE_SUPER / options_.tilePixels);
  TileBand& band = bands_.emplace_back();
  if (!spareBands_.empty()) {
    band = std::move(spareBands_.front());
    spareBands_.pop_front();
  }
  band.params = params_;
  band.firstRow = superRow * perSuper;
  band.rowCount = std::min(superRows * perSuper, std::uint32_t(params_.tiles.y) - band.firstRow);
  band.params.firstTile = band.firstRow * std::uint32_t(params_.tiles.x);
  band.params.tileCount = band.rowCount * std::uint32_t(params_.tiles.x);

  shared::Filter level{};
  level.parents = params_.supers, level.children = params_.tiles;
  level.parentPixels = SMOE_SUPER, level.childPixels = params_.tilePixels;
  level.firstParent = superRow * std::uint32_t(params_.supers.x);
  level.firstChild = band.params.firstTile;
  level.parentSegments = superLists_.segments;
  level.childBlock = perSuper;
  level.tau = params_.tau + margin_ + kTileMargin;
  const std::uint32_t superCount = superRows * std::uint32_t(params_.supers.x);
  if (options_.relevance != Relevance::Window) tightenBars(band.params, level, superCount);

  // Children of this band only: those below it do not exist for this pass.
  level.children.y = int(band.firstRow + band.rowCount);
  filter(level, superLists_, superCount, band.params.tileCount, tileLists_);
  level.segments = tileLists_.segments;
  // Checked for all candidates before the first pass that adds to the statistics, so that a band
  // that is split is not counted twice.
  expectBlock("smoe entries", std::int64_t(tileLists_.total) * std::int64_t(sizeof(glm::uvec2)));
  maskCells(band, level);
}

void ListBuilder::tightenBars(const shared::Params& params, const shared::Filter& level,
                              std::uint32_t superCount) {
  grow(gpu_, tileLists_.bars, "smoe tile bars", params.tileCount);
  gpu::Pass& pass = gpu_.pass({"tighten bars",
                               "shaders/smoe/decode/tighten_bars.comp",
                               {{"SMOE_COLUMN", gpu_.device().software ? 8 : 1}}});
  pass.storage(SMOE_BIND_CULL, model_->cull())
      .storage(SMOE_BIND_AXES, axes_)
      .storage(SMOE_BIND_PARENT_STARTS, superLists_.starts)
      .storage(SMOE_BIND_PARENT_LIST, superLists_.list)
      .storage(SMOE_BIND_CELL_BARS, cellBars_)
      .storage(SMOE_BIND_TILE_BARS, tileLists_.bars)
      .params(SMOE_BIND_PARAMS, params)
      .params(SMOE_BIND_LEVEL, level);
  pass.dispatchGrid(superCount, 1);
  gpu::barrier(gpu::Reader::Storage);  // filter boxes, mask cells
}

/// Masks and certificates of the band's candidates, then the final lists.
void ListBuilder::maskCells(TileBand& band, const shared::Filter& level) {
  const std::uint32_t tiles = band.params.tileCount;
  grow(gpu_, masks_, "smoe masks", std::max(1u, tileLists_.total));
  grow(gpu_, cellBars_, "smoe cell bars", area(params_.cells));
  gpu::ensure(gpu_, band.starts, "smoe tile starts", tiles + 1);
  gpu::ensure(gpu_, band.tiles, "smoe tiles", tiles);

  gpu::Pass& mask = gpu_.pass({"mask cells",
                               "shaders/smoe/decode/mask_cells.comp",
                               {{"SMOE_RULE", int(options_.relevance)}}});
  mask.storage(SMOE_BIND_CULL, model_->cull())
      .storage(SMOE_BIND_REACH, model_->reach())
      .storage(SMOE_BIND_AXES, axes_)
      .storage(SMOE_BIND_CELL_BARS, cellBars_)
      .storage(SMOE_BIND_PARENT_STARTS, tileLists_.starts)
      .storage(SMOE_BIND_PARENT_LIST, tileLists_.list)
      .storage(SMOE_BIND_MASKS, masks_)
      .storage(SMOE_BIND_TILE_COUNTS, band.starts)
      .storage(SMOE_BIND_LOST, tileLists_.lost)
      .storage(SMOE_BIND_TILES, band.tiles)
      .storage(SMOE_BIND_STATS, stats_)
      .params(SMOE_BIND_PARAMS, band.params)
      .params(SMOE_BIND_LEVEL, level);
  mask.dispatchGroups(tiles);
  gpu::barrier(gpu::Reader::Storage);  // scan
  scanner_.exclusive(band.starts, band.starts, tiles);
  gpu::barrier(gpu::Reader::Transfer);  // the host
  band.entryCount = band.starts.download(tiles, 1).front();
  if (!gpu::suits(band.entries.count(), band.entryCount) || !band.entries)
    gpu::ensure(gpu_, band.entries, "smoe entries",
                roomFor<glm::uvec2>(gpu_, band.entryCount));

  gpu::Pass& compact = gpu_.pass({"compact lists", "shaders/smoe/decode/compact_lists.comp", {}});
  compact.storage(SMOE_BIND_PARENT_STARTS, tileLists_.starts)
      .storage(SMOE_BIND_PARENT_LIST, tileLists_.list)
      .storage(SMOE_BIND_MASKS, masks_)
      .storage(SMOE_BIND_TILE_COUNTS, band.starts)
      .storage(SMOE_BIND_ENTRIES, band.entries)
      .params(SMOE_BIND_PARAMS, band.params)
      .params(SMOE_BIND_LEVEL, level);
  compact.dispatchGroups(tiles);
  gpu::barrier(gpu::Reader::Storage);  // shading
}

}  // namespace fathom::smoe
