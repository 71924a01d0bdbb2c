// SPDX-License-Identifier: BSD-3-Clause
// crop_rhombus: Hides what lies outside of a rhombus, or inside of it.
// Number 364: hides, assigns, adds z after
// Parameters: width 0.5 (0 to 3), height 0.5 (0 to 3), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/shapes.glsl"

vec2 variation_crop_rhombus(Point p, float w, float width, float height, float invert) {
  float px = p.xy.x, py = p.xy.y;
  bool within = abs(px) * height + abs(py) * width <= width * height;
  bool inside = within == (nearestOf(invert) == 0.0);
  setHidden(!inside, w);
  return w * keptWithin(inside, vec2(px, py));
}
