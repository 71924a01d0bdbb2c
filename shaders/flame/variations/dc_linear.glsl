// SPDX-License-Identifier: BSD-3-Clause
// dc_linear: The point as it is; its color runs across the sum.
// Number 323: sets color, reads the sum
// Parameters: offset 0 (-2 to 2), angle 0.3 (-3.15 to 3.15), scale 0.8 (0.1 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_dc_linear(Point p, float w, float offset, float angle, float scale) {
  float px = p.xy.x, py = p.xy.y;
  vec2 t = direction(angle), sum = sumBefore() + w * vec2(px, py);
  float along = (t.x * sum.x + t.y * sum.y + offset) / (scale == 0.0 ? 0.00001 : scale);
  float shade = abs(0.5 * (along + 1.0));
  setColor(shade - floor(shade), w);
  return w * vec2(px, py);
}
