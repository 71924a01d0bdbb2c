// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/resolution.h"

#include <cmath>
#include <limits>
#include <utility>

namespace fathom::viewer {
namespace {
constexpr std::chrono::milliseconds kPause{150};
constexpr double kMaxMs = 165;  // five pictures per second, and room for the window itself
constexpr double kFixed = 0.5;   // share that does not grow with the pixels, until measured
constexpr double kGain = 0.88;   // what a smaller picture must save to be worth its coarseness
constexpr int kForget = 12;      // pictures
}  // namespace

void Resolution::moved(Time now) { restAt_ = now + kPause; }

double Resolution::next() {
  scale_ = kScales[step_];
  return scale_;
}

void Resolution::measured(double ms) {
  if (std::exchange(first_, false)) return;  // shaders were compiled in it
  double& here = ms_[step_];
  here = here == 0 ? ms : here * 0.5 + ms * 0.5;
  if (++stayed_ >= kForget && step_ < kFull) {  // what is drawn may have become cheaper
    ms_[step_ + 1] = 0;
    stayed_ = 0;
  }
  // The work has a part that grows with the pixels and one that does not (drawing triangles), so
  // what a step saves is measured and not assumed.
  const std::size_t before = step_;
  double above = std::numeric_limits<double>::infinity();
  bool wasted = false;  // being coarser saves nothing
  if (step_ < kFull) {
    const double growth = std::pow(kScales[step_ + 1] / kScales[step_], 2);
    const double known = ms_[step_ + 1];
    above = known != 0 ? known : here * (kFixed + (1 - kFixed) * growth);
    wasted = known != 0 && here >= known * kGain;
  }
  if (wasted || above <= kMaxMs) {
    ++step_;
  } else if (here > kMaxMs && step_ > 0) {
    const double below = ms_[step_ - 1];
    if (below == 0 || below < here * kGain) --step_;
  }
  if (step_ != before) stayed_ = 0;
}

}  // namespace fathom::viewer
