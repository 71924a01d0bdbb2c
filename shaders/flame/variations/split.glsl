// SPDX-License-Identifier: BSD-3-Clause
// split: Mirrors every other strip.
// Number 74
// Parameters: xsize 0 (-3 to 3), ysize 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

/// The sign of cos(pi v).
float stripSign(float v) { return abs(fract(0.5 * v) - 0.5) >= 0.25 ? 1.0 : -1.0; }

vec2 variation_split(Point p, float w, float xsize, float ysize) {
  return w * p.xy * vec2(stripSign(p.xy.y * ysize), stripSign(p.xy.x * xsize));
}
