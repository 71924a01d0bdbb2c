// SPDX-License-Identifier: BSD-3-Clause
// dc_booleans: An image of bits that rows and columns share.
// Number 429: makes z, sets color, sets full color, reads the sum
// Parameters: randomize 1000 (0 to 10000), type 1 (0 to 2), zoom 1000 (1 to 2000),
//   ColorOnly 0 (0 to 1), Gradient 0 (0 to 2), scale_z 0 (-2 to 2), offset_z 0 (-2 to 2),
//   reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/java_random.glsl"
#include "shaders/flame/chaos/point.glsl"

/// How much of red a hue has, 0..1; whole hues are red.
float hueShare(float hue) {
  return clamp(abs((hue - floor(hue)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

vec3 variation_dc_booleans(Point p, float w, float randomize, float type, float zoom,
                           float color_only, float gradient, float scale_z, float offset_z,
                           float reset_z) {
  vec2 at = imagePlace(p, color_only, 1.0);
  float seed = trunc(randomize), kind = nearestOf(type);
  uvec2 first = javaNext(javaSeed(seed)), second = javaNext(first);
  uvec2 third = javaNext(second), fourth = javaNext(third);
  int column = int(at.x * zoom + seed * narrow(javaUnit(first, second)));
  int row = int(at.y * zoom + seed * narrow(javaUnit(third, fourth)));
  int bits = kind == 0.0 ? column ^ row : kind == 1.0 ? column & row : column | row;
  float hue = sineWide(float(bits)), bright = cosineWide(float(bits));
  vec3 color = bright * vec3(hueShare(hue), hueShare(hue + 2.0 / 3.0), hueShare(hue + 1.0 / 3.0));
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
