// SPDX-License-Identifier: BSD-3-Clause
// Weights are computed in double, divided by the sum over all pixels there could be, and kept as
// floats; those outside of the image, which have nothing, are left out.
#include "app/engine/deep/operations/tap_table.h"

#include <glm/common.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom::deep {
namespace {

/// Where a filter lies along one axis of the image.
struct FilterPlace {
  double middle, stretch;
  int low, high;  // pixels of the image: low <= p < high
};

/// Appends the weights of an axis.
class AxisTaps {
 public:
  AxisTaps(PixelFilter filter, std::vector<float>& weights)
      : filter_(filter), reach_(reachOf(filter)), weights_(weights) {}

  /// Pixels of the image that may be under the filter: first <= p < end.
  std::pair<int, int> rangeOf(const FilterPlace& place) const {
    const double far = reach_ * place.stretch;
    if (!std::isfinite(place.middle) || place.middle + far < place.low - 2.0 ||
        place.middle - far > place.high + 2.0)
      return {0, 0};
    return {std::max(place.low, int(std::floor(place.middle - far))),
            std::min(place.high, int(std::ceil(place.middle + far)) + 1)};
  }

  TapTable::Axis add(const FilterPlace& place) {
    TapTable::Axis axis;
    const auto [first, end] = rangeOf(place);
    if (first >= end) return axis;
    // All there could be, those outside of the image too.
    const double far = reach_ * place.stretch, begin = std::floor(place.middle - far),
                 last = std::ceil(place.middle + far);
    double sum = 0;
    own_.clear();
    for (double p = begin; p <= last; ++p) {
      own_.push_back(weightOf(filter_, (p + 0.5 - place.middle) / place.stretch));
      sum += own_.back();
    }
    if (!(sum > 0)) return axis;
    axis.at = std::uint32_t(weights_.size());
    for (int p = first; p < end; ++p) {
      const auto weight = float(own_[std::size_t(p - begin)] / sum);
      if (axis.count == 0 && !(weight > 0)) continue;
      if (axis.count == 0) axis.first = p;
      weights_.push_back(weight);
      ++axis.count;
    }
    while (axis.count > 0 && !(weights_.back() > 0)) weights_.pop_back(), --axis.count;
    return axis;
  }

 private:
  PixelFilter filter_;
  double reach_;
  std::vector<float>& weights_;
  std::vector<double> own_;
};

bool holdsFragments(const DeepImage& image, std::pair<int, int> x, std::pair<int, int> y) {
  for (int row = y.first; x.first < x.second && row < y.second; ++row) {
    const std::size_t at = image.pixelIndex(x.first, row);
    if (image.fragmentOffsets[at] < image.fragmentOffsets[at + std::size_t(x.second - x.first)])
      return true;
  }
  return false;
}

}  // namespace

bool isSeparable(const Resampling& how) {
  const glm::dmat3& m = how.toSource;
  return m[0][1] == 0 && m[1][0] == 0 && m[0][2] == 0 && m[1][2] == 0;
}

void fillTaps(const Resampling& how, const DeepImage& image, const Rect& region, TapTable& out) {
  const Rect& window = image.dataWindow;
  out.region = region;
  out.separable = isSeparable(how);
  out.x.clear(), out.y.clear(), out.weights.clear();
  AxisTaps taps(how.filter, out.weights);
  const auto alongX = [&](const FilterAt& at) {
    return FilterPlace{at.middle.x, at.stretch.x, window.x, window.right()};
  };
  const auto alongY = [&](const FilterAt& at) {
    return FilterPlace{at.middle.y, at.stretch.y, window.y, window.bottom()};
  };
  if (out.separable) {
    for (int x = region.x; x < region.right(); ++x)
      out.x.push_back(taps.add(alongX(filterAt(how, x, region.y))));
    for (int y = region.y; y < region.bottom(); ++y)
      out.y.push_back(taps.add(alongY(filterAt(how, region.x, y))));
    return;
  }
  for (int y = region.y; y < region.bottom(); ++y)
    for (int x = region.x; x < region.right(); ++x) {
      const FilterAt at = filterAt(how, x, y);
      const bool any = holdsFragments(image, taps.rangeOf(alongX(at)), taps.rangeOf(alongY(at)));
      out.x.push_back(any ? taps.add(alongX(at)) : TapTable::Axis());
      out.y.push_back(any ? taps.add(alongY(at)) : TapTable::Axis());
    }
}

}  // namespace fathom::deep
