// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/resolution.h"

#include <algorithm>
#include <cmath>

namespace fathom::viewer {
namespace {
constexpr std::chrono::milliseconds kPause{150};
constexpr double kTargetMs = 90;    // a picture in movement: leaves room for the window itself
constexpr double kLeast = 1.0 / 8;  // coarser would not be a picture any more
}  // namespace

void Resolution::moved(Time now) { restAt_ = now + kPause; }

double Resolution::next() {
  // Eighths, so that small changes of the measured time do not change the size.
  scale_ = std::clamp(std::floor(moving_ * 8 + 1e-6) / 8, kLeast, 1.0);
  return scale_;
}

void Resolution::measured(double ms) {
  // Time grows with the pixels at most; part of it does not depend on them, so steps are damped.
  const double wanted = scale_ * std::sqrt(kTargetMs / std::max(ms, 0.1));
  const double step = std::clamp(wanted / scale_, 0.5, 1.5);
  if (step < 0.95 || step > 1.2) moving_ = std::clamp(scale_ * step, kLeast, 1.0);
}

}  // namespace fathom::viewer
