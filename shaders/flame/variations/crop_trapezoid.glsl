// SPDX-License-Identifier: BSD-3-Clause
// crop_trapezoid: Hides what lies outside of a trapezoid, or inside of it.
// Number 366: hides, assigns, adds z after
// Parameters: Base_Sup. 0.5 (0 to 3), Base_Inf. 0.2 (0 to 3), height 0.5 (0 to 3),
//   invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/shapes.glsl"

vec2 variation_crop_trapezoid(Point p, float w, float base, float top, float height, float invert) {
  float px = p.xy.x, py = p.xy.y;
  float x = abs(px), slant = top - base;
  float share = ((top - x) * slant + (height - py) * 2.0 * height) /
                max(slant * slant + 4.0 * height * height, 1e-20);
  float beyond = x - top + slant * max(0.0, min(share, 1.0));
  bool within = beyond < 0.0 && abs(py) < height;
  bool inside = within == (nearestOf(invert) == 0.0);
  setHidden(!inside, w);
  return w * keptWithin(inside, vec2(px, py));
}
