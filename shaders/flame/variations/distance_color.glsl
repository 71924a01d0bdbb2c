// SPDX-License-Identifier: BSD-3-Clause
// distance_color: Leaves the point alone; its color follows from how far its xform took it (JWildfire's color type).
// Beside JWildfire: not compared
// Number 326
// Parameters: color 0 (0 to 1), factor 1 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_distance_color(Point p, float w, float color, float factor) {
  return vec2(0.0, 0.0);
}
