// SPDX-License-Identifier: BSD-3-Clause
// boarders2: boarders with widths.
// Number 201
// Parameters: c 0.4 (0.01 to 1), left 0.65 (0.01 to 2), right 0.35 (0.01 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_boarders2(Point p, float w, float c, float left, float right) {
  float x = p.xy.x, y = p.xy.y;
  float ac = c == 0.0 ? 1e-10 : abs(c), al = left == 0.0 ? 1e-10 : abs(left), ar = right == 0.0 ?
      1e-10 : abs(right);
  float cl = ac * al, cr = ac + ac * ar;
  float cx = roundEven(x), cy = roundEven(y), dx = x - cx, dy = y - cy;
  vec2 q = vec2(dx * ac + cx, dy * ac + cy);
  if (unit() >= cr) return w * q;
  if (abs(dx) >= abs(dy)) return w * (q + (dx >= 0.0 ? cl : -cl) * vec2(1.0, dy / dx));
  return w * (q + (dy >= 0.0 ? cl : -cl) * vec2(dx / dy, 1.0));
}
