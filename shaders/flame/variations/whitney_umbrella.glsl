// SPDX-License-Identifier: BSD-3-Clause
// whitney_umbrella: Whitney's umbrella.
// Number 131: makes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_whitney_umbrella(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec3(x * y, x, y * y);
}
