// SPDX-License-Identifier: BSD-3-Clause
// julian2dc: julian2, colored by where a point goes.
// Beside JWildfire: not compared
// Number 380: sets color
// Parameters: power 2 (2 to 10), dist 1 (-2 to 2), col 0 (0 to 1), a 1 (-2 to 2), b 0 (-2 to 2),
//   c 0 (-2 to 2), d 1 (-2 to 2), e 0 (-2 to 2), f 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_julian2dc(Point p, float w, float power, float dist, float col, float a, float b,
                         float c, float d, float e, float f) {
  float px = p.xy.x, py = p.xy.y;
  float x = a * px + b * py + e, y = c * px + d * py + f, n = trunc(power);
  float branch = trunc(unit() * max(abs(n), 1.0));
  float angle = (angleOf(y, x) + kTwoPi * branch) / power;
  float r = w * powOf(x * x + y * y, 0.5 * dist / power);
  float shade = abs(r * col + angle / kTwoPi * (1.0 - col));
  setColor(shade - floor(shade), w);
  return r * direction(angle);
}
