// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/resolution.h"

#include <algorithm>
#include <utility>

namespace fathom::viewer {
namespace {
constexpr std::chrono::milliseconds kPause{150};
constexpr double kMostMs = 150;  // five pictures per second, and room for the window itself
constexpr double kGain = 0.88;   // what a smaller picture must save to be worth its coarseness
constexpr int kForget = 12;      // pictures
}  // namespace

void Resolution::moved(Time now) { restAt_ = now + kPause; }

double Resolution::next() {
  scale_ = double(step_) / kSteps;
  return scale_;
}

void Resolution::measured(double ms) {
  if (std::exchange(first_, false)) return;  // shaders were compiled in it
  const auto at = std::size_t(step_);
  ms_[at] = ms_[at] == 0 ? ms : ms_[at] * 0.5 + ms * 0.5;
  if (++stayed_ >= kForget && step_ < kSteps) {  // what is drawn may have become cheaper
    ms_[at + 1] = 0;
    stayed_ = 0;
  }
  // The work has a part that grows with the pixels and one that does not (drawing triangles), so
  // what a step saves is measured and not assumed.
  const int before = step_;
  const double above = step_ < kSteps ? ms_[at + 1] : 0, below = ms_[at - 1];
  const double growth = double((step_ + 1) * (step_ + 1)) / double(step_ * step_);
  const bool wasted = above != 0 && ms_[at] >= above * kGain;  // no gain in being coarser
  if (wasted) {
    ++step_;
  } else if (ms_[at] > kMostMs && step_ > 1) {
    if (below == 0 || below < ms_[at] * kGain)
      step_ = ms_[at] > 3 * kMostMs ? std::max(1, step_ * 2 / 3) : step_ - 1;
  } else if (step_ < kSteps && (above != 0 ? above : ms_[at] * growth) <= kMostMs) {
    ++step_;
  }
  if (step_ != before) stayed_ = 0;
}

}  // namespace fathom::viewer
