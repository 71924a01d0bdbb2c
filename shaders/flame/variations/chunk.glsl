// SPDX-License-Identifier: BSD-3-Clause
// chunk: One side of a conic section alone.
// Number 155: may drop z
// Parameters: a 1 (-3 to 3), b 0 (-3 to 3), c 1 (-3 to 3), d 0 (-3 to 3), e 0 (-3 to 3),
//   f -1 (-3 to 3), mode 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_chunk(Point p, float w, float a, float b, float c, float d, float e, float f, float
        mode) {
  float x = p.xy.x, y = p.xy.y;
  float s = w * (a * x * x + b * x * y + c * y * y + d * x + e * y + f);
  bool stays = mode == 0.0 ? s <= 0.0 : s > 0.0;
  if (!stays) dropZ();
  return stays ? vec2(x, y) : vec2(0.0, 0.0);
}
