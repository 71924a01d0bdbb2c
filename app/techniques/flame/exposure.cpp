// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/exposure.h"

#include "app/core/error.h"

#include <algorithm>

namespace fathom::flame {
namespace {

constexpr int kMostMoments = 4096;

}  // namespace

Exposure::Exposure(std::shared_ptr<const Keyframes> keyframes, double time)
    : keyframes_(std::move(keyframes)), time_(time), middle_(keyframes_->at(time)) {
  const bool still = keyframes_->genomes().size() == 1 || middle_.temporalFilterWidth == 0;
  const int count =
      still ? 1 : std::clamp(middle_.passes * middle_.temporalSamples, 1, kMostMoments);
  moments_ = shutterMoments(middle_.temporalFilter, middle_.temporalFilterWidth,
                            middle_.temporalFilterExp, count);
  double sum = 0;
  for (const ShutterMoment& moment : moments_) shares_.push_back(sum += moment.weight);
  for (double& share : shares_) share /= sum;
  extent_ = keyframes_->extent(time + moments_.front().offset, time + moments_.back().offset);
  extent_.size = middle_.size;
}

double Exposure::timeAt(double share) const {
  const auto at = std::lower_bound(shares_.begin(), shares_.end(), share);
  const auto i = std::min<std::size_t>(std::size_t(at - shares_.begin()), moments_.size() - 1);
  return time_ + moments_[i].offset;
}

Palette Exposure::paletteBetween(double first, double last) const {
  // Palettes change little while the shutter is open: three moments stand for all between.
  Palette mean{};
  for (const double part : {1.0 / 6, 0.5, 5.0 / 6}) {
    const Palette palette = keyframes_->paletteAt(timeAt(first + part * (last - first)));
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += palette[i] / 3.0f;
  }
  return mean;
}

}  // namespace fathom::flame
