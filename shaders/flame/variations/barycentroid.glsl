// SPDX-License-Identifier: BSD-3-Clause
// barycentroid: Barycentric coordinates.
// Number 252
// Parameters: a 1 (-3 to 3), b 0 (-3 to 3), c 0 (-3 to 3), d 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_barycentroid(Point p, float w, float a, float b, float c, float d) {
  float x = p.xy.x, y = p.xy.y;
  float det = a * d - b * c;
  float u = (d * x - c * y) / det, v = (a * y - b * x) / det;
  float s = u < 0.0 ? -1.0 : u > 0.0 ? 1.0 : 0.0, t = v < 0.0 ? -1.0 : v > 0.0 ? 1.0 : 0.0;
  return w * vec2(s * sqrt(u * u + x * x), t * sqrt(v * v + y * y));
}
