// SPDX-License-Identifier: BSD-3-Clause
// epispiral: Arms out of the middle.
// Number 140
// Parameters: n 6 (1 to 20), thickness 0 (0 to 2), holes 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_epispiral(Point p, float w, float n, float thickness, float holes) {
  float x = p.xy.x, y = p.xy.y;
  float a = angleOf(y, x), d = cosine(n * a);
  float u = unit();
  float t = (abs(thickness) > 1e-10 ? u * thickness : 1.0) / d - holes;
  return w * t * direction(a);
}
