// SPDX-License-Identifier: BSD-3-Clause
// curl: z / (1 + c1 z + c2 z^2).
// Number 39
// Parameters: c1 1 (-3 to 3), c2 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_curl(Point p, float w, float c1, float c2) {
  float x = p.xy.x, y = p.xy.y;
  bool after = inOrder() && acting() > 0;  // post_curl of JWildfire: the weight is of c1 and c2
  if (after) {
    c1 *= w;
    c2 *= w;
    w = 1.0;
  }
  float u = 1 + c1 * x + c2 * (x * x - y * y), v = c1 * y + 2 * c2 * x * y;
  return w / (u * u + v * v) * vec2(x * u + y * v, y * u - x * v);
}
