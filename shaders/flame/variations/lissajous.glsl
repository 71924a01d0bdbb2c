// SPDX-License-Identifier: BSD-3-Clause
// lissajous: A figure of Lissajous.
#include "shaders/flame/chaos/point.glsl"

vec2 variation_lissajous(Point p, float w, float tmin, float tmax, float a, float b, float c, float
        d, float e) {
  float t = (tmax - tmin) * unit() + tmin;
  float v = unit() - 0.5;
  return w * vec2(sineWide(a * t + d) + c * t + e * v, sineWide(b * t) + c * t + e * v);
}
