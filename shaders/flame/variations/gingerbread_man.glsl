// SPDX-License-Identifier: BSD-3-Clause
// gingerbread_man: Devaney's gingerbread man: an orbit of its own.
// Number 374: orbits, assigns
#include "shaders/flame/chaos/point.glsl"

vec2 variation_gingerbread_man(Point p, float w) {
  vec2 at = orbitOr(vec2(-0.1, 0.0));
  vec2 to = vec2(1.0 - at.y + abs(at.x), at.x);
  setOrbit(to, w);
  return w * to;
}
