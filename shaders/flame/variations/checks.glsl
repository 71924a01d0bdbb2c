// SPDX-License-Identifier: BSD-3-Clause
// checks: A checkerboard of shifts.
// Number 205
// Parameters: x 3 (-10 to 10), y 3 (-10 to 10), size 1 (0.1 to 20), rnd 0.5 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_checks(Point p, float w, float x, float y, float size, float rnd) {
  float px = p.xy.x, py = p.xy.y;
  float scale = 1.0 / (size + 1e-10), sum = roundEven(px * scale) + roundEven(py * scale);
  float u = rnd * unit();
  float v = rnd * unit();
  return sum - 2.0 * floor(0.5 * sum) < 0.5 ? w * vec2(px - x + u, py - y) : w * vec2(px + x, py +
      y + v);
}
