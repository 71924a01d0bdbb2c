// SPDX-License-Identifier: BSD-3-Clause
// Surveying what is open, beside the picture: once per set of lists, a band at a time, and only
// while a page shows it.
#include "app/techniques/deep/technique.h"

#include <algorithm>

namespace fathom::deep {
namespace {

constexpr std::uint64_t kDepths = 65536;  // fragments that say how depths are spread
constexpr int kStrip = 96;                // colors from front to back

}  // namespace

bool DeepTechnique::backgroundStep(gpu::Context& gpu, double) {
  const bool ready = std::exchange(surveyWanted_, false) && gpu_ == &gpu && !working_ &&
                     (scene_ || !images_.empty());
  if (!ready) return false;
  if (listsKey() != madeLists_) return false;  // update() makes what is asked for
  const std::string key = madeLists_ + mergeKey();
  if (key != surveying_.key) surveying_ = {key, 0, false, {}, {}, 0, 0};
  if (surveying_.done) return false;
  if (surveying_.band < bands_.size())
    surveyCounts(bands_[surveying_.band++]);
  else if (surveying_.band < 2 * bands_.size())
    surveyDepths(bands_[surveying_.band++ - bands_.size()]);
  else
    finishSurvey();
  return !surveying_.done;
}

void DeepTechnique::surveyCounts(Band& band) {
  ensureResident(band);
  addCounts(surveying_.found, band.region, pipeline_->downloadCounts(countedLists(band)));
  for (const std::size_t source : pointSources())
    surveying_.fragments += pipeline_->countPoints(pointList(band, source), band.region);
}

void DeepTechnique::surveyDepths(Band& band) {
  PointCloud& cloud = surveying_.sample;
  if (!cloud.words) {
    if (surveying_.fragments > UINT32_MAX) return;
    cloud.plan = PointPlan::of(surveying_.fragments, kDepths);
    cloud.region = {0, 0, size_.x, size_.y};
    cloud.words = gpu::Buffer<std::uint32_t>(
        *gpu_, "depths", std::size_t(std::max(cloud.plan.points, 1u)) * DEEP_POINT_WORDS);
  }
  ensureResident(band);
  for (const std::size_t source : pointSources())
    surveying_.base += pipeline_->collectPoints(pointList(band, source), sourceNumber(source),
                                                surveying_.base, cloud);
}

void DeepTechnique::finishSurvey() {
  survey_ = std::move(surveying_.found);
  PointCloud& cloud = surveying_.sample;
  std::vector<std::uint32_t> words;
  if (cloud.words)
    words = cloud.words.download(0, std::size_t(cloud.plan.points) * DEEP_POINT_WORDS);
  depths_ = sampleOf(words, kStrip);
  if (indexed()) depths_.colors.assign(kStrip, glm::vec3(0.2f));  // the lists hold no colors
  cloud = {};
  surveying_.done = true;
}

}  // namespace fathom::deep
