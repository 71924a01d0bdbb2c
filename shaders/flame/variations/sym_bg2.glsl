// SPDX-License-Identifier: BSD-3-Clause
// sym_bg2: Symmetry of a band: a shift and a mirror.
// Number 281
// Parameters: stepx 0 (-3 to 3), stepy 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/isometries.glsl"

vec2 variation_sym_bg2(Point p, float w, float stepx, float stepy) {
  float px = p.xy.x, py = p.xy.y;
  bool first = isometryDrawn(2.0) < 0.5;
  return w * (first ? vec2(px - 1.0 - 0.5 * stepx, py - 0.5 * stepy)
                    : vec2(px + 0.5 * stepx, 1.0 + 0.5 * stepy - py));
}
