// SPDX-License-Identifier: BSD-3-Clause
// The linear map between times and pixels, and the limits of zooming it.
#include "app/engine/flame/film/ruler.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {
constexpr double kMinFrames = 4, kMaxVisibleFrames = 1e6, kStillFrames = 100;
}

void Ruler::fit(double first, double last) {
  const double length = last - first;
  low_ = first - std::max(1.0, 0.02 * length);
  high_ = length > 0 ? last + std::max(3.0, 0.08 * length) : first + kStillFrames;
}

void Ruler::place(float x, float width) {
  x_ = x;
  width_ = std::max(width, 1.0f);
}

double Ruler::timeAt(float x) const {
  return low_ + double(x - x_) / double(width_) * (high_ - low_);
}

float Ruler::xAt(double time) const { return x_ + float((time - low_) / (high_ - low_)) * width_; }

void Ruler::zoomAt(float x, double factor) {
  const double at = timeAt(x), length = high_ - low_;
  const double next = std::clamp(length / factor, kMinFrames, kMaxVisibleFrames);
  low_ = at - (at - low_) * next / length;
  high_ = low_ + next;
}

void Ruler::pan(float pixels) {
  const double frames = double(pixels) / double(width_) * (high_ - low_);
  low_ -= frames;
  high_ -= frames;
}

void Ruler::show(double time) {
  const double length = high_ - low_, margin = 0.02 * length;
  if (time < low_ + margin) low_ = time - margin;
  if (time > high_ - margin) low_ = time + margin - length;
  high_ = low_ + length;
}

double Ruler::step(float pixels) const {
  const double minStep = double(pixels) / double(width_) * (high_ - low_);
  double step = 1;
  while (step < minStep)
    for (const double more : {2.0, 2.5, 2.0})
      if (step < minStep) step *= more;
  return std::round(step);
}

}  // namespace fathom::flame
