// SPDX-License-Identifier: BSD-3-Clause
// sym_bg6: Symmetry of a band: mirrors across and along it.
// Number 285
// Parameters: stepx 0 (-3 to 3), stepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_bg6(Point p, float w, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float drawn = isometryDrawn(4.0);
  float u = drawn == 1.0 || drawn == 3.0 ? -1.0 : 1.0, v = drawn < 1.5 ? 1.0 : -1.0;
  return w * vec2(u * (px - 1.0 - 0.5 * stepx), v * (py - 0.5) - u * 0.5 * stepy);
}
