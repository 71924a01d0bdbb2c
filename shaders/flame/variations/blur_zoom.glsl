// SPDX-License-Identifier: BSD-3-Clause
// blur_zoom: The point, smeared away from a center.
// Number 215
// Parameters: length 0.24 (-3 to 3), x 0.2 (-3 to 3), y -0.1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blur_zoom(Point p, float w, float length, float x, float y) {
  float px = p.xy.x, py = p.xy.y;
  float k = 1.0 + length * unit();
  return w * vec2((px - x) * k + x, (py + y) * k - y);
}
