// SPDX-License-Identifier: BSD-3-Clause
// Two passes over the bands: fragments per pixel, then an even sample of their depths.
#include "app/engine/deep/view/surveyor.h"

#include "app/engine/deep/bands/edited_merge.h"
#include "app/engine/deep/lists/depth_complexity.h"
#include "app/engine/deep/view/collect_points.h"

namespace fathom::deep {
namespace {

constexpr std::uint64_t kMaxDepths = 65536;  // sampled to show how depths are distributed
constexpr int kStripColors = 96;             // from front to back

}  // namespace

Surveyor::Surveyor(BandStore& bands, const MergeSetup& setup, std::function<bool()> isIdle)
    : bands_(bands), setup_(setup), isIdle_(std::move(isIdle)) {
  const auto whatIsSurveyed = [this] {
    return std::tuple(bands_.key(), withoutView(setup_.settings), bands_.count());
  };
  stages_.add(
      "counts", whatIsSurveyed, [this](double) { return countStep(); },
      [this] {
        at_ = 0;
        found_ = {};
        fragments_ = sampled_ = 0;
        complete_ = false;
      });
  stages_.add(
      "depths", [] { return 0; }, [this](double) { return depthStep(); },
      [this] {
        at_ = 0;
        sample_ = {};
      });
  stages_.add(
      "finish", [] { return 0; }, [this](double) { return finish(); });
}

bool Surveyor::step(gpu::Context& gpu) {
  const bool ready = std::exchange(wanted_, false) && bands_.isAttached() &&
                     &bands_.gpu() == &gpu && bands_.count() > 0 && isIdle_();
  return ready && !stages_.run(0);
}

bool Surveyor::countStep() {
  Band& band = bands_[at_];
  bands_.ensureLoaded(band);
  EditedMerge merge(bands_.pipeline(), setup_);
  addCounts(found_, band.region, countPixels(bands_.pipeline(), merge.counted(band)));
  for (const std::size_t source : setup_.sources())
    fragments_ += countPoints(bands_.pipeline(), merge.source(band, source), band.region);
  return ++at_ >= bands_.count();
}

bool Surveyor::depthStep() {
  if (!sample_.words) {
    if (fragments_ > UINT32_MAX) return true;
    sample_.plan = PointPlan::of(fragments_, kMaxDepths);
    sample_.region = {0, 0, bands_.key().size.x, bands_.key().size.y};
    sample_.words = gpu::Buffer<std::uint32_t>(
        bands_.gpu(), "depths", std::size_t(std::max(sample_.plan.points, 1u)) * DEEP_POINT_WORDS);
  }
  Band& band = bands_[at_];
  bands_.ensureLoaded(band);
  EditedMerge merge(bands_.pipeline(), setup_);
  for (const std::size_t source : setup_.sources()) {
    const int number = int(source == kAllInputs ? setup_.inputCount : source);
    sampled_ +=
        collectPoints(bands_.pipeline(), merge.source(band, source), number, sampled_, sample_);
  }
  return ++at_ >= bands_.count();
}

bool Surveyor::finish() {
  survey_ = std::move(found_);
  std::vector<std::uint32_t> words;
  if (sample_.words)
    words = sample_.words.download(0, std::size_t(sample_.plan.points) * DEEP_POINT_WORDS);
  depths_ = sampleOf(words, kStripColors);
  if (setup_.isIndexed()) depths_.colors.assign(kStripColors, glm::vec3(0.2f));  // not in the lists
  sample_ = {};
  complete_ = true;
  return true;
}

}  // namespace fathom::deep
