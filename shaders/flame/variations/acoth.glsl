// SPDX-License-Identifier: BSD-3-Clause
// acoth: Inverse coth of x + iy, axes swapped.
// Number 235
#include "shaders/flame/chaos/point.glsl"

vec2 variation_acoth(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float far = (x + 1.0) * (x + 1.0) + y * y, near = (x - 1.0) * (x - 1.0) + y * y;
  return w / kPi * vec2(angleOf(-2.0 * y, x * x + y * y - 1.0), 0.5 * (logOf(far) - logOf(near)));
}
