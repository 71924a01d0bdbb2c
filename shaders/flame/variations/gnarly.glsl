// SPDX-License-Identifier: BSD-3-Clause
// gnarly: Twists the disc within each cell of a grid, most in the middle.
// Beside JWildfire: not compared
// Number 405
// Parameters: cellsize 1 (-3 to 3), twist 1 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_gnarly(Point p, float w, float cellsize, float twist) {
  vec2 middle = (floor(p.xy / cellsize) + 0.5) * cellsize, from = p.xy - middle;
  float r2 = 4.0 * dot(from, from) / (cellsize * cellsize);
  if (!(r2 > 0.0 && r2 <= 1.0)) return w * p.xy;
  return w * (middle + rotate(from, -twist * log(r2)));
}
