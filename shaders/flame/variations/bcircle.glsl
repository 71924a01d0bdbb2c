// SPDX-License-Identifier: BSD-3-Clause
// bcircle: The unit disc; what lies outside goes to a border, or to the origin.
// Beside JWildfire: not compared
// Number 409
// Parameters: scale 1 (-3 to 3), borderwidth 0 (0 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bcircle(Point p, float w, float scale, float borderwidth) {
  vec2 at = scale * p.xy;
  float ring = 1.0 + 0.2 * abs(borderwidth) * unit();
  if (dot(at, at) <= 1.0) return w * at;
  return borderwidth == 0.0 ? vec2(0.0, 0.0) : w * ring / length(at) * at;
}
