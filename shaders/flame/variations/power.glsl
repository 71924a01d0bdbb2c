// SPDX-License-Identifier: BSD-3-Clause
// power: The radius to the power of sin(theta).
// Number 19
#include "shaders/flame/chaos/point.glsl"

vec2 variation_power(Point p, float w) {
  return w * powOf(p.r, p.sinTheta) * vec2(p.cosTheta, p.sinTheta);
}
