// SPDX-License-Identifier: BSD-3-Clause
// bubble: The plane onto a sphere seen from above.
// Number 28: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_bubble(Point p, float w) {
  float k = 1.0 / (0.25 * p.r2 + 1);
  return w * vec3(k * p.xy.x, k * p.xy.y, 2.0 * k - 1.0);
}
