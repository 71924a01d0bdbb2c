// SPDX-License-Identifier: BSD-3-Clause
// threeply: Three-ply of Peters: an orbit of its own, drawn a thousand times smaller.
// Number 373: orbits, assigns
// Parameters: a -55 (-100 to 100), b -1 (-3.15 to 3.15), c -42 (-200 to 200)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_threeply(Point p, float w, float a, float b, float c) {
  vec2 at = orbitOr(vec2(0.0, 0.0));
  float side = at.x > 0.0 ? 1.0 : at.x < 0.0 ? -1.0 : 0.0;
  float away = abs(sineWide(at.x) * cosineWide(b) + c - at.x * sineWide(a + b + c));
  vec2 to = vec2(at.y - side * away, a - at.x);
  setOrbit(to, w);
  return 0.001 * w * to;
}
