// SPDX-License-Identifier: BSD-3-Clause
// The moments of a shutter as flam3 spaces and weighs them.
#include "app/engine/flame/motion/exposure.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

constexpr int kMaxMoments = 4096;
constexpr double kFewMoments = 4;  // whose palettes are all computed
constexpr double kNoShare = 1e-9;  // of a moment: left by rounding

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
  const int count = still ? 1 : std::clamp(shutter.moments, 1, kMaxMoments);
  moments_ = shutterMoments(shutter.filter, shutter.width, shutter.exponent, count);
  sums_.push_back(0);
  for (const ShutterMoment& moment : moments_) {
    sums_.push_back(sums_.back() + moment.weight);
    weighs_ |= moment.weight != 1;
  }
  extent_ = motion_->extent(time + moments_.front().offset, time + moments_.back().offset);
  extent_.size = middle_.size;
}

std::vector<MovingGenome> Exposure::curves() const {
  return motion_->curves(time_ + moments_.front().offset, time_ + moments_.back().offset);
}

const ShutterMoment& Exposure::momentAt(double share) const {
  const double at = std::clamp(share, 0.0, 1.0) * double(moments_.size());
  return moments_[std::min(std::size_t(at), moments_.size() - 1)];
}

double Exposure::weightBetween(double first, double last) const {
  const auto sumUpTo = [&](double share) {
    const double at = share * double(moments_.size());
    const auto whole = std::min(std::size_t(at), moments_.size() - 1);
    return sums_[whole] + (at - double(whole)) * moments_[whole].weight;
  };
  return (sumUpTo(last) - sumUpTo(first)) / ((last - first) * double(moments_.size()));
}

Palette Exposure::paletteBetween(double first, double last) const {
  const double count = double(moments_.size()), low = first * count, high = last * count;
  Palette mean{};
  const auto add = [&](double offset, double share) {
    const Palette palette = motion_->paletteAt(time_ + offset);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += palette[i] * float(share);
  };
  if (high - low <= kFewMoments) {
    for (double moment = std::floor(low); moment < high; ++moment) {
      const double share = std::min(high, moment + 1) - std::max(low, moment);
      if (share > kNoShare) add(momentAt((moment + 0.5) / count).offset, share / (high - low));
    }
    return mean;
  }
  // Palettes change little while the shutter is open: three times stand for all between.
  const double width = moments_.back().offset - moments_.front().offset;
  for (const double part : {1.0 / 6, 0.5, 5.0 / 6}) {
    const double moment = low + part * (high - low) - 0.5;  // the first one lies about 0.5
    add(moments_.front().offset + width * moment / (count - 1), 1.0 / 3);
  }
  return mean;
}

}  // namespace fathom::flame
