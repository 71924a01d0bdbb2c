// SPDX-License-Identifier: BSD-3-Clause
// spirograph3D: The curve of a pen in a wheel that rolls, with a height.
// Number 275: makes z, adds
// Parameters: a 1 (-5 to 5), b -0.3 (-5 to -0.1), c 0.4 (-3 to 3), tmin 0 (-100 to 100),
//   tmax 1000 (-1000 to 1000), width 0 (-1 to 1), mode 0 (0 to 4)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_spirograph3D(Point p, float w, float a, float b, float c, float tmin, float tmax,
    float width, float mode) {
  float t = (tmax - tmin) * unit() + tmin;
  float kind = nearestOf(mode), half_width = 0.5 * width;
  float r1 = unit();
  float r2 = unit();
  float r3 = unit();
  float w1 = width * r1 - half_width;
  vec3 v = vec3(w1, w1, w1);
  if (kind == 1.0) v = w1 * vec3(sineWide(36.0 * t), sineWide(36.0 * t + kTwoPi / 3.0),
      sineWide(36.0 * t + 2.0 * kTwoPi / 3.0));
  if (kind == 2.0) v = vec3(w1, width * r2 - half_width, width * r3 - half_width);
  if (kind == 3.0) {
    for (int i = 0; i < 3; ++i) r1 += unit();
    for (int i = 0; i < 3; ++i) r2 += unit();
    for (int i = 0; i < 3; ++i) r3 += unit();
    v = half_width * vec3(r1 - 2.0, r2 - 2.0, r3 - 2.0);
  }
  if (kind == 4.0) v = vec3(r1 < 0.5 ? width : -width, 0.0, 0.0);
  float u = (a + b) / b * t;
  return w * (vec3((a + b) * cosineWide(t) - c * cosineWide(u), (a + b) * sineWide(t) - c *
      sineWide(u), c * sineWide(u)) + v);
}
