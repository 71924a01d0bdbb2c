// SPDX-License-Identifier: BSD-3-Clause
// woggle_js: Shrunken turns around the corners of a polygon.
// Number 315
// Parameters: m 2 (2 to 25)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_woggle_js(Point p, float w, float m) {
  float px = p.xy.x, py = p.xy.y;
  float count = max(nearestOf(m), 1.0), r = sqrt(1.25 * count);
  float which = min(floor(count * unit()), count - 1.0);
  float ra = 1.0 / sqrt(3.0 * (px * px + py * py)), angle = kTwoPi * which / count;
  vec2 corner = direction(angle);
  float side = which - 2.0 * floor(0.5 * which) < 0.5 ? -1.0 : 1.0;
  return w * vec2((side * px + ra * py) / r + corner.x, (side * py - ra * px) / r + corner.y);
}
