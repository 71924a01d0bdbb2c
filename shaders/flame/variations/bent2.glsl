// SPDX-License-Identifier: BSD-3-Clause
// bent2: As bent, with factors.
// Number 54
// Parameters: x 1 (-3 to 3), y 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bent2(Point p, float w, float x, float y) {
  return w * vec2(p.xy.x < 0 ? p.xy.x * x : p.xy.x, p.xy.y < 0 ? p.xy.y * y : p.xy.y);
}
