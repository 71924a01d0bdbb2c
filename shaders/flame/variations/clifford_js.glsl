// SPDX-License-Identifier: BSD-3-Clause
// clifford_js: Clifford's attractor.
// Number 188
// Parameters: a -1.4 (-7 to 7), b 1.6 (-7 to 7), c 1 (-7 to 7), d 0.7 (-7 to 7)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_clifford_js(Point p, float w, float a, float b, float c, float d) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec2(sineWide(a * y) + c * cosineWide(a * x), sineWide(b * x) + d * cosineWide(b * y));
}
