// SPDX-License-Identifier: BSD-3-Clause
// inflateZ_5: Adds to z alone: a half wave around the axis.
// Number 139: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_inflateZ_5(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return vec3(0.0, 0.0, w * 0.5 * sine(angleOf(y, x)));
}
