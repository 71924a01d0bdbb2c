// SPDX-License-Identifier: BSD-3-Clause
// Uploading targets and lists, keeping the lists of each picture young enough, and making them on
// the device.
#include "app/engine/smoe/fit/regions.h"

#include "app/engine/gpu/pass.h"
#include "app/engine/smoe/fit/passes.h"

namespace fathom::smoe {

// ---- A region

namespace {

/// Keeps the buffer while the values fit; else makes one with room to grow.
template <class T>
void growTo(gpu::Context& gpu, gpu::Buffer<T>& buffer, const char* name, std::size_t count) {
  if (buffer.count() < count || buffer.name().empty())
    buffer = gpu::Buffer<T>(gpu, name, count + count / 4);
}

}  // namespace

FitRegion::FitRegion(gpu::Context& gpu, const Image& picture, const PixelBox& box,
                     ViewCoordinates view)
    : gpu_(gpu), box_(box), view_(view), tiles_((box.size() + FIT_TILE - 1) / FIT_TILE) {
  std::vector<glm::vec4> target(tileCount() * FIT_PIXELS, glm::vec4(0));
  for (int y = 0; y < box.size().y; ++y)
    for (int x = 0; x < box.size().x; ++x) {
      const auto tile = std::size_t(y / FIT_TILE * tiles_.x + x / FIT_TILE);
      const auto pixel = std::size_t(y % FIT_TILE * FIT_TILE + x % FIT_TILE);
      target[tile * FIT_PIXELS + pixel] =
          glm::vec4(glm::vec3(picture.at(box.low.x + x, box.low.y + y)), 1);
    }
  target_ = gpu::Buffer<glm::vec4>(gpu, "fit target", target);
  targetTexels_ = gpu::TexelView(gpu, target_);
}

FitRegion::DeviceLists& FitRegion::roomFor(std::size_t slots, std::size_t components) {
  slotCount_ = slots;
  growTo(gpu_, lists_.starts, "fit tile starts", tileCount() + 1);
  growTo(gpu_, lists_.offsets, "fit offsets", tileCount());
  growTo(gpu_, lists_.components, "fit lists", slots);
  growTo(gpu_, lists_.slotTiles, "fit slot tiles", slots);
  growTo(gpu_, lists_.ends, "fit component ends", components + 1);
  growTo(gpu_, lists_.slots, "fit component slots", slots);
  growTo(gpu_, lists_.order, "fit component order", components);
  growTo(gpu_, lists_.bounds, "fit slot bounds", (components + FIT_GROUP - 1) / FIT_GROUP);
  return lists_;
}

void FitRegion::setLists(const ComponentLists& lists) {
  DeviceLists& own = roomFor(lists.slotCount(), lists.order.size());
  own.starts.upload(lists.tileStarts);
  own.offsets.upload(lists.offsets);
  own.components.upload(lists.components);
  own.slotTiles.upload(lists.slotTiles);
  own.ends.upload(lists.componentEnds);
  own.slots.upload(lists.slots);
  own.order.upload(lists.order);
  own.bounds.upload(lists.bounds);
}

std::vector<PixelBox> regionsOf(glm::ivec2 size, std::size_t maxTiles) {
  const int across = (size.x + FIT_TILE - 1) / FIT_TILE;
  const int rows = std::max(1, int(maxTiles) / across) * FIT_TILE;
  std::vector<PixelBox> boxes;
  for (int y = 0; y < size.y; y += rows)
    boxes.push_back({{0, y}, {size.x, std::min(y + rows, size.y)}});
  return boxes;
}

// ---- The regions of all pictures

FitAreas::FitAreas(gpu::Context& gpu, SharedTraining training, Lists lists)
    : gpu_(gpu), training_(std::move(training)) {
  for (const std::size_t picture : training_->fitted()) pictures_.push_back({picture, {}, -1});
  if (pictures_.empty())
    fail("{}: expected an image to fit, found none that is not held out", training_->name);
  if (lists == Lists::Device || (lists == Lists::Auto && !gpu.device().software))
    maker_ = std::make_unique<FitListMaker>(gpu);
}

FitAreas::~FitAreas() = default;

std::vector<FitRegion*> FitAreas::of(std::size_t i, FitPasses& passes, double tau, int age) {
  // Of 64 px each: what a pass keeps per pixel and slot then fits the smallest storage block that
  // GL guarantees.
  constexpr std::size_t kMaxTiles = 16384;
  Area& area = pictures_[i];
  if (area.regions.empty())
    for (const PixelBox& box : regionsOf(training_->size, kMaxTiles))
      area.regions.push_back(std::make_unique<FitRegion>(
          gpu_, training_->pictures[area.picture], box, training_->coordinatesOf(area.picture)));
  if (area.listsMade < 0 || now_ - area.listsMade >= age) makeLists(area, passes, tau);
  std::vector<FitRegion*> regions;
  for (const auto& region : area.regions) regions.push_back(region.get());
  return regions;
}

void FitAreas::makeLists(Area& area, FitPasses& passes, double tau) {
  area.listsMade = now_;
  if (maker_) {
    for (const auto& region : area.regions) maker_->make(passes, *region, tau);
    return;
  }
  const ViewCoordinates view = training_->coordinatesOf(area.picture);
  std::vector<Record> sliced;
  for (const Record& r : recordsOf(passes)) sliced.push_back(slice(r, training_->dims - 2, view));
  for (const auto& region : area.regions)
    region->setLists(buildComponentLists(sliced, region->box(), tau));
}

/// Fetched once for the lists of all pictures.
const std::vector<Record>& FitAreas::recordsOf(const FitPasses& passes) {
  if (!records_.empty()) return records_;
  Model frame;
  frame.dims = training_->dims;
  frame.centerFractionBits = passes.fractionBits();
  for (const Component& c : passes.download()) records_.push_back(exact(c, frame));
  return records_;
}

void FitAreas::grow() {
  ++now_;
  records_.clear();
}

void FitAreas::invalidate() {
  for (Area& area : pictures_) area.listsMade = -1;
  records_.clear();
}

std::size_t FitAreas::middle() const {
  std::size_t best = 0;
  double smallest = 1e300;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const glm::dvec2 a = training_->coordinatesOf(pictures_[i].picture);
    if (glm::dot(a, a) < smallest) smallest = glm::dot(a, a), best = i;
  }
  return best;
}

double FitAreas::pixelsPerPicture() const { return double(training_->size.x) * training_->size.y; }

FitListMaker::FitListMaker(gpu::Context& gpu)
    : gpu_(gpu), model_(gpu), builder_(gpu), scanner_(gpu), sorter_(gpu) {}

shared::FitBand FitListMaker::band(const FitRegion& region) const {
  shared::FitBand band{};
  band.maxSlots = std::uint32_t(region.tileCount());  // a component is listed once per tile
  band.componentCount = model_.count();
  return band;
}

void FitListMaker::make(FitPasses& passes, FitRegion& region, double tau) {
  build(passes, region, tau);
  std::size_t slots = 0;
  for (const TileBand& band : builder_.bands()) slots += band.entryCount;
  FitRegion::DeviceLists& lists = region.roomFor(slots, passes.componentCount());
  join(lists, region);
  turnRound(lists, region);
}

void FitListMaker::build(FitPasses& passes, const FitRegion& region, double tau) {
  model_.reserve(std::uint32_t(passes.componentCount()), passes.fractionBits());
  gpu::Pass& gates = gpu_.pass({"fit gates", "shaders/smoe/fit/gates.comp", {}});
  gates.texels(FIT_TEXELS_RECORDS, passes.recordsFor(region))
      .params(FIT_BIND_PARAMS, passes.params(region))
      .storage(FIT_BIND_GATES, model_.cull())
      .storage(FIT_BIND_REACH, model_.reach());
  gates.dispatch(passes.componentCount(), gpu::Each{60});
  gpu::barrier(gpu::Access::Storage);  // the list builder

  const ViewWindow window{region.box().size(), glm::dvec2(region.box().low)};
  DecodeOptions options{.tilePixels = FIT_TILE};
  options.tau = float(tau * std::numbers::log2e);  // bits
  // Lists that outgrow the room of the last ones are measured.
  do {
    builder_.begin(model_, window, options, ListSizes::Expected);
    while (!builder_.step()) {
    }
  } while (builder_.fit(true) != ListBuilder::Fit::Fits);
}

/// The bands one after the other; their slots in the order of tiles.
void FitListMaker::join(FitRegion::DeviceLists& lists, const FitRegion& region) {
  gpu::ensure(gpu_, keys_, "fit list keys",
              std::max(region.slotCount(), std::size_t(model_.count())));
  lists.ends.clear();
  shared::FitBand part = band(region);
  gpu::Pass& join = gpu_.pass({"fit join", "shaders/smoe/fit/join.comp", {}});
  for (const TileBand& tiles : builder_.bands()) {
    part.firstTile = tiles.params.firstTile;
    part.tileCount = tiles.params.tileCount;
    part.last = &tiles == &builder_.bands().back();
    join.params(FIT_BIND_PARAMS, part)
        .storage(FIT_BIND_BAND_STARTS, tiles.starts)
        .storage(FIT_BIND_BAND_ENTRIES, tiles.entries)
        .storage(FIT_BIND_BAND_TILES, tiles.tiles)
        .storage(FIT_BIND_TILE_STARTS, lists.starts)
        .storage(FIT_BIND_OFFSETS, lists.offsets)
        .storage(FIT_BIND_COMPONENTS, lists.components)
        .storage(FIT_BIND_TILES, lists.slotTiles)
        .storage(FIT_BIND_SLOTS, lists.slots)
        .storage(FIT_BIND_KEYS, keys_)
        .storage(FIT_BIND_COUNTS, lists.ends);
    join.dispatchGroups(part.tileCount, gpu::DispatchCost{20.0 * double(tiles.entries.count())});
    part.firstSlot += tiles.entryCount;
  }
  gpu::barrier(gpu::Access::Storage);  // scan, sort, the passes of the fit
}

/// Slots by component, and components by falling number of slots.
void FitListMaker::turnRound(FitRegion::DeviceLists& lists, const FitRegion& region) {
  const std::size_t count = model_.count();
  scanner_.exclusive(lists.ends, lists.ends, count);
  sort(lists.slots, region.slotCount(), std::uint32_t(count - 1));

  const shared::FitBand all = band(region);
  gpu::Pass& order = gpu_.pass({"fit order", "shaders/smoe/fit/order.comp", {}});
  order.params(FIT_BIND_PARAMS, all)
      .storage(FIT_BIND_COMPONENT_ENDS, lists.ends)
      .storage(FIT_BIND_ORDER, lists.order)
      .storage(FIT_BIND_KEYS, keys_);
  order.dispatch(count, gpu::Each{10});
  gpu::barrier(gpu::Access::Storage);  // sort
  sort(lists.order, count, all.maxSlots);

  gpu::Pass& bounds = gpu_.pass({"fit bounds", "shaders/smoe/fit/bounds.comp", {}});
  bounds.params(FIT_BIND_PARAMS, all)
      .storage(FIT_BIND_COMPONENT_ENDS, lists.ends)
      .storage(FIT_BIND_ORDER, lists.order)
      .storage(FIT_BIND_BOUNDS, lists.bounds);
  bounds.dispatch((count + FIT_GROUP - 1) / FIT_GROUP, gpu::Each{10 * FIT_GROUP, FIT_GROUP});
  gpu::barrier(gpu::Access::Storage);  // fit_sum.comp
}

/// Orders the values by the keys; stable.
void FitListMaker::sort(gpu::Words& values, std::size_t count, std::uint32_t largestKey) {
  gpu::ensure(gpu_, otherKeys_, "fit list keys", keys_.count());
  gpu::ensure(gpu_, otherValues_, "fit list values", values.count());
  gpu::SortOptions options;
  options.lastBit = std::max(1, int(std::bit_width(largestKey)));
  const gpu::SortedBuffers sorted =
      sorter_.sort({&keys_, &otherKeys_, &values, &otherValues_}, count, options);
  if (sorted.payloads != &values) std::swap(values, otherValues_);
}

}  // namespace fathom::smoe
