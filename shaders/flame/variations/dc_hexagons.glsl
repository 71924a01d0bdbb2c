// SPDX-License-Identifier: BSD-3-Clause
// dc_hexagons: An image of hexagons, thicker and thinner by their distance from the middle.
// Number 434: makes z, sets color, sets full color, reads the sum
// Parameters: shape 0 (0 to 1), seed 10000 (0 to 20000), time 0 (0 to 100), zoom 4 (0.1 to 20),
//   ColorOnly 0 (0 to 1), Gradient 0 (0 to 2), scale_z 0 (-2 to 2), offset_z 0 (-2 to 2),
//   reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/point.glsl"

/// A power of the size, with the sign.
float hexagonRoot(float v, float power) {
  return v < 0.0 ? -powOf(-v, power) : powOf(v, power);
}

vec3 variation_dc_hexagons(Point p, float w, float shape, float seed, float time, float zoom,
                           float color_only, float gradient, float scale_z, float offset_z,
                           float reset_z) {
  vec2 at = imagePlace(p, color_only, 2.0);
  if (nearestOf(shape) == 1.0 && nearestOf(color_only) != 1.0) {
    float far = 2.0 * unit() + 2.0 * unit();
    far = far > 2.0 ? 4.0 - far : far;
    at = 0.5 * far * sinCos(kTwoPi * unit());
  }
  vec2 q = zoom * at;
  float wave = hexagonRoot(sineWide(4.0 * time - dot(q, q) / 64.0), 0.5);
  q = rotate(q, 10.25 * hexagonRoot(sineWide(4.0 * time), 0.2));
  q.x *= 1.15470;
  q.y += 0.5 * fmodOf(abs(floor(q.x)), 2.0);
  q = vec2(abs(q.x - floor(q.x) - 0.5), abs(q.y - floor(q.y) - 0.5));
  float edge = abs(max(1.5 * q.x + q.y, 2.0 * q.y) - 1.0), width = 0.35 + 0.25 * wave;
  float t = clamp((edge - width + 0.1) / 0.2, 0.0, 1.0), shade = t * t * (3.0 - 2.0 * t);
  vec3 color = vec3(shade, shade, shade);
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
