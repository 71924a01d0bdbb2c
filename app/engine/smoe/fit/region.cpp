// SPDX-License-Identifier: BSD-3-Clause
// Uploading targets and lists, and keeping the lists of each picture young enough.
#include "app/engine/smoe/fit/region.h"

#include "app/engine/smoe/fit/list_maker.h"

#include <algorithm>

#include <glm/geometric.hpp>

namespace fathom::smoe {

// A region
// -------------------------------------------------------------------------------------------------

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

// All of them
// -------------------------------------------------------------------------------------------------

namespace {

// Of 64 px each: what a pass keeps per pixel and slot then fits the smallest storage block that GL
// guarantees.
constexpr std::size_t kMaxTiles = 16384;

}  // namespace

FitAreas::FitAreas(gpu::Context& gpu, std::shared_ptr<const TrainingSet> training, Lists lists)
    : gpu_(gpu), training_(std::move(training)) {
  for (const std::size_t picture : training_->fitted()) pictures_.push_back({picture, {}, -1});
  if (pictures_.empty())
    fail("{}: expected a picture to fit, found none that is not held out", training_->name);
  if (lists == Lists::Device || (lists == Lists::Auto && !gpu.device().software))
    maker_ = std::make_unique<FitListMaker>(gpu);
}

FitAreas::~FitAreas() = default;

std::vector<FitRegion*> FitAreas::of(std::size_t i, FitPasses& passes, double tau, int age) {
  Area& area = pictures_[i];
  if (area.regions.empty())
    for (const PixelBox& box : regionsOf(training_->size, kMaxTiles))
      area.regions.push_back(
          std::make_unique<FitRegion>(gpu_, training_->pictures[area.picture], box,
                                      training_->coordinatesOf(area.picture)));
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

}  // namespace fathom::smoe
