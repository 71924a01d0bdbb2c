// SPDX-License-Identifier: BSD-3-Clause
// bubble_wf: bubble, above and below.
// Number 420: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_bubble_wf(Point p, float w) {
  float k = 1.0 / (0.25 * p.r2 + 1.0), z = 2.0 * k - 1.0;
  return w * vec3(k * p.xy.x, k * p.xy.y, unit() < 0.5 ? -z : z);
}
