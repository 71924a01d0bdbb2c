// SPDX-License-Identifier: BSD-3-Clause
// dc_apollonian: An image of a map of space that turns, folds and inverts, iterated.
// Number 437: makes z, sets color, sets full color, reads the sum
// Parameters: seed 10000 (0 to 20000), time 0 (0 to 100), ColorOnly 0 (0 to 1),
//   Gradient 0 (0 to 2), scale_z 0 (-2 to 2), offset_z 0 (-2 to 2), reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/point.glsl"

vec3 variation_dc_apollonian(Point p, float w, float seed, float time, float color_only,
                             float gradient, float scale_z, float offset_z, float reset_z) {
  vec2 at = imagePlace(p, color_only, 2.0);
  vec2 a = sinCos(0.05 * time + 1.0), b = sinCos(0.05 * time + 2.0), c = sinCos(0.05 * time + 3.0);
  vec3 first = vec3(b.y * c.y, -b.y * c.x, b.x);
  vec3 second = vec3(a.x * b.x * c.y + a.y * c.x, a.y * c.y - a.x * b.x * c.x, -a.x * b.y);
  vec3 third = vec3(a.x * c.x - a.y * b.x * c.y, a.y * b.x * c.x + a.x * c.y, a.y * b.y);
  float grows = 1.2 + 0.1 * sine(0.1 * time);
  vec3 v = (2.0 + 0.25 * sine(0.3 * time)) * 2.0 * (at.x * first + at.y * second);
  for (int i = 0; i < 50; ++i) {
    vec3 turned = grows * (v.x * first + v.y * second + v.z * third);
    v = 2.0 * abs(0.5 * turned / dot(v, v) - 0.5) - 1.0;
  }
  vec3 color = 0.6 * vec3(sineWide(v.x), sineWide(v.y), sineWide(v.z)) + 0.5;
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
