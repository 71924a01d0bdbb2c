// SPDX-License-Identifier: BSD-3-Clause
// rays2: Rays, denser at the middle.
// Number 250: assigns
#include "shaders/flame/chaos/point.glsl"

vec2 variation_rays2(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float t = x * x + y * y;
  float u = 1.0 / cosineWide(t * tangentWide(1.0 / t));
  return 0.1 * w * u * t * vec2(1.0 / x, 1.0 / y);
}
