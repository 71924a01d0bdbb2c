// SPDX-License-Identifier: BSD-3-Clause
// hyperbolic: Squeezes one axis, stretches the other.
// Number 10
#include "shaders/flame/chaos/point.glsl"

vec2 variation_hyperbolic(Point p, float w) {
  float r = p.r + kEps;
  return w * vec2(p.sinTheta / r, p.cosTheta * r);
}
