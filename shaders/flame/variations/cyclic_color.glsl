// SPDX-License-Identifier: BSD-3-Clause
// cyclic_color: Leaves the point alone; its color moves along the palette, and begins again (JWildfire's color type).
// Beside JWildfire: not compared
// Number 389: sets color
// Parameters: by 0.1 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cyclic_color(Point p, float w, float by) {
  turnColor(by, w);
  return vec2(0.0, 0.0);
}
