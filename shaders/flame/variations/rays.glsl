// SPDX-License-Identifier: BSD-3-Clause
// rays: Rays from the middle.
// Number 44
#include "shaders/flame/chaos/point.glsl"

vec2 variation_rays(Point p, float w) {
  float angle = kPi * w * unit();
  float t = w * tangent(angle) * w / (p.r2 + kEps);
  return t * vec2(cosine(p.xy.x), sine(p.xy.y));
}
