// SPDX-License-Identifier: BSD-3-Clause
// waffle: A waffle.
// Number 212: adds
// Parameters: slices 6 (1 to 20), xthickness 0.5 (0 to 1), ythickness 0.5 (0 to 1),
//   rotation 0 (-3.15 to 3.15)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waffle(Point p, float w, float slices, float xthickness, float ythickness, float
        rotation) {
  float kind = trunc(5.0 * unit());
  float i = trunc(slices * unit());
  float j = trunc(slices * unit());
  float u = unit();
  float v = unit();
  float a = (i + u) / slices;
  float b = (j + v) / slices;
  if (kind == 0.0) { a = (i + u * xthickness) / slices; b = (j + v * ythickness) / slices; }
  if (kind == 1.0) b = (j + ythickness) / slices;
  if (kind == 2.0) a = (i + xthickness) / slices;
  if (kind == 3.0) { a = u; b = (j + ythickness + v * (1.0 - ythickness)) / slices; }
  if (kind == 4.0) { a = (i + xthickness + u * (1.0 - xthickness)) / slices; b = v; }
  vec2 d = w * direction(rotation);
  return vec2(d.x * a + d.y * b, d.x * b - d.y * a);
}
