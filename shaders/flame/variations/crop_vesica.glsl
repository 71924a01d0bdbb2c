// SPDX-License-Identifier: BSD-3-Clause
// crop_vesica: Hides what lies outside of two circles' common part, or inside of it.
// Number 368: hides, assigns, adds z after
// Parameters: width 0.2 (-0.8 to 1), height 0.1 (-1 to 1), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/shapes.glsl"

vec2 variation_crop_vesica(Point p, float w, float width, float height, float invert) {
  float px = p.xy.x, py = p.xy.y;
  float r = 1.0 + height, d = 0.8 + width, x = abs(px), y = abs(py);
  float tip = sqrt(max(r * r - d * d, 0.0));
  bool within = (y - tip) * d > x * tip && r * r >= d * d ? x == 0.0 && y == tip
                                                          : sqrt((x + d) * (x + d) + y * y) <= r;
  bool inside = within == (nearestOf(invert) == 0.0);
  setHidden(!inside, w);
  return w * keptWithin(inside, vec2(px, py));
}
