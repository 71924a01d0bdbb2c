// SPDX-License-Identifier: BSD-3-Clause
// The random numbers of java.util.Random: a linear congruence of 48 bits, in halves of 24, the high ones first.
#ifndef SHADERS_FLAME_JAVA_RANDOM
#define SHADERS_FLAME_JAVA_RANDOM
#include "shaders/flame/chaos/pairs.glsl"

/// The state after `state`.
uvec2 javaNext(uvec2 state) {
  uint high, low;
  umulExtended(state.y, 15525485u, high, low);
  uint last = (low & 0xffffffu) + 11u, carry = ((low >> 24) | (high << 8)) + (last >> 24);
  return uvec2((carry + state.x * 15525485u + state.y * 1502u) & 0xffffffu, last & 0xffffffu);
}
/// Of a whole number from 0 on.
uvec2 javaSeed(float seed) {
  uint low = uint(min(seed, 2147483000.0)) ^ 0xdeece66du;
  return uvec2(0x500u | (low >> 24), low & 0xffffffu);
}
/// The number that two states one after the other make, 0..1.
Wide javaUnit(uvec2 first, uvec2 second) {
  uint high = (first.x << 2) | (first.y >> 22), low = (second.x << 3) | (second.y >> 21);
  Wide top = plus(wide(float(high >> 2) / 16777216.0), wide(float(high & 3u) / 67108864.0));
  return plus(top, wide(float(low >> 3) / 1125899906842624.0));
}

#endif
