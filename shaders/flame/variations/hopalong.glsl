// SPDX-License-Identifier: BSD-3-Clause
// hopalong: Martin's attractor: an orbit of its own, whatever the point.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_hopalong(Point p, float w, float random, float a, float b, float c, float startx,
                        float starty) {
  vec2 at = orbitOr(vec2(startx, starty));
  float side = at.x > 0.0 ? 1.0 : at.x < 0.0 ? -1.0 : 0.0;
  vec2 to = vec2(at.y - side * sqrt(abs(b * at.x - c)), a - at.x);
  setOrbit(to, w);
  return w * to;
}
