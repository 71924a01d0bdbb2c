// SPDX-License-Identifier: BSD-3-Clause
// cpow2: A complex power, on several branches.
// Number 238
// Parameters: r 1 (-3 to 3), a 0 (-2 to 2), divisor 1 (1 to 8), range 1 (1 to 8)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cpow2(Point p, float w, float r, float a, float divisor, float range) {
  float x = p.xy.x, y = p.xy.y;
  float c = r * cosine(0.5 * kPi * a) / divisor, d = r * sine(0.5 * kPi * a) / divisor;
  float turn = floor(range * unit());
  float phi = angleOf(y, x);
  phi += kTwoPi * (phi < 0.0 ? turn + 1.0 : turn);
  phi -= cosine(phi * 0.5 / range) < unit() * 2.0 - 1.0 ? kTwoPi * range : 0.0;
  float lnr2 = logOf(x * x + y * y);
  float side = floor(divisor * unit());
  return w * exp(0.5 * c * lnr2 - d * phi) * direction(c * phi + 0.5 * d * lnr2 + kTwoPi /
      divisor * side);
}
