// SPDX-License-Identifier: BSD-3-Clause
// sym_bg5: Symmetry of a band: a mirror along it.
// Number 284
// Parameters: stepx 0 (-3 to 3), stepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_bg5(Point p, float w, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  float side = isometryDrawn(2.0) < 0.5 ? 1.0 : -1.0;
  return w * vec2(px - 1.0 - side * 0.5 * stepx, side * (py - 0.5 - 0.5 * stepy));
}
