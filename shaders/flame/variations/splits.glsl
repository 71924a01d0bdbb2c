// SPDX-License-Identifier: BSD-3-Clause
// splits: Moves the quarters of the plane apart.
// Number 75
// Parameters: x 0 (-2 to 2), y 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_splits(Point p, float w, float x, float y) {
  return w * (p.xy + vec2(p.xy.x >= 0 ? x : -x, p.xy.y >= 0 ? y : -y));
}
