// SPDX-License-Identifier: BSD-3-Clause
// starblur: A star.
// Number 208: adds
// Parameters: power 5 (2 to 12), range 0.4016228 (0 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_starblur(Point p, float w, float power, float range) {
  float half_turn = kPi / power;
  float side = sqrt(1.0 + range * range - 2.0 * range * cosine(half_turn));
  float sn = sine(half_turn) * range / side;
  float alpha = angleOf(sn, sqrt(max(1.0 - sn * sn, 0.0)));
  float f = unit() * power * 2.0;
  float point = trunc(f);
  float away = (f - point) * side;
  float to = sqrt(1.0 + away * away - 2.0 * away * cosine(alpha));
  float s2 = sine(alpha) * away / to;
  float lean = angleOf(s2, sqrt(max(1.0 - s2 * s2, 0.0)));
  float pair = floor(0.5 * point);
  float a = kTwoPi / power * pair + (point - 2.0 * pair < 0.5 ? lean : -lean);
  return w * to * sqrt(unit()) * direction(a - 0.5 * kPi);
}
