// SPDX-License-Identifier: BSD-3-Clause
// dc_worley: An image of cells about scattered points, with smooth borders (F. Neyret).
// Number 430: makes z, sets color, sets full color, reads the sum
// Parameters: zoom 7 (0.1 to 20), pattern 70 (1 to 100), distort 1 (0 to 2),
//   ColorOnly 0 (0 to 1), Gradient 0 (0 to 2), scale_z 0 (-2 to 2), offset_z 0 (-2 to 2),
//   reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/pairs.glsl"
#include "shaders/flame/chaos/point.glsl"

/// Within its cell: from the last digits of a sine.
vec2 worleyPoint(vec2 cell, float pattern, float distort) {
  Wide angle =
      plus(wide(cell.x), over(wide(cell.y), times(wide(pattern), wide(0.009999999776482582, 2.2351741811588e-10))));
  Wide grown = times(sineOf(angle), wide(1e4)), x = plus(grown, wide(1.0)),
       y = plus(grown, wide(12.34000015258789, -1.5258789e-7));
  vec2 rest = vec2(narrow(minus(x, floorOf(x))), narrow(minus(y, floorOf(y))));
  return rest * (0.75 * distort) + 0.3;
}

vec3 variation_dc_worley(Point p, float w, float zoom, float pattern, float distort,
                         float color_only, float gradient, float scale_z, float offset_z,
                         float reset_z) {
  vec2 at = imagePlace(p, color_only, 1.0), u = zoom * at;
  float nearest = 1e9, next = 1e9, third = 1e9;
  for (int k = 0; k < 9; ++k) {
    vec2 cell = vec2(float(k % 3) - 2.0 - floor(-u.x), float(k / 3) - 2.0 - floor(-u.y));
    vec2 away = worleyPoint(cell, pattern, distort) + cell - u;
    float far = dot(away, away);
    if (far < nearest) {
      next = nearest;
      third = nearest;  // not the old next: as the author has it
      nearest = far;
    } else if (far < next) {
      third = next;
      next = far;
    } else if (far < third) {
      third = far;
    }
  }
  next = 5.0 * (sqrt(next) - sqrt(nearest));
  third = 5.0 * (sqrt(third) - sqrt(nearest));
  float shade = 4.0 * (next / (next / third + 1.0) - 0.5);
  vec3 color = vec3(shade, shade, shade);
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
