// SPDX-License-Identifier: BSD-3-Clause
// layered_spiral: A spiral in layers.
// Number 182
// Parameters: radius 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_layered_spiral(Point p, float w, float radius) {
  float x = p.xy.x, y = p.xy.y;
  return w * x * radius * vec2(cosineWide(x * x + y * y + 1e-6), sineWide(x * x + y * y + 1e-6));
}
