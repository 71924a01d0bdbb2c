// SPDX-License-Identifier: BSD-3-Clause
// fdisc: disc with shifts.
// Number 156
// Parameters: ashift 1 (-3 to 3), rshift 1 (-3 to 3), xshift 0 (-3 to 3), yshift 0 (-3 to 3),
//   term1 1 (-3 to 3), term2 0 (-3 to 3), term3 0 (-3 to 3), term4 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_fdisc(Point p, float w, float ashift, float rshift, float xshift, float yshift,
        float term1, float term2, float term3, float term4) {
  float x = p.xy.x, y = p.xy.y;
  float a = kTwoPi / (sqrt(x * x + y * y) + ashift), radius = w * 0.5 * (angleOf(y, x) / kPi +
      rshift);
  float fx = radius * cosineWide(a + xshift), fy = radius * sineWide(a + yshift);
  return vec2(term1 * fx + term2 * x * fx + term3 * x * radius + term4 * x, term1 * fy + term2 * y
      * fy + term3 * y * radius + term4 * y);
}
