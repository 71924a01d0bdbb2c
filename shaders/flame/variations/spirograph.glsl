// SPDX-License-Identifier: BSD-3-Clause
// spirograph: The curve of a pen in a wheel that rolls.
// Number 266: adds
// Parameters: a 3 (-10 to 10), b 2 (-10 to 10), d 0 (-5 to 5), c1 0 (-5 to 5), c2 0 (-5 to 5),
//   tmin -1 (-100 to 100), tmax 1 (-100 to 100), ymin -1 (-5 to 5), ymax 1 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_spirograph(Point p, float w, float a, float b, float d, float c1, float c2, float
    tmin, float tmax, float ymin, float ymax) {
  float t = (tmax - tmin) * unit() + tmin;
  float v = (ymax - ymin) * unit() + ymin;
  float u = (a + b) / b * t;
  return w * vec2((a + b) * cosineWide(t) - c1 * cosineWide(u) + d * cosineWide(t) + v, (a + b) *
      sineWide(t) - c2 * sineWide(u) + d * sineWide(t) + v);
}
