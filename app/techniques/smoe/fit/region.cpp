// SPDX-License-Identifier: BSD-3-Clause
// Uploading targets and lists, and keeping the lists of each picture young enough.
#include "app/techniques/smoe/fit/region.h"

#include <algorithm>

#include <glm/geometric.hpp>

namespace fathom::smoe {

// A region
// -------------------------------------------------------------------------------------------------

namespace {

/// Keeps the buffer while the values fit; else makes one with room to grow.
template <class T>
void uploadGrowing(gpu::Context& gpu, gpu::Buffer<T>& buffer, const char* name,
                   const std::vector<T>& values) {
  if (buffer.count() < values.size() || buffer.name().empty())
    buffer = gpu::Buffer<T>(gpu, name, values.size() + values.size() / 4);
  buffer.upload(values);
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

void FitRegion::setLists(const ComponentLists& lists) {
  slotCount_ = lists.slotCount();
  uploadGrowing(gpu_, lists_.starts, "fit tile starts", lists.tileStarts);
  uploadGrowing(gpu_, lists_.offsets, "fit offsets", lists.offsets);
  uploadGrowing(gpu_, lists_.components, "fit lists", lists.components);
  uploadGrowing(gpu_, lists_.slotTiles, "fit slot tiles", lists.slotTiles);
  uploadGrowing(gpu_, lists_.ends, "fit component ends", lists.componentEnds);
  uploadGrowing(gpu_, lists_.slots, "fit component slots", lists.slots);
  uploadGrowing(gpu_, lists_.order, "fit component order", lists.order);
  uploadGrowing(gpu_, lists_.bounds, "fit slot bounds", lists.bounds);
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

FitAreas::FitAreas(gpu::Context& gpu, std::shared_ptr<const TrainingSet> training)
    : gpu_(gpu), training_(std::move(training)) {
  for (const std::size_t picture : training_->fitted()) pictures_.push_back({picture, {}, -1});
  if (pictures_.empty())
    fail("{}: expected a picture to fit, found none that is not held out", training_->name);
}

bool FitAreas::outdated(std::size_t i, int age) const {
  const Area& area = pictures_[i];
  return area.regions.empty() || area.listsMade < 0 || now_ - area.listsMade >= age;
}

std::vector<FitRegion*> FitAreas::of(std::size_t i, const std::vector<Record>& records, double tau,
                                     int age) {
  Area& area = pictures_[i];
  const ViewCoordinates view = training_->coordinatesOf(area.picture);
  if (area.regions.empty())
    for (const PixelBox& box : regionsOf(training_->size, kMaxTiles))
      area.regions.push_back(
          std::make_unique<FitRegion>(gpu_, training_->pictures[area.picture], box, view));
  if (outdated(i, age)) {
    std::vector<Record> sliced;
    for (const Record& r : records) sliced.push_back(slice(r, training_->dims - 2, view));
    for (const auto& region : area.regions)
      region->setLists(buildComponentLists(sliced, region->box(), tau));
    area.listsMade = now_;
  }
  std::vector<FitRegion*> regions;
  for (const auto& region : area.regions) regions.push_back(region.get());
  return regions;
}

void FitAreas::invalidate() {
  for (Area& area : pictures_) area.listsMade = -1;
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
