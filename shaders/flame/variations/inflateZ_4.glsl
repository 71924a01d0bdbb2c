// SPDX-License-Identifier: BSD-3-Clause
// inflateZ_4: A height by the angle, up or down by chance.
// Number 316: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_inflateZ_4(Point p, float w) {
  float px = p.xy.x, py = p.xy.y;
  float height = 0.5 * kPi - angleOf(py, px);
  return vec3(0.0, 0.0, 0.25 * w * (unit() < 0.5 ? -height : height));
}
