// SPDX-License-Identifier: BSD-3-Clause
// circus: Scaled within the unit circle, the other way without.
// Number 245
// Parameters: scale 0.92 (0.1 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_circus(Point p, float w, float scale) {
  float x = p.xy.x, y = p.xy.y;
  return w * (x * x + y * y <= 1.0 ? scale : 1.0 / scale) * vec2(x, y);
}
