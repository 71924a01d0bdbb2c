// SPDX-License-Identifier: BSD-3-Clause
// chrysanthemum: A flower of many petals (Fay's curve).
// Number 331
#include "shaders/flame/chaos/point.glsl"

/// Turns of a multiple of an angle, the whole ones taken off before anything is rounded: of the share
/// 12 bits are multiplied first, and `times` has less. Doubles compile for seconds on Intel's GPUs.
float chrysanthemumTurn(float share, float times) {
  float upper = floor(4096.0 * share) / 4096.0, turns = upper * times;
  return kTwoPi * (turns - floor(turns) + (share - upper) * times);
}

vec2 variation_chrysanthemum(Point p, float w) {
  float share = unit();
  float p4 = sine(chrysanthemumTurn(share, 59.5));
  float p8 = sine(2.0 * cosine(chrysanthemumTurn(share, 31.5)) - chrysanthemumTurn(share, 294.0));
  float four = p4 * p4 * p4 * p4, eight = p8 * p8 * p8 * p8 * p8 * p8 * p8 * p8;
  float wave = sine(chrysanthemumTurn(share, 23.125) - kTwoPi * 0.025 * share);  // 23.1
  float r = 5.0 * (1.0 + wave) - 4.0 * four * eight;
  return 0.1 * w * r * direction(chrysanthemumTurn(share, 10.5));
}
