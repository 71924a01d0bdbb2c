// SPDX-License-Identifier: BSD-3-Clause
// sattractor_js: A step towards a corner of a polygon, or a bent turn.
// Number 314
// Parameters: m 10 (2 to 18)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_sattractor_js(Point p, float w, float m) {
  float px = p.xy.x, py = p.xy.y;
  float count = max(nearestOf(m), 1.0);
  vec2 t = direction(kTwoPi * (min(floor(unit() * count), count - 1.0) + 1.0) / count);
  if (unit() < 0.5) return 0.5 * w * vec2(0.5 * px + t.x, 0.5 * py + t.y);
  return 0.5 * w * vec2(px * t.x + py * t.y + px * px * t.y, py * t.x - px * t.y + px * px * t.x);
}
