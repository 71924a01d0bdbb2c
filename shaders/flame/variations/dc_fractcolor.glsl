// SPDX-License-Identifier: BSD-3-Clause
// dc_fractcolor: An image of a map of space that folds and inverts, iterated.
// Number 431: makes z, sets color, sets full color, reads the sum
// Parameters: randomize 0 (0 to 10000), time 0 (0 to 100), xpar 0.5 (0 to 1), ypar 0.5 (0 to 1),
//   iters 88 (1 to 200), zoom 1 (0.1 to 10), ColorOnly 0 (0 to 1), Gradient 0 (0 to 2),
//   scale_z 0 (-2 to 2), offset_z 0 (-2 to 2), reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/point.glsl"

vec3 variation_dc_fractcolor(Point p, float w, float randomize, float time, float xpar, float ypar,
                             float iters, float zoom, float color_only, float gradient,
                             float scale_z, float offset_z, float reset_z) {
  vec2 at = imagePlace(p, color_only, 1.0);
  vec3 color = vec3(zoom * at.x, zoom * at.y, 1.5 - xpar + 0.04 * sine(time));
  float most = nearestOf(iters);
  for (int i = 0; i < 200; ++i) {
    if (float(i) >= most) break;
    vec3 folded = color / dot(color, color) - vec3(1.0, 1.0, 0.3 * ypar);
    color = vec3(1.3 * abs(folded.x), 0.777 * abs(folded.z), abs(folded.y));
  }
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
