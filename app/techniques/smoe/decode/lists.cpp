// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/decode/lists.h"

#include "app/techniques/smoe/decode/grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace fathom::smoe {
namespace {

// Bits beyond tau that lists of larger boxes keep, so that what they drop hardly adds to the
// certificate: of districts, supertiles and tiles before their cells are looked at.
constexpr float kDistrictMargin = 14, kSuperMargin = 10, kTileMargin = 3;
// How far they may be raised together, until next to nothing is left out.
constexpr float kMaxMargin = 60;

// llvmpipe silently ends loops after 65,535 rounds.
constexpr std::uint32_t kMaxRounds = 60'000;

glm::ivec2 boxes(glm::ivec2 size, int side) { return (size + side - 1) / side; }
std::uint32_t area(glm::ivec2 size) { return std::uint32_t(size.x) * std::uint32_t(size.y); }

template <class T>
void ensure(gpu::Context& gpu, gpu::Buffer<T>& buffer, const char* name, std::size_t count) {
  if (buffer.count() < count || !buffer) buffer = gpu::Buffer<T>(gpu, name, count);
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
  ensure(gpu_, stats_, "smoe list facts", 1);
  stats_.clear();
  margin_ = 0;
  nextSuperRow_ = bandSuperRows_ = 0;
  finished_ = false;
  bands_.clear();
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
  } catch (const DoesNotFit&) {
    if (count == 1) throw;
    bands_.pop_back();
    bandSuperRows_ = count / 2;
    return false;
  }
  nextSuperRow_ += count;
  finished_ = nextSuperRow_ == rows;
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
  bands_.clear();
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
  ensure(gpu_, pyramid_, "smoe bars", pyramidWords(params_));
  ensure(gpu_, holes_, "smoe holes", cells);
  ensure(gpu_, cellBars_, "smoe cell bars", cells);
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
  ensure(gpu_, to, "smoe box bars", area(parents));
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

/// Filters the lists of some parents into those of their children. Counts, scans, fills.
void ListBuilder::filter(shared::Filter level, const BoxLists& parents, std::uint32_t parentCount,
                         std::uint32_t childCount, BoxLists& out) {
  const bool isWindow = options_.relevance == Relevance::Window;
  out.segments = std::max(1u, (parents.longest + SMOE_FILTER_SIZE - 1) / SMOE_FILTER_SIZE);
  level.segments = out.segments;
  const std::size_t counts = std::size_t(childCount) * out.segments;
  const std::size_t words = std::size_t(parentCount) * out.segments * level.childBlock *
                            level.childBlock * SMOE_FILTER_WORDS;
  ensure(gpu_, out.starts, "smoe list starts", counts + 1);
  ensure(gpu_, out.lost, "smoe lost", childCount);
  ensure(gpu_, out.bars, "smoe box bars", 1);
  ensure(gpu_, bits_, "smoe passed", words);
  out.lost.clear();
  const gpu::RawBuffer& parentStarts = level.parentSegments ? parents.starts : out.starts;
  const gpu::RawBuffer& parentList = level.parentSegments ? parents.list : out.starts;

  gpu::Pass& test = gpu_.pass({"filter boxes",
                               "shaders/smoe/decode/filter_boxes.comp",
                               {{"SMOE_WINDOW", isWindow ? 1 : 0}}});
  test.storage(SMOE_BIND_CULL, model_->cull())
      .storage(SMOE_BIND_REACH, model_->reach())
      .storage(SMOE_BIND_AXES, axes_)
      .storage(SMOE_BIND_PARENT_STARTS, parentStarts)
      .storage(SMOE_BIND_PARENT_LIST, parentList)
      .storage(SMOE_BIND_PARENT_LOST, level.parentSegments ? parents.lost : out.lost)
      .storage(SMOE_BIND_COUNTS, out.starts)
      .storage(SMOE_BIND_BITS, bits_)
      .storage(SMOE_BIND_LOST, out.lost)
      .storage(SMOE_BIND_BOX_BARS, out.bars)
      .params(SMOE_BIND_PARAMS, params_)
      .params(SMOE_BIND_LEVEL, level);
  test.dispatchGrid(out.segments, parentCount);
  gpu::barrier(gpu::Reader::Storage);  // scan
  scanner_.exclusive(out.starts, out.starts, counts);

  shared::Stats facts = stats();
  facts.listLongest = 0;
  stats_.upload({&facts, 1});
  shared::Filter lists = level;
  lists.firstChild = childCount;
  gpu::Pass& measure = gpu_.pass({"measure lists", "shaders/smoe/decode/measure_lists.comp", {}});
  measure.storage(SMOE_BIND_COUNTS, out.starts)
      .storage(SMOE_BIND_STATS, stats_)
      .params(SMOE_BIND_LEVEL, lists);
  measure.dispatch(childCount);
  gpu::barrier(gpu::Reader::Transfer);  // the host
  facts = stats();
  out.total = facts.listTotal, out.longest = facts.listLongest;
  if (gpu_.device().software && level.childPixels <= SMOE_SUPER && out.longest > kMaxRounds)
    fail("model: {} components matter to {} x {} samples; software renderers take at most {}",
         out.longest, level.childPixels, level.childPixels, kMaxRounds);

  const std::int64_t needed = std::int64_t(out.total) * std::int64_t(sizeof(std::uint32_t));
  if (needed > gpu_.memory().blockLimit())
    throw DoesNotFit(fmt::format("lists need {} in one buffer, this GPU allows {}",
                                 gpu::bytesText(needed),
                                 gpu::bytesText(gpu_.memory().blockLimit())));
  if (out.list.count() < std::max(1u, out.total))
    out.list = gpu::Buffer<std::uint32_t>(gpu_, "smoe lists", out.total + 1);
  gpu::Pass& place = gpu_.pass({"place entries", "shaders/smoe/decode/place_entries.comp", {}});
  place.storage(SMOE_BIND_PARENT_STARTS, parentStarts)
      .storage(SMOE_BIND_PARENT_LIST, parentList)
      .storage(SMOE_BIND_COUNTS, out.starts)
      .storage(SMOE_BIND_BITS, bits_)
      .storage(SMOE_BIND_LIST, out.list)
      .params(SMOE_BIND_PARAMS, params_)
      .params(SMOE_BIND_LEVEL, level);
  place.dispatchGrid(out.segments, parentCount);
  gpu::barrier(gpu::Reader::Storage);  // the next level
}

/// Rows of supertiles per band: on software renderers few, so that a slice of work stays short.
void ListBuilder::chooseBands() {
  const auto rows = std::uint32_t(params_.supers.y), columns = std::uint32_t(params_.supers.x);
  bandSuperRows_ = gpu_.device().software ? std::max(1u, 16 / columns) : rows;
}

void ListBuilder::makeBand(std::uint32_t superRow, std::uint32_t superRows) {
  const auto perSuper = std::uint32_t(SMOE_SUPER / options_.tilePixels);
  TileBand& band = bands_.emplace_back();
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
  const std::int64_t needed = std::int64_t(tileLists_.total) * std::int64_t(sizeof(glm::uvec2));
  if (needed > gpu_.memory().blockLimit())
    throw DoesNotFit(
        fmt::format("lists of a row of tiles need {} in one buffer, this GPU allows {}",
                    gpu::bytesText(needed), gpu::bytesText(gpu_.memory().blockLimit())));
  maskCells(band, level);
}

void ListBuilder::tightenBars(const shared::Params& params, const shared::Filter& level,
                              std::uint32_t superCount) {
  ensure(gpu_, tileLists_.bars, "smoe tile bars", params.tileCount);
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
  ensure(gpu_, masks_, "smoe masks", std::max(1u, tileLists_.total));
  ensure(gpu_, cellBars_, "smoe cell bars", area(params_.cells));
  band.starts = gpu::Buffer<std::uint32_t>(gpu_, "smoe tile starts", tiles + 1);
  band.tiles = gpu::Buffer<shared::Tile>(gpu_, "smoe tiles", tiles);

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
  band.entries = gpu::Buffer<glm::uvec2>(gpu_, "smoe entries", std::max(1u, band.entryCount));

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
