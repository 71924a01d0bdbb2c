// SPDX-License-Identifier: BSD-3-Clause
// The passes from components to final lists, in order: bars of cells (splat, settle, fill holes),
// bars of larger boxes, lists of districts and supertiles, and per band exact bars, candidates of
// tiles, masks.
#include "app/engine/smoe/decode/lists.h"

#include "app/engine/gpu/compiler.h"

namespace fathom::smoe {
namespace {

// Bits beyond tau that lists of larger boxes keep, so that what they drop hardly adds to the
// certificate: of districts, supertiles and tiles before their cells are looked at.
constexpr float kDistrictMargin = 14, kSuperMargin = 10, kTileMargin = 3;
// How far they may be raised together, until next to nothing is left out.
constexpr float kMaxMargin = 60;

// llvmpipe silently ends loops after 65,535 rounds.
constexpr std::uint32_t kMaxRounds = 60'000;

// Words after the statistics that say what is needed: three per level, and of each band of tiles
// one more for its final entries.
constexpr std::size_t kStatsWords = sizeof(shared::Stats) / sizeof(std::uint32_t);
constexpr std::uint32_t kNeedsOfDistricts = 0, kNeedsOfSupers = 3, kNeedsOfBands = 6;
constexpr std::uint32_t kNeedsPerBand = 4;

std::uint32_t area(glm::ivec2 size) { return std::uint32_t(size.x) * std::uint32_t(size.y); }

std::uint32_t segmentsOf(std::uint32_t entries) {
  return (entries + SMOE_FILTER_SIZE - 1) / SMOE_FILTER_SIZE;
}

/// An eighth more than there are, so that the next view finds room, as far as one buffer may hold
/// it.
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

/// A quarter more than was needed, where one buffer of so many bytes each may hold it.
std::uint32_t withReserve(gpu::Context& gpu, std::uint32_t needed, std::uint64_t bytesEach) {
  const std::uint64_t most = std::uint64_t(gpu.memory().blockLimit()) / bytesEach;
  const std::uint64_t wanted = std::uint64_t(needed) + needed / 4 + 16;
  return std::uint32_t(
      std::max<std::uint64_t>(needed, std::min<std::uint64_t>({wanted, most, 0xFFFFFFFFu})));
}

/// Of all levels of the pyramid.
std::size_t pyramidWords(const shared::Params& params) {
  std::size_t words = 0;
  for (std::uint32_t level = 0; level < params.levels; ++level)
    words += area(boxes(params.size, SMOE_CELL << level));
  return words;
}

glm::ivec2 blocksOf(const shared::Params& params) { return boxes(params.cells, SMOE_BLOCK); }

}  // namespace

// ---- The order of work

void ListBuilder::begin(const DeviceModel& model, const ViewWindow& window,
                        const DecodeOptions& options, ListSizes sizes) {
  model_ = &model;
  options_ = options;
  params_ = gridParams(window, options, model);
  districts_ = boxes(params_.size, SMOE_DISTRICT);
  const std::vector<glm::uvec2> axes = axesOf(window, params_);
  if (buffers_.axes.count() != axes.size())
    buffers_.axes = gpu::Buffer<glm::uvec2>(gpu_, "smoe axes", axes.size());
  buffers_.axes.upload(axes);
  grow(gpu_, buffers_.stats, "smoe list facts",
       kStatsWords + kNeedsOfBands + kNeedsPerBand * std::size_t(params_.supers.y));
  at_.expects = sizes == ListSizes::Expected && suits(plan_);
  at_.margin = at_.expects ? plan_.margin : 0;
  at_.mostSuperRows = bandRows();
  startOver();
}

bool ListBuilder::suits(const Plan& plan) const {
  return !plan.bands.empty() && plan.count == params_.count && plan.size == params_.size &&
         plan.options == options_;
}

/// Their buffers serve the next bands, which are as large when nothing but the view has changed.
void ListBuilder::setBandsAside() {
  if (!bands_.empty()) spareBands_ = std::exchange(bands_, {});
}

void ListBuilder::startOver() {
  at_.nextSuperRow = 0;
  at_.hasUpper = at_.finished = at_.certified = false;
  fit_ = Fit::Unknown;
  made_ = {params_.count, params_.size, options_, {}, {}, {}, at_.margin};
  if (at_.expects) made_ = plan_;
  setBandsAside();
  buffers_.stats.clear();
}

/// The program of a pass, whose file has its name.
gpu::PassKey ListBuilder::keyOf(std::string_view name, bool districts) const {
  gpu::PassKey key = gpu::keyIn("shaders/smoe/decode/", std::string(name));
  if (name == "shrink bars") key.defines = {{"SMOE_DISTRICTS", districts ? 1 : 0}};
  if (name == "filter boxes")
    key.defines = {{"SMOE_WINDOW", options_.relevance == Relevance::Window ? 1 : 0}};
  if (name == "tighten bars") key.defines = {{"SMOE_COLUMN", gpu_.device().software ? 8 : 1}};
  if (name == "mask cells") key.defines = {{"SMOE_RULE", int(options_.relevance)}};
  return key;
}

/// A pass that looks at components of the model, with these and `params` bound.
gpu::Pass& ListBuilder::overModel(std::string_view name, const shared::Params& params) {
  gpu::Pass& pass = gpu_.pass(keyOf(name));
  pass.storage(SMOE_BIND_CULL, model_->cull())
      .storage(SMOE_BIND_AXES, buffers_.axes)
      .params(SMOE_BIND_PARAMS, params);
  return pass;
}

/// Those of all passes, of expected lists too: the next ones will be.
std::vector<gpu::PassKey> ListBuilder::programs() const {
  std::vector<gpu::PassKey> keys{gpu::scanKey(gpu_)};
  for (const char* name : {"split lists", "filter boxes", "close lists", "place entries",
                           "mask cells", "compact lists", "close tiles"})
    keys.push_back(keyOf(name));
  if (options_.relevance == Relevance::Window) return keys;
  for (const char* name : {"splat bars", "settle bars", "flood blocks", "fill holes", "shrink bars",
                           "tighten bars", "certify"})
    keys.push_back(keyOf(name));
  keys.push_back(keyOf("shrink bars", true));
  return keys;
}

/// Whatever ends a step early, the lists begin anew: their statistics are sums over passes.
bool ListBuilder::step() {
  if (at_.finished) return true;
  try {
    at_.expects ? stepExpected() : stepMeasured();
  } catch (const gpu::DoesNotFit&) {
    if (!at_.expects && at_.mostSuperRows == 1) throw;
    if (!at_.expects) at_.mostSuperRows /= 2;
    // What is expected holds a reserve that may be too much for this device.
    if (std::exchange(at_.expects, false)) at_.margin = 0;
    startOver();
  } catch (...) {
    startOver();
    throw;
  }
  return at_.finished;
}

void ListBuilder::stepMeasured() {
  makeUpperLists();
  const auto rows = std::uint32_t(params_.supers.y);
  BandRoom room{std::min(at_.mostSuperRows, rows - at_.nextSuperRow), {}, 0};
  makeBand(room);
  made_.bands.push_back(room);
  at_.nextSuperRow += room.superRows;
  if (at_.nextSuperRow < rows) return;
  if (options_.relevance == Relevance::Budget && overBudget(stats())) {
    at_.margin += 6;
    startOver();
    return;
  }
  finish();
}

void ListBuilder::stepExpected() {
  makeUpperLists();
  BandRoom& room = made_.bands[bands_.size()];
  makeBand(room);
  at_.nextSuperRow += room.superRows;
  if (at_.nextSuperRow == std::uint32_t(params_.supers.y)) finish();
}

/// Of measured sizes the next lists expect a quarter more; expected ones are asked for.
void ListBuilder::finish() {
  at_.finished = true;
  spareBands_.clear();
  if (at_.expects) {
    if (facts_.capacity() < buffers_.stats.bytes())
      facts_ = gpu::ReadBack(gpu_, "smoe list facts", buffers_.stats.bytes());
    facts_.request(buffers_.stats, buffers_.stats.bytes());
    return;
  }
  fit_ = Fit::Fits;
  plan_ = made_;
  const auto reserve = [&](Room& room, std::uint64_t bytesPerGroup) {
    room.groups = withReserve(gpu_, room.groups, bytesPerGroup);
    room.entries = withReserve(gpu_, room.entries, sizeof(glm::uvec2));
  };
  constexpr std::uint64_t kBitsPerChild = SMOE_FILTER_WORDS * sizeof(std::uint32_t);
  reserve(plan_.districts, SMOE_CHILDREN * kBitsPerChild);
  reserve(plan_.supers, SMOE_CHILDREN * kBitsPerChild);
  for (BandRoom& band : plan_.bands) {
    reserve(band.candidates, SMOE_CHILDREN * kBitsPerChild);
    band.entries = withReserve(gpu_, band.entries, sizeof(glm::uvec2));
  }
}

ListBuilder::Fit ListBuilder::fit(bool wait) {
  if (!at_.finished || fit_ != Fit::Unknown) return fit_;
  if (wait) facts_.wait();
  if (!facts_.ready()) return Fit::Unknown;
  std::vector<std::uint32_t> words(facts_.data().size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), facts_.data().data(), words.size() * sizeof(std::uint32_t));
  shared::Stats stats;
  std::memcpy(&stats, words.data(), sizeof stats);
  const std::uint32_t* needs = words.data() + kStatsWords;
  const auto fits = [&](std::uint32_t at, const Room& room) {
    return needs[at] <= room.groups && needs[at + 1] <= room.entries;
  };
  bool good = fits(kNeedsOfDistricts, made_.districts) && fits(kNeedsOfSupers, made_.supers) &&
              !overBudget(stats);
  good = good && !(gpu_.device().software && needs[kNeedsOfSupers + 2] > kMaxRounds);
  for (std::uint32_t i = 0; i < made_.bands.size(); ++i) {
    const std::uint32_t at = kNeedsOfBands + kNeedsPerBand * i;
    bands_[i].entryCount = std::min(needs[at + 3], made_.bands[i].entries);
    good = good && fits(at, made_.bands[i].candidates) && needs[at + 3] <= made_.bands[i].entries;
  }
  if (!good) plan_ = {};  // the next lists are measured
  return fit_ = good ? Fit::Fits : Fit::Outgrown;
}

/// True when what was left out above the tiles takes too much of the budget from them.
bool ListBuilder::overBudget(const shared::Stats& stats) const {
  if (options_.relevance != Relevance::Budget || at_.margin >= kMaxMargin) return false;
  return std::bit_cast<float>(stats.upper) > 0.5f * params_.limit;
}

void ListBuilder::certify() {
  if (at_.certified || options_.relevance == Relevance::Window) return;
  gpu::Pass& pass = gpu_.pass(keyOf("certify"));
  at_.certified = true;
  for (const TileBand& band : bands_) {
    pass.storage(SMOE_BIND_CULL, model_->cull())
        .storage(SMOE_BIND_REACH, model_->reach())
        .storage(SMOE_BIND_AXES, buffers_.axes)
        .storage(SMOE_BIND_CELL_BARS, buffers_.cellBars)
        .storage(SMOE_BIND_TILE_COUNTS, band.starts)
        .storage(SMOE_BIND_ENTRIES, band.entries)
        .storage(SMOE_BIND_TILES, band.tiles)
        .params(SMOE_BIND_PARAMS, band.params);
    // Four quarters of a tile, and a bound of 200 operations on each.
    pass.dispatchGroups(band.params.tileCount,
                        gpu::DispatchCost{800.0 * double(band.entries.count())});
  }
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // show tiles, the host
}

shared::Stats ListBuilder::stats() const {
  shared::Stats stats;
  buffers_.stats.read(&stats, sizeof stats);
  return stats;
}

const TileBand& ListBuilder::bandOf(int tileRow) const {
  for (const TileBand& band : bands_)
    if (std::uint32_t(tileRow) < band.firstRow + band.rowCount) return band;
  return bands_.back();
}

// ---- Bars

/// A valid bar for every cell, and the lowest of each supertile and district.
void ListBuilder::makeBars() {
  const std::uint32_t cells = area(params_.cells);
  grow(gpu_, buffers_.pyramid, "smoe bars", pyramidWords(params_));
  grow(gpu_, buffers_.seeds, "smoe candidates", cells);
  grow(gpu_, buffers_.blocks, "smoe block candidates", area(blocksOf(params_)));
  grow(gpu_, buffers_.nextBlocks, "smoe block candidates", area(blocksOf(params_)));
  grow(gpu_, buffers_.cellBars, "smoe cell bars", cells);
  buffers_.pyramid.clear();
  buffers_.seeds.clear();
  buffers_.blocks.clear();

  gpu::Pass& splat = overModel("splat bars", params_);
  splat.storage(SMOE_BIND_BARS, buffers_.pyramid)
      .storage(SMOE_BIND_SEEDS, buffers_.seeds)
      .storage(SMOE_BIND_BLOCKS, buffers_.blocks);
  splat.dispatch(params_.count, gpu::Each{100 + 100 * 30});  // up to 10 x 10 cells
  gpu::barrier(gpu::Access::Storage);                        // settle bars, flood blocks

  gpu::Pass& settle = gpu_.pass(keyOf("settle bars"));
  settle.storage(SMOE_BIND_BARS, buffers_.pyramid).params(SMOE_BIND_PARAMS, params_);
  settle.dispatch(cells, gpu::Each{20 * SMOE_LEVELS, SMOE_LEVELS});
  gpu::barrier(gpu::Access::Storage);  // fill holes
  findCandidates();

  gpu::Pass& fill = overModel("fill holes", params_);
  fill.storage(SMOE_BIND_BARS, buffers_.pyramid)
      .storage(SMOE_BIND_SEEDS, buffers_.seeds)
      .storage(SMOE_BIND_BLOCKS, buffers_.blocks);
  fill.dispatch(cells, gpu::Each{(25 + 9) * 60, 25 + 9});
  gpu::barrier(gpu::Access::Storage);  // shrink bars

  shrinkBars(buffers_.pyramid, params_.cells, params_.supers, SMOE_SUPER / SMOE_CELL, false,
             superLists_.bars);
  shrinkBars(superLists_.bars, params_.supers, districts_, SMOE_DISTRICT / SMOE_SUPER, true,
             districtLists_.bars);
}

/// Every block gets a candidate, from however far.
void ListBuilder::findCandidates() {
  const glm::ivec2 count = blocksOf(params_);
  for (unsigned stride = std::bit_ceil(unsigned(std::max(count.x, count.y))) / 2; stride > 0;
       stride /= 2) {
    shared::Filter level{};
    level.childBlock = stride;
    gpu::Pass& flood = overModel("flood blocks", params_);
    flood.storage(SMOE_BIND_BLOCKS, buffers_.blocks)
        .storage(SMOE_BIND_NEXT_BLOCKS, buffers_.nextBlocks)
        .params(SMOE_BIND_LEVEL, level);
    flood.dispatch(area(count), gpu::Each{9 * 60, 9});
    gpu::barrier(gpu::Access::Storage);  // the next stride, fill holes
    std::swap(buffers_.blocks, buffers_.nextBlocks);
  }
}

void ListBuilder::shrinkBars(const gpu::RawBuffer& from, glm::ivec2 children, glm::ivec2 parents,
                             int block, bool districts, gpu::Buffer<float>& to) {
  grow(gpu_, to, "smoe box bars", area(parents));
  shared::Filter level{};
  level.parents = parents, level.children = children;
  level.childBlock = std::uint32_t(block);
  gpu::Pass& pass = gpu_.pass(keyOf("shrink bars", districts));
  pass.storage(SMOE_BIND_BARS, from).storage(SMOE_BIND_BOX_BARS, to).params(SMOE_BIND_LEVEL, level);
  pass.dispatch(area(parents), gpu::Each{4.0 * block * block});
  gpu::barrier(gpu::Access::Storage);  // shrink bars again, filter boxes
}

// ---- Lists of boxes

/// Bars, and lists of districts from all components, then of supertiles; once.
void ListBuilder::makeUpperLists() {
  if (at_.hasUpper) return;
  gpu_.request(programs());
  if (options_.relevance != Relevance::Window) makeBars();
  shared::Filter level{};
  level.parents = boxes(params_.size, SMOE_ROOT), level.children = districts_;
  level.parentPixels = SMOE_ROOT, level.childPixels = SMOE_DISTRICT;
  level.parentCount = area(level.parents);
  level.childBlock = SMOE_ROOT / SMOE_DISTRICT;
  level.needs = kNeedsOfDistricts;
  level.tau = params_.tau + at_.margin + kDistrictMargin;
  if (!at_.expects) made_.districts.groups = level.parentCount * segmentsOf(params_.count);
  filter({level, nullptr, area(level.children), districtLists_}, made_.districts);

  level.parents = districts_, level.children = params_.supers;
  level.parentPixels = SMOE_DISTRICT, level.childPixels = SMOE_SUPER;
  level.parentCount = area(level.parents);
  level.childBlock = SMOE_DISTRICT / SMOE_SUPER;
  level.needs = kNeedsOfSupers;
  level.hasParents = 1;
  level.tau = params_.tau + at_.margin + kSuperMargin;
  if (!at_.expects) made_.supers.groups = level.parentCount + segmentsOf(made_.districts.entries);
  filter({level, &districtLists_, area(level.children), superLists_}, made_.supers);
  at_.hasUpper = true;
  if (at_.expects) return;
  superRanges_ = superLists_.ranges.download(0, area(params_.supers));
  for (const glm::uvec2 range : superRanges_)
    if (gpu_.device().software && range.y - range.x > kMaxRounds)
      fail("model: {} components matter to {} x {} samples; software renderers take at most {}",
           range.y - range.x, SMOE_SUPER, SMOE_SUPER, kMaxRounds);
}

/// Filters the lists of some parents into those of their children: test and count, scan, close,
/// fill. Measured lists find how much room they need in between, and say so.
void ListBuilder::filter(const Descent& descent, Room& room) {
  Descent d = descent;
  d.level.groups = room.groups;
  countPasses(d);
  const std::size_t counts = std::size_t(room.groups) * d.level.childBlock * d.level.childBlock;
  scanner_.exclusive(d.out.counts, d.out.counts, counts);
  if (!at_.expects) {
    gpu::barrier(gpu::Access::Transfer);  // the host
    room.entries = d.out.counts.download(counts, 1).front();
  }
  d.level.entries = room.entries;
  grow(gpu_, d.out.list, "smoe lists", std::uint64_t(room.entries) + 1);
  placeEntries(d);
}

/// A bit per entry and child, and the number of passes per child and segment.
void ListBuilder::countPasses(const Descent& d) {
  BoxLists& out = d.out;
  const std::size_t children = std::size_t(d.level.childBlock) * d.level.childBlock;
  grow(gpu_, buffers_.works, "smoe list works", d.level.parentCount + 1);
  grow(gpu_, out.counts, "smoe list counts", d.level.groups * children + 1);
  grow(gpu_, out.ranges, "smoe list ranges", d.childCount);
  grow(gpu_, out.lost, "smoe lost", d.childCount);
  grow(gpu_, out.bars, "smoe box bars", 1);
  grow(gpu_, buffers_.bits, "smoe passed", d.level.groups * children * SMOE_FILTER_WORDS);
  out.lost.clear();

  gpu::Pass& split = gpu_.pass(keyOf("split lists"));
  split.storage(SMOE_BIND_PARENT_RANGES, d.parents ? d.parents->ranges : out.ranges)
      .storage(SMOE_BIND_WORKS, buffers_.works)
      .params(SMOE_BIND_PARAMS, params_)
      .params(SMOE_BIND_LEVEL, d.level);
  split.dispatch(d.level.parentCount, gpu::Each{20});
  gpu::barrier(gpu::Access::Storage);  // scan
  scanner_.exclusive(buffers_.works, buffers_.works, d.level.parentCount);

  gpu::Pass& test = overModel("filter boxes", params_);
  test.storage(SMOE_BIND_REACH, model_->reach())
      .storage(SMOE_BIND_PARENT_RANGES, d.parents ? d.parents->ranges : out.ranges)
      .storage(SMOE_BIND_PARENT_LIST, d.parents ? d.parents->list : out.counts)
      .storage(SMOE_BIND_PARENT_LOST, d.parents ? d.parents->lost : out.lost)
      .storage(SMOE_BIND_WORKS, buffers_.works)
      .storage(SMOE_BIND_COUNTS, out.counts)
      .storage(SMOE_BIND_BITS, buffers_.bits)
      .storage(SMOE_BIND_LOST, out.lost)
      .storage(SMOE_BIND_BOX_BARS, out.bars)
      .params(SMOE_BIND_LEVEL, d.level);
  // Each component of a segment against each box; a bisection tells which parent it belongs to.
  test.dispatchGroups(d.level.groups, gpu::Each{60.0 * double(children), 32});
  gpu::barrier(gpu::Access::Storage);  // scan
}

/// Where lists begin and end, then their components, ascending in each.
void ListBuilder::placeEntries(const Descent& d) {
  gpu::Pass& close = gpu_.pass(keyOf("close lists"));
  close.storage(SMOE_BIND_WORKS, buffers_.works)
      .storage(SMOE_BIND_COUNTS, d.out.counts)
      .storage(SMOE_BIND_RANGES, d.out.ranges)
      .storage(SMOE_BIND_STATS, buffers_.stats)
      .params(SMOE_BIND_PARAMS, params_)
      .params(SMOE_BIND_LEVEL, d.level);
  close.dispatch(std::uint64_t(d.level.parentCount) * d.level.childBlock * d.level.childBlock,
                 gpu::Each{30});

  const BoxLists& from = d.parents ? *d.parents : d.out;
  gpu::Pass& place = gpu_.pass(keyOf("place entries"));
  place.storage(SMOE_BIND_PARENT_RANGES, from.ranges)
      .storage(SMOE_BIND_PARENT_LIST, d.parents ? from.list : from.counts)
      .storage(SMOE_BIND_WORKS, buffers_.works)
      .storage(SMOE_BIND_COUNTS, d.out.counts)
      .storage(SMOE_BIND_BITS, buffers_.bits)
      .storage(SMOE_BIND_LIST, d.out.list)
      .params(SMOE_BIND_PARAMS, params_)
      .params(SMOE_BIND_LEVEL, d.level);
  place.dispatchGroups(d.level.groups,
                       gpu::Each{10.0 * d.level.childBlock * d.level.childBlock, 32});
  gpu::barrier(gpu::Access::Storage);  // the next level
}

// ---- Tiles

/// Rows of supertiles per band: on software renderers few, so that a slice of work stays short.
std::uint32_t ListBuilder::bandRows() const {
  const auto rows = std::uint32_t(params_.supers.y), columns = std::uint32_t(params_.supers.x);
  return gpu_.device().software ? std::max(1u, 16 / columns) : rows;
}

/// Work groups that filter the lists of these supertiles.
std::uint32_t ListBuilder::groupsOf(std::uint32_t superRow, std::uint32_t superRows) const {
  const auto columns = std::uint32_t(params_.supers.x);
  std::uint32_t groups = 0;
  for (std::uint32_t i = superRow * columns; i < (superRow + superRows) * columns; ++i)
    groups += segmentsOf(superRanges_[i].y - superRanges_[i].x);
  return std::max(1u, groups);
}

void ListBuilder::makeBand(BandRoom& room) {
  const auto perSuper = std::uint32_t(SMOE_SUPER / options_.tilePixels);
  const auto number = std::uint32_t(bands_.size());
  if (spareBands_.empty()) spareBands_.emplace_back();
  TileBand& band = spareBands_.front();  // among the bands when it is whole
  band.params = params_;
  band.firstRow = at_.nextSuperRow * perSuper;
  band.rowCount =
      std::min(room.superRows * perSuper, std::uint32_t(params_.tiles.y) - band.firstRow);
  band.params.firstTile = band.firstRow * std::uint32_t(params_.tiles.x);
  band.params.tileCount = band.rowCount * std::uint32_t(params_.tiles.x);

  shared::Filter level{};
  level.parents = params_.supers, level.children = params_.tiles;
  level.parentPixels = SMOE_SUPER, level.childPixels = params_.tilePixels;
  level.firstParent = at_.nextSuperRow * std::uint32_t(params_.supers.x);
  level.firstChild = band.params.firstTile;
  level.parentCount = room.superRows * std::uint32_t(params_.supers.x);
  level.childBlock = perSuper;
  level.hasParents = 1;
  level.needs = kNeedsOfBands + kNeedsPerBand * number;
  level.tau = params_.tau + at_.margin + kTileMargin;
  if (options_.relevance != Relevance::Window) tightenBars(band.params, level);

  // Children of this band only: those below it do not exist for this pass.
  level.children.y = int(band.firstRow + band.rowCount);
  if (!at_.expects) room.candidates.groups = groupsOf(at_.nextSuperRow, room.superRows);
  filter({level, &superLists_, band.params.tileCount, tileLists_}, room.candidates);
  const std::int64_t bytes =
      std::int64_t(room.candidates.entries) * std::int64_t(sizeof(glm::uvec2));
  if (!at_.expects) gpu_.memory().expectRoom("smoe entries", bytes, true, bytes);
  maskCells(band, level, room);
  bands_.push_back(std::move(band));
  spareBands_.pop_front();
}

void ListBuilder::tightenBars(const shared::Params& params, const shared::Filter& level) {
  grow(gpu_, tileLists_.bars, "smoe tile bars", params.tileCount);
  gpu::Pass& pass = overModel("tighten bars", params);
  pass.storage(SMOE_BIND_PARENT_RANGES, superLists_.ranges)
      .storage(SMOE_BIND_PARENT_LIST, superLists_.list)
      .storage(SMOE_BIND_CELL_BARS, buffers_.cellBars)
      .storage(SMOE_BIND_TILE_BARS, tileLists_.bars)
      .params(SMOE_BIND_LEVEL, level);
  // Every entry of a supertile's list at each of its cells.
  pass.dispatchGroups(level.parentCount,
                      gpu::DispatchCost{30.0 * SMOE_SUPER_CELLS * made_.supers.entries});
  gpu::barrier(gpu::Access::Storage);  // filter boxes, mask cells
}

/// Masks and certificates of the band's candidates, then the final lists.
void ListBuilder::maskCells(TileBand& band, const shared::Filter& level, BandRoom& room) {
  const std::uint32_t tiles = band.params.tileCount;
  grow(gpu_, buffers_.masks, "smoe masks", std::max(1u, room.candidates.entries));
  grow(gpu_, buffers_.cellBars, "smoe cell bars", area(params_.cells));
  gpu::ensure(gpu_, band.starts, "smoe tile starts", tiles + 1);
  gpu::ensure(gpu_, band.tiles, "smoe tiles", tiles);

  gpu::Pass& mask = overModel("mask cells", band.params);
  mask.storage(SMOE_BIND_REACH, model_->reach())
      .storage(SMOE_BIND_CELL_BARS, buffers_.cellBars)
      .storage(SMOE_BIND_PARENT_RANGES, tileLists_.ranges)
      .storage(SMOE_BIND_PARENT_LIST, tileLists_.list)
      .storage(SMOE_BIND_MASKS, buffers_.masks)
      .storage(SMOE_BIND_TILE_COUNTS, band.starts)
      .storage(SMOE_BIND_LOST, tileLists_.lost)
      .storage(SMOE_BIND_TILES, band.tiles)
      .storage(SMOE_BIND_STATS, buffers_.stats)
      .params(SMOE_BIND_LEVEL, level);
  // 16 bits per candidate, by the budget rule in two rounds; a group shares a list.
  mask.dispatchGroups(tiles, gpu::DispatchCost{16 * 60.0 * room.candidates.entries});
  gpu::barrier(gpu::Access::Storage);  // scan
  scanner_.exclusive(band.starts, band.starts, tiles);
  countTiles(band, level, room);

  shared::Filter final = level;
  final.entries = room.entries;
  gpu::Pass& compact = gpu_.pass(keyOf("compact lists"));
  compact.storage(SMOE_BIND_PARENT_RANGES, tileLists_.ranges)
      .storage(SMOE_BIND_PARENT_LIST, tileLists_.list)
      .storage(SMOE_BIND_MASKS, buffers_.masks)
      .storage(SMOE_BIND_TILE_COUNTS, band.starts)
      .storage(SMOE_BIND_ENTRIES, band.entries)
      .params(SMOE_BIND_PARAMS, band.params)
      .params(SMOE_BIND_LEVEL, final);
  compact.dispatchGroups(tiles, gpu::DispatchCost{20.0 * room.candidates.entries});
  gpu::barrier(gpu::Access::Storage);  // shading
}

/// Room for the final lists: measured, or their ends moved to where the room ends.
void ListBuilder::countTiles(TileBand& band, const shared::Filter& level, BandRoom& room) {
  const std::uint32_t tiles = band.params.tileCount;
  if (!at_.expects) {
    gpu::barrier(gpu::Access::Transfer);  // the host
    room.entries = band.entryCount = band.starts.download(tiles, 1).front();
  }
  if (!gpu::suits(band.entries.count(), room.entries) || !band.entries)
    gpu::ensure(gpu_, band.entries, "smoe entries", roomFor<glm::uvec2>(gpu_, room.entries));
  if (!at_.expects) return;
  shared::Filter ends = level;
  ends.entries = room.entries;
  ends.needs = level.needs + 3;
  gpu::Pass& close = gpu_.pass(keyOf("close tiles"));
  close.storage(SMOE_BIND_TILE_COUNTS, band.starts)
      .storage(SMOE_BIND_STATS, buffers_.stats)
      .params(SMOE_BIND_PARAMS, band.params)
      .params(SMOE_BIND_LEVEL, ends);
  close.dispatch(tiles + 1, gpu::Each{20});
  gpu::barrier(gpu::Access::Storage);  // compact lists, shading
}

}  // namespace fathom::smoe
