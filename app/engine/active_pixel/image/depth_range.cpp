// SPDX-License-Identifier: BSD-3-Clause
// Linear both ways in double precision; depths below 1 stay below 1 after rounding.
#include "app/engine/active_pixel/image/depth_range.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace fathom::active_pixel {

float DepthRange::depthOf(float z) const {
  if (!(double(z) < far)) return 1;
  const auto depth = float((double(z) - near) / (far - near));
  return std::min(depth, std::nextafter(1.0f, 0.0f));
}

float DepthRange::zOf(float depth) const {
  if (!(depth < 1)) return std::numeric_limits<float>::infinity();
  return float(near + double(depth) * (far - near));
}

DepthRange losslessRange(std::span<const float> z) {
  double farthest = 0;
  for (const float value : z)
    if (std::isfinite(value)) farthest = std::max(farthest, double(value));
  DepthRange range;
  while (range.far <= farthest) range.far *= 2;
  return range;
}

std::optional<DepthRange> parseDepthRange(const std::string& text) {
  DepthRange range;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.near);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ',') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, range.far);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  if (!std::isfinite(range.near) || !std::isfinite(range.far) || !(range.near < range.far))
    return std::nullopt;
  return range;
}

}  // namespace fathom::active_pixel
