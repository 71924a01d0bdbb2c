// SPDX-License-Identifier: BSD-3-Clause
// dc_menger: An image of a carpet of Sierpinski.
// Number 435: makes z, sets color, sets full color, reads the sum
// Parameters: zoom 1 (0.1 to 10), level 3 (0 to 8), ColorOnly 0 (0 to 1), Gradient 0 (0 to 2),
//   scale_z 0 (-2 to 2), offset_z 0 (-2 to 2), reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/point.glsl"

vec3 variation_dc_menger(Point p, float w, float zoom, float level, float color_only,
                         float gradient, float scale_z, float offset_z, float reset_z) {
  vec2 at = imagePlace(p, color_only, 1.0), q = 1.3 * zoom * at;
  bool isHole = max(abs(q.x), abs(q.y)) > 1.0;
  float size = 1.0;
  for (int i = 0; i < 8; ++i) {
    if (float(i) >= nearestOf(level)) break;
    vec2 a = size * q;
    a = abs(1.0 - 3.0 * abs(a - 2.0 * floor(0.5 * a) - 1.0));
    isHole = isHole || min(a.x, a.y) > 1.0;
    size *= 3.0;
  }
  float shade = isHole ? 0.0 : 1.0;
  vec3 color = vec3(shade, shade, shade);
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
