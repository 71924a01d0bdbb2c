// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/exposure.h"

#include "app/core/error.h"

#include <algorithm>

namespace fathom::flame {
namespace {

constexpr int kMostMoments = 4096;

}  // namespace

Shutter shutterOf(const Genome& genome) {
  return {genome.temporalFilterWidth, genome.passes * genome.temporalSamples, genome.temporalFilter,
          genome.temporalFilterExp};
}

Exposure::Exposure(std::shared_ptr<const Motion> motion, double time)
    : Exposure(std::move(motion), time, nullptr) {}

Exposure::Exposure(std::shared_ptr<const Motion> motion, double time, const Shutter& shutter)
    : Exposure(std::move(motion), time, &shutter) {}

Exposure::Exposure(std::shared_ptr<const Motion> motion, double time, const Shutter* given)
    : motion_(std::move(motion)), time_(time), middle_(motion_->at(time)) {
  const Shutter shutter = given ? *given : shutterOf(middle_);
  const bool still = !motion_->moves() || shutter.width == 0;
  const int count = still ? 1 : std::clamp(shutter.moments, 1, kMostMoments);
  moments_ = shutterMoments(shutter.filter, shutter.width, shutter.exponent, count);
  double sum = 0;
  for (const ShutterMoment& moment : moments_) shares_.push_back(sum += moment.weight);
  for (double& share : shares_) share /= sum;
  extent_ = motion_->extent(time + moments_.front().offset, time + moments_.back().offset);
  extent_.size = middle_.size;
}

std::vector<MovingGenome> Exposure::curves() const {
  return motion_->curves(time_ + moments_.front().offset, time_ + moments_.back().offset);
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
    const Palette palette = motion_->paletteAt(timeAt(first + part * (last - first)));
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += palette[i] / 3.0f;
  }
  return mean;
}

}  // namespace fathom::flame
