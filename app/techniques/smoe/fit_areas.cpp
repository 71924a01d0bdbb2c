// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/fit_areas.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace fathom::smoe {
namespace {

// Of 64 px each: what a pass keeps per pixel and slot then fits the least storage block there is.
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
      region->setLists(buildFitLists(sliced, region->box(), tau));
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
  double least = 1e300;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const glm::dvec2 a = training_->coordinatesOf(pictures_[i].picture);
    if (glm::dot(a, a) < least) least = glm::dot(a, a), best = i;
  }
  return best;
}

double FitAreas::pixelsPerPicture() const { return double(training_->size.x) * training_->size.y; }

}  // namespace fathom::smoe
