// SPDX-License-Identifier: BSD-3-Clause
// Random numbers: one stream of xoroshiro64* per invocation (Blackman and Vigna, "Scrambled linear
// pseudorandom number generators", 2018): 64 bits of state, period 2^64 - 1, seven operations a
// draw. Streams start where a hash of (stream, seed) puts them. The lowest bits are the weakest:
// take bits from the top. A shader keeps randomState across dispatches, or seeds it each time.
#ifndef SHADERS_COMMON_RANDOM
#define SHADERS_COMMON_RANDOM

uvec2 randomState;  // never all zero

/// A permutation of 32 bits that leaves no pattern (Wellons, "Prospecting for hash functions").
uint hashBits(uint x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

void seedRandom(uint stream, uvec2 seed) {
  randomState.x = hashBits(stream ^ hashBits(seed.x ^ hashBits(seed.y)));
  randomState.y = hashBits(stream + hashBits(seed.y + hashBits(seed.x + 0x9e3779b9u)));
  if (randomState == uvec2(0)) randomState.x = 1u;
}

/// 32 random bits.
uint randomBits() {
  uvec2 s = randomState;
  uint bits = s.x * 0x9e3779bbu;
  s.y ^= s.x;
  randomState.x = ((s.x << 26) | (s.x >> 6)) ^ s.y ^ (s.y << 9);
  randomState.y = (s.y << 13) | (s.y >> 19);
  return bits;
}

/// Uniform in [0, 1), 24 bits.
float randomUnit() { return float(randomBits() >> 8) * 5.9604645e-8; }
/// Uniform in [-1, 1).
float randomSigned() { return float(int(randomBits()) >> 7) * 5.9604645e-8; }
/// 0 or 1.
int randomBit() { return int(randomBits() >> 31); }

#endif
