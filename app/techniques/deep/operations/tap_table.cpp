// SPDX-License-Identifier: BSD-3-Clause
// Weights are computed in double, divided by the sum over all pixels there could be, and kept as
// floats; those outside of the image, which have nothing, are left out.
#include "app/techniques/deep/operations/tap_table.h"

#include <glm/common.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::deep {
namespace {

/// Where a filter lies along one axis of the image.
struct FilterPlace {
  double middle, stretch;
  int low, high;  // pixels of the image: low <= p < high
};

TapTable::Axis axisTaps(PixelFilter filter, const FilterPlace& place, std::vector<float>& weights) {
  TapTable::Axis axis;
  const double far = reachOf(filter) * place.stretch;
  if (!std::isfinite(place.middle) || place.middle + far < place.low - 2.0 ||
      place.middle - far > place.high + 2.0)
    return axis;
  const double begin = std::floor(place.middle - far), end = std::ceil(place.middle + far);
  double sum = 0;
  for (double p = begin; p <= end; ++p)
    sum += weightOf(filter, (p + 0.5 - place.middle) / place.stretch);
  if (!(sum > 0)) return axis;
  axis.at = std::uint32_t(weights.size());
  const int first = int(std::max<double>(begin, place.low)),
            last = int(std::min<double>(end, place.high - 1.0));
  for (int p = first; p <= last; ++p) {
    const auto weight =
        float(weightOf(filter, (p + 0.5 - place.middle) / place.stretch) / sum);
    if (axis.count == 0 && !(weight > 0)) continue;
    if (axis.count == 0) axis.first = p;
    weights.push_back(weight);
    ++axis.count;
  }
  while (axis.count > 0 && !(weights.back() > 0)) weights.pop_back(), --axis.count;
  return axis;
}

}  // namespace

bool isSeparable(const Resampling& how) {
  const glm::dmat3& m = how.toSource;
  return m[0][1] == 0 && m[1][0] == 0 && m[0][2] == 0 && m[1][2] == 0;
}

void fillTaps(const Resampling& how, const Rect& sourceWindow, const Rect& region, TapTable& out) {
  out.region = region;
  out.separable = isSeparable(how);
  out.x.clear(), out.y.clear(), out.weights.clear();
  const auto add = [&](int x, int y, bool alongX, bool alongY) {
    const FilterAt at = filterAt(how, x, y);
    if (alongX)
      out.x.push_back(axisTaps(
          how.filter, {at.middle.x, at.stretch.x, sourceWindow.x, sourceWindow.right()}, out.weights));
    if (alongY)
      out.y.push_back(axisTaps(
          how.filter, {at.middle.y, at.stretch.y, sourceWindow.y, sourceWindow.bottom()}, out.weights));
  };
  if (out.separable) {
    for (int x = region.x; x < region.right(); ++x) add(x, region.y, true, false);
    for (int y = region.y; y < region.bottom(); ++y) add(region.x, y, false, true);
  } else {
    for (int y = region.y; y < region.bottom(); ++y)
      for (int x = region.x; x < region.right(); ++x) add(x, y, true, true);
  }
}

}  // namespace fathom::deep
