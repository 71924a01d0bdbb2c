// SPDX-License-Identifier: BSD-3-Clause
// fibonacci2: fibonacci with a size and a growth.
// Number 408
// Parameters: sc 1 (-3 to 3), sc2 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_fibonacci2(Point p, float w, float sc, float sc2) {
  const float grows = 0.481211825;  // the logarithm of the golden ratio
  float x = p.xy.x, y = p.xy.y;
  vec2 first = exp(sc2 * grows * x) * vec2(cosineWide(grows * y), sineWide(grows * y));
  float turn = -(kPi * x + grows * y);
  vec2 second = exp(sc2 * (kPi * y - grows * x)) * vec2(cosineWide(turn), sineWide(turn));
  return w * 0.447213595 * sc * (first - second);
}
