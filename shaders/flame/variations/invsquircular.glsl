// SPDX-License-Identifier: BSD-3-Clause
// invsquircular: A square becomes a circle.
// Number 251
#include "shaders/flame/chaos/point.glsl"

vec2 variation_invsquircular(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float r = x * x + y * y;
  float inner = sqrt(r * (w * w * r - 4.0 * x * x * y * y) / w);
  float k = sqrt(0.5 * (r - inner));
  return vec2(k / x, k / y);
}
