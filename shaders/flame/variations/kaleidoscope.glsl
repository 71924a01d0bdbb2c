// SPDX-License-Identifier: BSD-3-Clause
// kaleidoscope: Halves, pulled apart.
// Number 172
// Parameters: pull 0 (-3 to 3), rotate 1 (-3 to 3), line_up 1 (-3 to 3), x 0 (-3 to 3),
//   y 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_kaleidoscope(Point p, float w, float pull, float rotate, float line_up, float x,
        float y) {
  float px = p.xy.x, py = p.xy.y;
  float c = cosine(45.0), s = sine(45.0);
  float side = py > 0.0 ? pull + line_up + y : -pull - line_up;
  return vec2(rotate * px * c - py * s + line_up + x, rotate * py * c + px * s + side);
}
