// SPDX-License-Identifier: BSD-3-Clause
// crown_js: A crown of ever smaller turns.
// Number 327: makes z, sets color, reads the sum
// Parameters: a 5 (1.25 to 6), b 0.630929754 (0.25 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_crown_js(Point p, float w, float a, float b) {
  double turns = double(unit()) - 0.5, factor = double(1.0);
  vec2 sum = vec2(0.0, 0.0);
  for (int k = 1; k < 15; ++k) {
    factor *= double(a);
    double at = factor * turns;
    vec2 t = direction(kTwoPi * float(at - floor(at)));
    float size = powOf(a, -b * float(k)), side = (k & 1) == 0 ? -1.0 : 1.0;
    sum += size * vec2(side * t.y, t.x);
  }
  float r2 = sum.x * sum.x + sum.y * sum.y;
  vec2 to = sumBefore() + w * sum;
  float shade = to.x * to.x + to.y * to.y;
  setColor(shade - floor(shade), w);
  return w * vec3(sum.x, sum.y, r2 * r2);
}
