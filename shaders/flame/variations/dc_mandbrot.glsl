// SPDX-License-Identifier: BSD-3-Clause
// dc_mandbrot: An image of the Mandelbrot set, seen through folds and inversions of the plane.
// Number 432: makes z, sets color, sets full color, reads the sum
// Parameters: nIters 250 (1 to 500), N 8 (0 to 20), Complexity 0.995 (0 to 2),
//   seed 10000 (0 to 20000), time 0 (0 to 100), zoom 4 (0.1 to 20), red 0.0314 (0 to 1),
//   green 0.02 (0 to 1), blue 0.011 (0 to 1), ColorOnly 0 (0 to 1), Gradient 0 (0 to 2),
//   scale_z 0 (-2 to 2), offset_z 0 (-2 to 2), reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/point.glsl"

vec3 variation_dc_mandbrot(Point p, float w, float nIters, float N, float Complexity, float seed,
                           float time, float zoom, float red, float green, float blue,
                           float color_only, float gradient, float scale_z, float offset_z,
                           float reset_z) {
  vec2 at = imagePlace(p, color_only, 1.0), c = zoom * at, t = sinCos(time * 10.0 / 65.0);
  float turned = time * 10.0 / 65.0, turns = turned * 1e-4;
  c *= (turns - floor(turns)) * 100.0 + 1.0;
  float size = 0.5;
  for (int i = 0; i < 20; ++i) {
    if (float(i) >= nearestOf(N)) break;
    vec2 folded = abs(c) / dot(c, c) - size;
    c = vec2(folded.x * t.y + folded.y * t.x, folded.y * t.y - folded.x * t.x);
    size *= Complexity;
  }
  c *= powOf(1.5, -31.0 * (0.5 * sine(0.1 * turned + 99.0) + 0.5));
  c += vec2(-1.002029, 0.303864);
  vec2 z = c;
  float path = 0.0;
  vec3 color = vec3(1.0, 1.0, 1.0);
  for (int i = 0; i < 500; ++i) {
    if (float(i) >= nearestOf(nIters)) break;
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    float far = length(z);
    path += far + 0.5;
    if (far > 2.0) {
      color -= vec3(sineWide(path * red), sineWide(path * green), sineWide(path * blue));
      break;
    }
  }
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
