// SPDX-License-Identifier: BSD-3-Clause
// Steps of resolution, chosen by measured times: the next step up when it would be fast enough, the
// next one down when the current one is too slow and a coarser one saves something.
#include "app/window/document/resolution.h"

#include <cmath>
#include <limits>

namespace fathom::viewer {
namespace {
constexpr std::chrono::milliseconds kPause{150};
constexpr double kFixedShare =
    0.5;  // share of the time that is independent of the pixels, until measured
constexpr double kGain = 0.88;  // a coarser picture must take less than this share of the time
constexpr int kRetry = 12;      // pictures until the next step up is tried again
}  // namespace

void Resolution::moved(Time now) { restAt_ = now + kPause; }

double Resolution::next() {
  previewStep_ = step_;
  scale_ = kScales[step_];
  return scale_;
}

void Resolution::measured(std::size_t step, double ms) {
  double& here = ms_[step];
  here = here == 0 ? ms : here * 0.5 + ms * 0.5;
  if (step != step_) return;                   // begun before the step changed
  if (++stayed_ >= kRetry && step_ < kFull) {  // rendering may have become cheaper
    ms_[step_ + 1] = 0;
    stayed_ = 0;
  }
  // Some of the work grows with the pixels and some does not (drawing triangles), so what a step
  // saves is measured, not assumed.
  const std::size_t before = step_;
  double above = std::numeric_limits<double>::infinity();
  bool wasted = false;  // the coarser picture saved nothing
  if (step_ < kFull) {
    const double growth = std::pow(kScales[step_ + 1] / kScales[step_], 2);
    const double known = ms_[step_ + 1];
    above = known != 0 ? known : here * (kFixedShare + (1 - kFixedShare) * growth);
    wasted = known != 0 && here >= known * kGain;
  }
  if (wasted || above <= maxMs_) {
    ++step_;
  } else if (here > maxMs_ && step_ > 0) {
    const double below = ms_[step_ - 1];
    if (below == 0 || below < here * kGain) --step_;
  }
  if (step_ != before) stayed_ = 0;
}

}  // namespace fathom::viewer
