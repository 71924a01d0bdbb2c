// SPDX-License-Identifier: BSD-3-Clause
// lissajous: A figure of Lissajous.
// Number 216
// Parameters: tmin -3.14159265 (-10 to 10), tmax 3.14159265 (-10 to 10), a 3 (-10 to 10),
//   b 2 (-10 to 10), c 0 (-3 to 3), d 0 (-3 to 3), e 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_lissajous(Point p, float w, float tmin, float tmax, float a, float b, float c, float
        d, float e) {
  float t = (tmax - tmin) * unit() + tmin;
  float v = unit() - 0.5;
  return w * vec2(sineWide(a * t + d) + c * t + e * v, sineWide(b * t) + c * t + e * v);
}
