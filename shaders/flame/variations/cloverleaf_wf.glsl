// SPDX-License-Identifier: BSD-3-Clause
// cloverleaf_wf: A clover leaf.
// Number 209
// Parameters: filled 0.85 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cloverleaf_wf(Point p, float w, float filled) {
  float x = p.xy.x, y = p.xy.y;
  float a = angleOf(x, y);
  float radius = sine(2.0 * a) + 0.25 * sine(6.0 * a);
  if (filled > 0.0 && filled > unit()) radius *= unit();
  return w * radius * vec2(sine(a), cosine(a));
}
