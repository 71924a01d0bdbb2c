// SPDX-License-Identifier: BSD-3-Clause
// hopalong: Martin's attractor: an orbit of its own, whatever the point.
// Number 372: makes z, orbits
// Parameters: random 1 (0 to 10000), a 0.75 (-1 to 1), b 0.5 (-1 to 1), c 0.25 (-1 to 1),
//   startx 0 (-1 to 1), starty 0 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_hopalong(Point p, float w, float random, float a, float b, float c, float startx,
                        float starty) {
  vec2 at = orbitOr(vec2(startx, starty));
  float side = at.x > 0.0 ? 1.0 : at.x < 0.0 ? -1.0 : 0.0;
  vec2 to = vec2(at.y - side * sqrt(abs(b * at.x - c)), a - at.x);
  setOrbit(to, w);
  return w * vec3(to.x, to.y, 0.0);
}
