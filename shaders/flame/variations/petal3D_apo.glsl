// SPDX-License-Identifier: BSD-3-Clause
// petal3D_apo: A petal with a height.
// Number 385: makes z
// Parameters: width 1 (-3 to 3), Zshape 0.25 (-2 to 2), scale1 0.25 (-3 to 3),
//   scale2 0.25 (-3 to 3), style 0 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_petal3D_apo(Point p, float w, float width, float lift, float scale1, float scale2,
                           float style) {
  float px = p.xy.x, py = p.xy.y;
  float a = cosine(px), bx = a * cosine(py), by = sine(px) * cosine(py);
  float x = w * a * bx * bx * bx, y = w * a * by * by * by * width;
  float squeeze = abs(scale1) > 1.0 ? abs(scale1) - 1.0 : 0.0;
  float wave = -0.5 * sine(px * scale1 * kPi) + 0.5 * px * squeeze;
  float tall = wave + sine(abs(py * scale2 * kPi)), flat_one = wave + 0.5 * y * scale2;
  float share = 1.0 - 2.0 * style * style;
  float z = share * tall + (style < 0.0 ? -1.0 : 1.0) * (1.0 - share) * flat_one;
  z = abs(style) > 0.70710678 ? (style < 0.0 ? -flat_one : flat_one) : style == 0.0 ? tall : z;
  return vec3(x, y, w * z * lift);
}
