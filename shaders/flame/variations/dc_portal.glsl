// SPDX-License-Identifier: BSD-3-Clause
// dc_portal: An image of rings of metal.
// Beside JWildfire: z is not passed on where variations keep it
// Number 436: makes z, sets color, sets full color, reads the sum, assigns
// Parameters: seed 1000 (0 to 10000), time 0 (0 to 100), waves 5 (0.1 to 20),
//   zoom 15 (0.1 to 40), ColorOnly 0 (0 to 1), Gradient 0 (0 to 2), scale_z 0 (-2 to 2),
//   offset_z 0 (-2 to 2), reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/point.glsl"

vec3 variation_dc_portal(Point p, float w, float seed, float time, float waves, float zoom,
                         float color_only, float gradient, float scale_z, float offset_z,
                         float reset_z) {
  vec2 at = imagePlace(p, color_only, 1.0), q = zoom * at;
  float t = 1000.0 + time, d = 1.0 + sqrt(length(q)) / waves;
  float wave = 3.0 * sineWide(d * t + 0.125 * t * cosine(q.x) * cosine(q.y)), size = abs(wave);
  vec3 color = wave > 0.0 ? vec3(size - 1.0, size - 1.5, size - 2.0)
                          : vec3(size - 1.5, size - 1.5, size - 1.5);
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
