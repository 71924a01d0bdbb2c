// SPDX-License-Identifier: BSD-3-Clause
// crop_x: Hides what lies outside of an X with round ends, or inside of it.
// Number 369: hides, assigns, adds z after
// Parameters: radius 0.1 (0 to 1), w 0.5 (0 to 3), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_crop_x(Point p, float w, float radius, float size, float invert) {
  float px = p.xy.x, py = p.xy.y;
  float x = abs(px), y = abs(py), to = 0.5 * min(x + y, clamp(size, 0.0, 1.0));
  bool within = sqrt((x - to) * (x - to) + (y - to) * (y - to)) <= radius;
  bool hides = within != (nearestOf(invert) == 0.0);
  setHidden(hides, w);
  return hides && acting() > 0 ? vec2(0.0, 0.0) : w * vec2(px, py);
}
