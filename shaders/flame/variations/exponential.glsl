// SPDX-License-Identifier: BSD-3-Clause
// exponential: The exponential of x - 1 + i pi y.
// Number 18
#include "shaders/flame/chaos/point.glsl"

vec2 variation_exponential(Point p, float w) {
  return w * exp(p.xy.x - 1) * direction(kPi * p.xy.y);
}
