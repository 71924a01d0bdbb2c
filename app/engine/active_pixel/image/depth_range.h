// SPDX-License-Identifier: BSD-3-Clause
// Conversion between the Z of pictures (scene units, larger is farther) and the depth that images
// are composited by: 0 near .. 1 far, 1 where nothing is.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace fathom::active_pixel {

struct DepthRange {
  double near = 0, far = 1;

  /// (z - near) / (far - near); 1 for `far` and beyond, and for NaN. What is nearer than `far`
  /// stays below 1.
  float depthOf(float z) const;
  /// The inverse; infinite for depths of 1 and more, where nothing is.
  float zOf(float depth) const;
};

/// 0 to the power of two, at least 1, that is beyond every Z below infinity. Scaling by it keeps
/// all bits (but those of numbers near the smallest), so that Z comes back exactly, and Z within
/// 0..1 stays as it is.
DepthRange losslessRange(std::span<const float> z);

/// "NEAR,FAR" with near < far, both finite; none for anything else.
std::optional<DepthRange> parseDepthRange(const std::string& text);

}  // namespace fathom::active_pixel
