// SPDX-License-Identifier: BSD-3-Clause
// cpow3: A complex power along a spiral.
// Number 239
// Parameters: r 1 (-3 to 3), d 1 (0.1 to 5), divisor 1 (1 to 8), spread 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cpow3(Point p, float w, float r, float d, float divisor, float spread) {
  float x = p.xy.x, y = p.xy.y;
  float lean = angleOf((d < 0.0 ? -logOf(-d) : logOf(d)) * r, kTwoPi);
  float tc = cosine(lean) * r * cosine(lean) / divisor, td = cosine(lean) * r * sine(lean) /
      divisor;
  float phi = angleOf(y, x);
  phi += phi < 0.0 ? kTwoPi : 0.0;
  phi -= cosine(0.5 * phi) < unit() * 2.0 - 1.0 ? kTwoPi : 0.0;
  float sign = unit() < 0.5 ? kTwoPi : -kTwoPi;
  float far = logOf(max(unit(), 1e-9));
  phi += td == 0.0 ? 0.0 : sign * floor(far * -0.095 * spread / td + 0.5);
  float lnr2 = logOf(x * x + y * y);
  float side = floor(divisor * unit());
  return w * exp(0.5 * tc * lnr2 - td * phi) * direction(tc * phi + 0.5 * td * lnr2 + kTwoPi /
      divisor * side);
}
