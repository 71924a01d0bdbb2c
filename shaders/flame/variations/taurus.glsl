// SPDX-License-Identifier: BSD-3-Clause
// taurus: A torus.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_taurus(Point p, float w, float r, float n, float inv, float sor) {
  float x = p.xy.x, y = p.xy.y;
  float ring = inv * r + (1.0 - inv) * r * cosineWide(n * x) + sineWide(y);
  return vec3(w * cosineWide(x) * ring, w * sineWide(x) * ring, w * sor * cosineWide(y) + (1.0 -
      sor) * y);
}
