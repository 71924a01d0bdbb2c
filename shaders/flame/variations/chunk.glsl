// SPDX-License-Identifier: BSD-3-Clause
// chunk: One side of a conic section alone.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_chunk(Point p, float w, float a, float b, float c, float d, float e, float f, float
        mode) {
  float x = p.xy.x, y = p.xy.y;
  float s = w * (a * x * x + b * x * y + c * y * y + d * x + e * y + f);
  bool stays = mode == 0.0 ? s <= 0.0 : s > 0.0;
  return stays ? vec2(x, y) : vec2(0.0, 0.0);
}
