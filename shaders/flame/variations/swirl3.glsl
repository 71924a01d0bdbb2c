// SPDX-License-Identifier: BSD-3-Clause
// swirl3: Turned by the logarithm of the radius.
// Number 242
// Parameters: shift 0.5 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_swirl3(Point p, float w, float shift) {
  float x = p.xy.x, y = p.xy.y;
  float r = sqrt(x * x + y * y);
  return w * r * direction(angleOf(y, x) + logOf(r) * shift);
}
