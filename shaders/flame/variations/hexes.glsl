// SPDX-License-Identifier: BSD-3-Clause
// hexes: Hexagonal cells, each scaled and turned about its middle.
// Number 262: may drop z
// Parameters: cellsize 1 (-3 to 3), power 1 (-3 to 3), rotate 0.166 (-1 to 1), scale 1 (-3 to 3)
#include "shaders/flame/chaos/hexagons.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_hexes(Point p, float w, float cellsize, float power, float rotate, float scale) {
  dropZ();
  if (cellsize == 0.0) return vec2(0.0, 0.0);
  vec3 turned = hexagonTurned(p.xy, cellsize, power, rotate, scale);
  return w * vec2(turned.x, turned.y);
}
