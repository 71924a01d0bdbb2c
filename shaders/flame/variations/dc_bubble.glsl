// SPDX-License-Identifier: BSD-3-Clause
// dc_bubble: bubble, colored by where the sum goes.
// Number 424: makes z, sets color, reads the sum
// Parameters: centerx 0 (-3 to 3), centery 0 (-3 to 3), scale 1 (-3 to 3), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_dc_bubble(Point p, float w, float centerx, float centery, float scale,
                         float invert) {
  float r = 0.25 * p.r2 + 1.0, k = w / r;
  vec2 at = sumBefore() + k * p.xy + vec2(centerx, centery);
  float shade = abs(dot(at, at) / (scale == 0.0 ? 0.00001 : scale));
  setColor(shade - floor(shade), w);
  return vec3(k * p.xy.x, k * p.xy.y, w * (2.0 / (invert == 1.0 ? k : r) - 1.0));
}
