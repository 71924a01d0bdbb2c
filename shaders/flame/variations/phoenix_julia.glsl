// SPDX-License-Identifier: BSD-3-Clause
// phoenix_julia: julian of a stretched point.
// Number 255
// Parameters: power 3 (-8 to 8), dist 1 (-3 to 3), x_distort -0.5 (-2 to 2), y_distort 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_phoenix_julia(Point p, float w, float power, float dist, float x_distort, float
    y_distort) {
  float x = p.xy.x, y = p.xy.y;
  float turn = floor(unit() * max(abs(nearestOf(power)), 1.0));
  vec2 stretch = vec2(x_distort + 1.0, y_distort + 1.0);
  float from = angleOf(y * stretch.y, x * stretch.x);
  if (stretch.x == 0.0 && stretch.y == 0.0) from = 0.0;  // whatever the signs of zeros say
  float a = (from * dist + kTwoPi * turn) / power;
  return w * powOf(x * x + y * y, 0.5 * dist / power) * direction(a);
}
