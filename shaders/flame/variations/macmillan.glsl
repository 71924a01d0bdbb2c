// SPDX-License-Identifier: BSD-3-Clause
// macmillan: McMillan's map: an orbit of its own, every second step of it.
// Number 376: makes z, orbits
// Parameters: a 1.6 (-3 to 3), b 0.4 (-3 to 3), startx 0.1 (-3 to 3), starty 0.1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_macmillan(Point p, float w, float a, float b, float startx, float starty) {
  vec2 at = orbitOr(vec2(startx, starty));
  float x = at.y;
  float y = -at.x + 2.0 * a * (x / (1.0 + x * x)) + b * x;
  vec2 to = vec2(y, -x + 2.0 * a * (y / (1.0 + y * y)) + b * y);
  if (inOrder() && (isBad(to.x) || isBad(to.y))) to = vec2(kNotANumber, kNotANumber);  // for good
  setOrbit(to, w);
  return w * vec3(to.x, to.y, 0.0);
}
