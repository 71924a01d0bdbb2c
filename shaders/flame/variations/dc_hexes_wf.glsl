// SPDX-License-Identifier: BSD-3-Clause
// dc_hexes_wf: hexes, colored by how far from the middle of its cell a point goes.
// Number 394: makes z, sets color
// Parameters: cellsize 1 (0 to 3), power 1 (0 to 3), rotate 0.166 (-1 to 1), scale 1 (0 to 3),
//   color_scale 0.5 (0 to 2), color_offset 0 (-1 to 1)
/// The cell whose middle is nearest.
#include "shaders/flame/chaos/hexagons.glsl"
#include "shaders/flame/chaos/point.glsl"

vec3 variation_dc_hexes_wf(Point p, float w, float cellsize, float power, float rotate, float scale,
                           float color_scale, float color_offset) {
  if (cellsize == 0.0) return vec3(0.0, 0.0, 0.0);
  vec3 turned = hexagonTurned(p.xy, cellsize, power, rotate, scale);
  setColor(turned.z * color_scale + color_offset, w);
  return w * vec3(turned.x, turned.y, 0.0);
}
