// SPDX-License-Identifier: BSD-3-Clause
// sym_ng7: Symmetry of the plane: a glide.
// Number 293
// Parameters: sepx 0 (-3 to 3), sepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_ng7(Point p, float w, float sepx, float sepy) {
  float px = p.xy.x, py = p.xy.y;
  float v = isometryDrawn(2.0) < 0.5 ? 1.0 : -1.0;
  return w * vec2(px - v * 0.5 * sepx, v * (py + 0.5 * sepy));
}
