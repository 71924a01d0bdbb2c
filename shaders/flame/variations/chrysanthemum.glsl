// SPDX-License-Identifier: BSD-3-Clause
// chrysanthemum: A flower of many petals (Fay's curve).
// Number 331
#include "shaders/flame/chaos/point.glsl"

/// Turns of a multiple of an angle, the whole ones taken off before anything is rounded.
float chrysanthemumTurn(float share, double times) {
  double turns = double(share) * times;
  return kTwoPi * float(turns - floor(turns));
}

vec2 variation_chrysanthemum(Point p, float w) {
  float share = unit();
  float p4 = sine(chrysanthemumTurn(share, 59.5));
  float p8 = sine(2.0 * cosine(chrysanthemumTurn(share, 31.5)) - chrysanthemumTurn(share, 294.0));
  float four = p4 * p4 * p4 * p4, eight = p8 * p8 * p8 * p8 * p8 * p8 * p8 * p8;
  float r = 5.0 * (1.0 + sine(chrysanthemumTurn(share, 23.1))) - 4.0 * four * eight;
  return 0.1 * w * r * direction(chrysanthemumTurn(share, 10.5));
}
