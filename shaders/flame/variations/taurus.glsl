// SPDX-License-Identifier: BSD-3-Clause
// taurus: A torus.
// Number 132: makes z
// Parameters: r 3 (-5 to 5), n 5 (-10 to 10), inv 1.5 (-3 to 3), sor 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_taurus(Point p, float w, float r, float n, float inv, float sor) {
  float x = p.xy.x, y = p.xy.y;
  float ring = inv * r + (1.0 - inv) * r * cosineWide(n * x) + sineWide(y);
  return vec3(w * cosineWide(x) * ring, w * sineWide(x) * ring, w * sor * cosineWide(y) + (1.0 -
      sor) * y);
}
