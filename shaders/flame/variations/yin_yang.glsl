// SPDX-License-Identifier: BSD-3-Clause
// yin_yang: The disc becomes the two halves of the sign.
// Number 260
// Parameters: radius 0.5 (0 to 1), ang1 0 (-2 to 2), ang2 0 (-2 to 2), dual_t 1 (0 to 1),
//   outside 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_yin_yang(Point p, float w, float radius, float ang1, float ang2, float dual_t,
    float outside) {
  float x = p.xy.x, y = p.xy.y;
  if (x * x + y * y >= 1.0) return outside == 1.0 ? w * vec2(x, y) : vec2(0.0, 0.0);
  bool second = dual_t == 1.0 && unit() > 0.5;
  float s = second ? -w : w, big = second ? 1.0 - radius : radius;
  vec2 t = direction(kPi * (second ? ang2 : ang1));
  float a = x * t.x - y * t.y, b = x * t.y + y * t.x;
  if (b <= 0.0) return s * vec2(a * (1.0 - big) + big, b * (1.0 - big));
  float half_width = sqrt(max(1.0 - b * b, 0.0)), share = 0.5 * (1.0 - a / half_width);
  float k = share * big + 1.0 - share, up = 2.0 * b * sqrt(half_width / (1.0 + half_width));
  return s * vec2((2.0 * half_width - 1.0) * k + share * (big - 1.0), up * k);
}
