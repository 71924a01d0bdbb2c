// SPDX-License-Identifier: BSD-3-Clause
// crop_x: Hides what lies outside of an X with round ends, or inside of it.
// Beside JWildfire: post_crop_x has parameters of other names there, and adds the z from before the
//   variations
// Number 369: hides, assigns
// Parameters: radius 0.1 (0 to 1), w 0.5 (0 to 3), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_crop_x(Point p, float w, float radius, float size, float invert) {
  float px = p.xy.x, py = p.xy.y;
  float x = abs(px), y = abs(py), to = 0.5 * min(x + y, size);
  bool within = sqrt((x - to) * (x - to) + (y - to) * (y - to)) <= radius;
  setHidden(within != (nearestOf(invert) == 0.0), w);
  return w * vec2(px, py);
}
