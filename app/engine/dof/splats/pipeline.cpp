// SPDX-License-Identifier: BSD-3-Clause
// Bands of tiles, and the passes over one band in their order.
#include "app/engine/dof/splats/pipeline.h"

#include "app/engine/dof/lens/aperture_map.h"
#include "app/engine/dof/splats/tile_sorter.h"
#include "app/engine/gpu/memory_account.h"

namespace fathom::dof {
namespace {

constexpr std::uint32_t kIndexMask = (1u << DOF_INDEX_BITS) - 1;
constexpr std::uint32_t kMaxTiles = 65535;  // groups of an indirect dispatch
constexpr std::int64_t kKeyBytes = 8, kNodeBytes = 16, kRecordBytes = 32;
constexpr int kPairReach = DOF_REACH * DOF_TILE;  // px
// Lists so long on the average are sorted together in less time; discs of so many pixels make
// them, until that is known.
constexpr std::uint32_t kLongList = 600;
constexpr int kLongReach = 24;
constexpr std::uint64_t kFirstGuess = 4;  // entries per splat

/// Of a pass whose groups go over the splats of their source tiles, and the tiles that each
/// touches.
gpu::DispatchCost splatCost(const shared::Params& params, int reach, double eachTile) {
  const double side = 2.0 * reach / DOF_TILE + 2;
  return {(40 + eachTile * side * side) * params.splatCount};
}

TileArea sourceArea(const shared::Params& p) {
  return {{int(p.sourceFirstTileColumn), int(p.sourceColumnCount)},
          {int(p.sourceFirstTileRow), int(p.sourceRowCount)}};
}

std::uint64_t groupsOf(const shared::Params& params) {
  return std::uint64_t(params.sourceColumnCount) * params.sourceRowCount;
}

}  // namespace

std::vector<gpu::Define> apertureDefines(const ListRequest& request) {
  return {{"SHAPE", request.mapped ? 1 : 0},
          {"FIELD", request.varies ? 1 : 0},
          {"CELLS", request.cells ? 1 : 0},
          {"CHROMA", request.colored ? 1 : 0}};
}

bool readsRecordTexels(const gpu::Context& gpu) { return gpu.device().software; }

Pipeline::Pipeline(gpu::Context& gpu)
    : gpu_(gpu), scanner_(gpu), sorter_(std::make_unique<TileSorter>(gpu)) {
  buffers_.stats = gpu::Buffer<shared::Stats>(gpu, "dof statistics", 1);
  statsRead_ = gpu::ReadBack(gpu, "dof statistics read", sizeof(shared::Stats));
}

Pipeline::~Pipeline() = default;

std::uint32_t Pipeline::capacityLimit() const {
  const std::int64_t bytes = request_.area ? kKeyBytes : kNodeBytes;
  return std::uint32_t(std::min<std::int64_t>(gpu_.memory().blockLimit() / bytes, INT32_MAX));
}

// ---- Bands

void Bands::begin(const Source& source, int reach, bool byRows) {
  source_ = &source, reach_ = reach;
  if (!bands_.empty() && size_ == source.size() && byRows_ == byRows) return;
  byRows_ = byRows;
  bands_ = {{{0, source.tilesX()}, {0, source.tilesY()}}};
  size_ = source.size();
}

TileArea Bands::sourceOf(const TileArea& area) const {
  const int reach = (reach_ + DOF_TILE - 1) / DOF_TILE;
  const int margin = source_->margin() / DOF_TILE;
  const auto around = [&](TileRange range, int size) {
    range.first += margin;
    return range.widened(reach, size);
  };
  return {around(area.columns, source_->sourceTilesX()),
          around(area.rows, source_->sourceTilesY())};
}

std::uint64_t Bands::splatsOf(TileArea area) const {
  const int margin = source_->margin() / DOF_TILE;
  area.columns.first += margin, area.rows.first += margin;
  return source_->splatsIn(area);
}

/// Columns or rows, whichever leaves fewer splats that both halves need.
std::pair<TileArea, TileArea> Bands::halvesOf(const TileArea& area) const {
  const auto halves = [&](TileRange TileArea::*side) {
    std::pair<TileArea, TileArea> parts{area, area};
    (parts.first.*side).count /= 2;
    parts.second.*
        side = {(parts.first.*side).end(), (area.*side).count - (parts.first.*side).count};
    return parts;
  };
  const auto cost = [&](const std::pair<TileArea, TileArea>& parts) {
    if (parts.first.tileCount() == 0) return UINT64_MAX;
    return source_->splatsIn(sourceOf(parts.first)) + source_->splatsIn(sourceOf(parts.second));
  };
  const auto rows = halves(&TileArea::rows), columns = halves(&TileArea::columns);
  if (byRows_) return rows;
  return cost(rows) <= cost(columns) ? rows : columns;
}

void Bands::cut(std::size_t band, const gpu::DoesNotFit& reason) {
  const TileArea whole = bands_[band];
  if (byRows_ && whole.rows.count < 2)
    fail("{}, for a row of tiles: fewer --deep-samples or a smaller --max-radius need less",
         reason.what());
  if (whole.tileCount() < 2)
    fail("{}, for one tile of {} x {} pixels: a smaller --max-radius needs less", reason.what(),
         DOF_TILE, DOF_TILE);
  std::vector<TileArea> parts{whole};
  for (std::size_t i = 0; i < parts.size();) {
    const TileArea part = parts[i];
    if (part.tileCount() < 2 || (byRows_ && part.rows.count < 2) ||
        part.tileCount() * reason.pieces() <= whole.tileCount()) {
      ++i;
      continue;
    }
    const auto [first, second] = halvesOf(part);
    parts[i] = first;
    parts.insert(parts.begin() + std::ptrdiff_t(i) + 1, second);
  }
  bands_.erase(bands_.begin() + std::ptrdiff_t(band));
  bands_.insert(bands_.begin() + std::ptrdiff_t(band), parts.begin(), parts.end());
}

// ---- The way of a band

void Pipeline::begin(Source& source, const ListRequest& request) {
  source_ = &source;
  request_ = request;
  totals_ = {};
  hasLongLists_ = false;
  bands_.begin(source, request.reach, request.bytesPerTile > 0);
  std::vector<gpu::Define> splat{{"SOURCE", source.kind()},
                                 {"AREA", request_.area ? 1 : 0},
                                 {"HAS_ALPHA", source.hasAlpha() ? 1 : 0},
                                 {"MASKED", source.mask() ? 1 : 0},
                                 {"THIN", request_.thin ? 1 : 0}};
  if (request_.area) std::ranges::move(apertureDefines(request_), std::back_inserter(splat));
  programs_ = sortsSplats() ? TileSorter::splatPrograms() : sorter_->programs();
  programs_.push_back({"splat", "shaders/dof/splat.comp", splat});
  if (request_.area && request_.varies)
    programs_.push_back(
        {"weigh splats", "shaders/dof/weigh_splats.comp", apertureDefines(request_)});
  programs_.push_back(
      {"count entries", "shaders/dof/count_entries.comp", {{"PAIRS", countsPairs() ? 1 : 0}}});
  programs_.push_back({"scatter entries", "shaders/dof/scatter_entries.comp", {}});
}

shared::Params Pipeline::paramsOf(const TileArea& area, const TileArea& source) const {
  shared::Params p{};
  p.width = std::uint32_t(source_->size().x), p.height = std::uint32_t(source_->size().y);
  p.tilesX = std::uint32_t(area.columns.count), p.tilesY = std::uint32_t(area.rows.count);
  p.margin = std::uint32_t(source_->margin());
  p.sourceTilesX = std::uint32_t(source_->sourceTilesX());
  p.firstTileColumn = std::uint32_t(area.columns.first);
  p.firstTileRow = std::uint32_t(area.rows.first);
  p.tileRowCount = std::uint32_t(area.rows.count);
  p.sourceFirstTileColumn = std::uint32_t(source.columns.first);
  p.sourceFirstTileRow = std::uint32_t(source.rows.first);
  p.sourceColumnCount = std::uint32_t(source.columns.count);
  p.sourceRowCount = std::uint32_t(source.rows.count);
  p.partEntries = listPart_;
  p.splatCount = std::uint32_t(std::min<std::uint64_t>(source_->splatsIn(source), UINT32_MAX));
  return p;
}

const TileLists& Pipeline::build(std::size_t band) { return make(band, true); }
const TileLists& Pipeline::queue(std::size_t band) { return make(band, false); }

const TileLists& Pipeline::make(std::size_t band, bool waits) {
  FATHOM_CHECK(source_ != nullptr);
  queued_ = band;
  for (;;) {
    try {
      const TileArea area = bands_.all()[band];
      const std::uint64_t guess = kFirstGuess * source_->splatsIn(bands_.sourceOf(area)) + 1;
      if (capacity_ == 0) capacity_ = std::uint32_t(std::min<std::uint64_t>(guess, INT32_MAX));
      capacity_ = std::min(capacity_, capacityLimit());
      lists_ = tryBuild(area, waits || sortsSplats());
      return lists_;
    } catch (const gpu::DoesNotFit& reason) {
      cut(band, reason);
    }
  }
}

void Pipeline::cut(std::size_t band, const gpu::DoesNotFit& reason) {
  bands_.cut(band, reason);
  capacity_ = 0;  // what the larger band had room for would be refused again
}

Pipeline::Check Pipeline::check(bool wait) {
  if (!pending_) return Check::Holds;
  if (!statsRead_.ready()) {
    if (!wait) return Check::Pending;
    statsRead_.wait();
  }
  pending_ = false;
  shared::Stats stats;
  std::memcpy(&stats, statsRead_.data().data(), sizeof stats);
  try {
    if (makeRoom(stats) || tooLongToSort(stats)) return Check::Again;
  } catch (const gpu::DoesNotFit& reason) {
    cut(queued_, reason);
    return Check::Again;
  }
  account(stats);
  return Check::Holds;
}

/// What is known about the lists once the device has told.
void Pipeline::account(const shared::Stats& stats) {
  totals_.entries += stats.entryCount;
  totals_.longest = std::max(totals_.longest, stats.longest);
  totals_.tiles += lists_.tileCount();
  totals_.clamped += stats.clampedCount;
  totals_.widest = std::max(totals_.widest, std::bit_cast<float>(stats.widest));
  totals_.splats += bands_.splatsOf(lists_.area);
  lists_.entryCount = stats.entryCount;
  lists_.longest = stats.longest;
  hasLongMean_ = stats.entryCount / lists_.tileCount() > kLongList;
  lists_.brightest = std::bit_cast<float>(stats.brightest);
}

// ---- Passes

/// Room for the splats of a band and for its tiles. Throws gpu::DoesNotFit.
void Pipeline::reserve(const shared::Params& params) {
  const std::uint64_t tiles = std::uint64_t(params.tilesX) * params.tileRowCount;
  const std::uint64_t sourceTiles = groupsOf(params);
  const std::int64_t fragmentBytes =
      std::int64_t(params.splatCount) *
      std::max<std::int64_t>(source_->bytesPerFragment(), request_.area ? kRecordBytes : 0);
  const double parts = std::max({double(tiles) / kMaxTiles, double(params.splatCount) / kIndexMask,
                                 double(fragmentBytes) / double(gpu_.memory().blockLimit()),
                                 double(tiles) * double(request_.bytesPerTile) /
                                     double(std::min(gpu_.memory().blockLimit(), kMostTileBytes))});
  if (parts > 1)
    throw gpu::DoesNotFit(
        fmt::format("depth of field: expected at most {} tiles and {} splats in {} at once, found "
                    "{} and {} in {}",
                    kMaxTiles, kIndexMask, gpu::bytesText(gpu_.memory().blockLimit()), tiles,
                    params.splatCount, gpu::bytesText(fragmentBytes)),
        parts, 1);
  gpu::ensure(gpu_, buffers_.places, "dof splat places", 2 * std::uint64_t(params.splatCount));
  gpu::ensure(gpu_, buffers_.depths, "dof splat depths", params.splatCount);
  gpu::ensure(gpu_, buffers_.colors, "dof splat colors",
              (request_.area ? 8 : 4) * std::uint64_t(params.splatCount));
  if (readsRecordTexels(gpu_) && request_.area && !buffers_.colorTexels.shows(buffers_.colors))
    buffers_.colorTexels = gpu::TexelView(gpu_, buffers_.colors);
  if (countsPairs()) gpu::ensure(gpu_, buffers_.pairs, "dof tile pairs", DOF_PAIRS * sourceTiles);
  gpu::ensure(gpu_, buffers_.counts, "dof list lengths", tiles);
  gpu::ensure(gpu_, buffers_.tileBegin, "dof list offsets", tiles + 1);
}

TileLists Pipeline::tryBuild(const TileArea& area, bool waits) {
  shared::Params params = paramsOf(area, bands_.sourceOf(area));
  reserve(params);
  buffers_.stats.clear();
  splat(params);
  count(params);
  const std::optional<shared::Stats> stats = place(params, waits);
  if (!request_.area) emit(params, false);

  lists_ = {};
  lists_.area = area, lists_.source = sourceArea(params);
  lists_.params = params;
  lists_.tileBegin = &buffers_.tileBegin;
  lists_.nodes = &buffers_.nodes;
  if (stats) account(*stats);
  return lists_;
}

void Pipeline::splat(const shared::Params& params) {
  gpu::Pass& pass = gpu_.pass(programs_, "splat");
  source_->bind(pass, sourceArea(params));
  if (source_->mask()) pass.texture(DOF_TEXTURE_MASK, *source_->mask());
  if (request_.area)
    pass.storage(DOF_BIND_DISCS, request_.tables->discSums())
        .texture(DOF_TEXTURE_APERTURE, request_.tables->map());
  pass.storage(DOF_BIND_PLACES, buffers_.places)
      .storage(DOF_BIND_DEPTHS, buffers_.depths)
      .storage(DOF_BIND_COLORS, buffers_.colors)
      .storage(DOF_BIND_STATS, buffers_.stats)
      .params(DOF_BIND_PARAMS, params)
      .params(DOF_BIND_OPTICS, request_.optics);
  // A radius, what an aperture of any shape looks like there, and a color.
  pass.dispatchGroups(groupsOf(params), gpu::DispatchCost{300.0 * params.splatCount});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture);  // weigh, count, ...; accumulate
  if (!request_.area || !request_.varies) return;
  gpu::Pass& weigh = gpu_.pass(programs_, "weigh splats");
  weigh.storage(DOF_BIND_PLACES, buffers_.places)
      .storage(DOF_BIND_COLORS, buffers_.colors)
      .texture(DOF_TEXTURE_APERTURE, request_.tables->map())
      .params(DOF_BIND_PARAMS, params)
      .params(DOF_BIND_OPTICS, request_.optics);
  // All pixels of a disc, at worst.
  weigh.dispatch(params.splatCount, gpu::Each{100 + 30.0 * request_.reach * request_.reach});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture);  // accumulate
}

void Pipeline::count(const shared::Params& params) {
  buffers_.counts.clear();
  gpu::Pass& pass = gpu_.pass(programs_, "count entries");
  source_->bindShifts(pass, sourceArea(params));
  if (countsPairs()) pass.storage(DOF_BIND_PAIRS, buffers_.pairs);
  pass.storage(DOF_BIND_PLACES, buffers_.places)
      .storage(DOF_BIND_TILE_SPLATS, source_->tileSplats())
      .storage(DOF_BIND_COUNTS, buffers_.counts)
      .params(DOF_BIND_PARAMS, params);
  const gpu::DispatchCost cost = splatCost(params, request_.reach, 12);
  countsPairs() ? pass.dispatchGroups(groupsOf(params), cost)
                : pass.dispatch(params.splatCount, cost);
  gpu::barrier(gpu::Access::Storage);  // scan, scatter
  scanner_.exclusive(buffers_.counts, buffers_.tileBegin,
                     std::size_t(params.tilesX) * params.tileRowCount);
}

/// Radii beyond what pairs of tiles are counted for go the way without them, and so do tiles of so
/// many splats that an invocation would go more than half the rounds that llvmpipe goes.
bool Pipeline::countsPairs() const {
  const std::uint32_t perLane = source_->mostInTile() / DOF_TILE_PIXELS + 1;
  return request_.reach <= kPairReach && perLane * DOF_PAIRS < UINT16_MAX / 2;
}

/// All splats at once, which needs to know how many entries there are; else each list by itself.
bool Pipeline::sortsSplats() const {
  if (request_.sort == Sort::Radix || !countsPairs() || hasLongLists_) return true;
  return request_.sort == Sort::Auto && (gpu_.device().software || request_.reach > kLongReach ||
                                         hasLongMean_ || !sorter_->sortsListsOf(capacity_));
}

/// Scatter and sort with the room that there is; again with more when that was not enough. Lists
/// sorted by themselves tell their need afterwards; who does not wait for it gets nothing here.
std::optional<shared::Stats> Pipeline::place(shared::Params& params, bool waits) {
  indexed_ = false;
  pending_ = !waits;
  for (;;) {
    params.capacity = capacity_;
    indexed_ = indexed_ || sortsSplats();
    if (!request_.area)
      gpu::ensure(gpu_, buffers_.nodes, "dof nodes", 4 * std::uint64_t(capacity_));
    sorter_->classify(params, buffers_.tileBegin, buffers_.stats);
    if (!indexed_) {
      gpu::ensure(gpu_, buffers_.keys, "dof keys", 2 * std::uint64_t(capacity_));
      scatter(params);
      sorter_->sortLists(params, buffers_.tileBegin, buffers_.keys);
    }
    if (!waits) {
      statsRead_.request(buffers_.stats, sizeof(shared::Stats));
      return std::nullopt;
    }
    const shared::Stats stats = buffers_.stats.download().front();
    if (makeRoom(stats)) continue;
    if (tooLongToSort(stats)) indexed_ = true;
    if (indexed_)
      entries_ = &sorter_->sortSplats(params, buffers_.places, buffers_.depths, stats.entryCount);
    return stats;
  }
}

/// True when the entries need more room than there was; there is now. Throws gpu::DoesNotFit.
bool Pipeline::makeRoom(const shared::Stats& stats) {
  if (stats.entryCount <= capacity_) return false;
  if (std::int64_t(stats.entryCount) > std::int64_t(capacityLimit()))
    throw gpu::DoesNotFit(fmt::format("dof entries: needs {} in one buffer, this GPU allows {}",
                                      gpu::bytesText(std::int64_t(stats.entryCount) *
                                                     (request_.area ? kKeyBytes : kNodeBytes)),
                                      gpu::bytesText(gpu_.memory().blockLimit())),
                          double(stats.entryCount), double(capacityLimit()));
  capacity_ = std::min(std::bit_ceil(stats.entryCount), capacityLimit());
  ++totals_.overflowRedos;
  return true;
}

void Pipeline::setLongestSorted(std::uint32_t keys) { sorter_->setLongest(keys); }

/// True when lists that are sorted by themselves are beyond it; from now on they are not.
bool Pipeline::tooLongToSort(const shared::Stats& stats) {
  if (indexed_ || stats.longest <= sorter_->longest()) return false;
  hasLongLists_ = true;
  ++totals_.overflowRedos;
  return true;
}

void Pipeline::scatter(const shared::Params& params) {
  buffers_.counts.clear();
  gpu::Pass& pass = gpu_.pass(programs_, "scatter entries");
  source_->bindShifts(pass, sourceArea(params));
  pass.storage(DOF_BIND_PLACES, buffers_.places)
      .storage(DOF_BIND_DEPTHS, buffers_.depths)
      .storage(DOF_BIND_TILE_SPLATS, source_->tileSplats())
      .storage(DOF_BIND_PAIRS, buffers_.pairs)
      .storage(DOF_BIND_COUNTS, buffers_.counts)
      .storage(DOF_BIND_TILE_BEGIN, buffers_.tileBegin)
      .storage(DOF_BIND_KEYS, buffers_.keys)
      .params(DOF_BIND_PARAMS, params);
  pass.dispatchGroups(groupsOf(params), splatCost(params, request_.reach, 20));
  gpu::barrier(gpu::Access::Storage);  // sort
}

void Pipeline::emitAlpha() { emit(lists_.params, true); }

void Pipeline::emit(const shared::Params& params, bool ofAlpha) {
  gpu::Pass& pass = gpu_.pass({"emit nodes",
                               "shaders/dof/emit_nodes.comp",
                               {{"NODE_KIND", request_.nodes.kind},
                                {"ALPHA_LOADED", request_.nodes.alphaLoaded ? 1 : 0},
                                {"OF_ALPHA", ofAlpha ? 1 : 0},
                                {"KEY_WORDS", indexed_ ? 1 : 2}}});
  pass.storage(DOF_BIND_PLACES, buffers_.places)
      .storage(DOF_BIND_DEPTHS, buffers_.depths)
      .storage(DOF_BIND_COLORS, buffers_.colors)
      .storage(DOF_BIND_TILE_BEGIN, buffers_.tileBegin)
      .storage(DOF_BIND_KEYS, keys())
      .storage(DOF_BIND_NODES, buffers_.nodes)
      .params(DOF_BIND_PARAMS, params);
  pass.dispatchGroups(std::uint64_t(params.tilesX) * params.tileRowCount,
                      gpu::DispatchCost{30.0 * params.capacity});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture);  // accumulate, l1 variants too
}

}  // namespace fathom::dof
