// SPDX-License-Identifier: BSD-3-Clause
// Floats as halves, rounded to the nearest, ties to even, in whole numbers: GLSL leaves the rounding of
// packHalf2x16 open, some devices truncate, and what is saved or compared has to have one value.
#ifndef SHADERS_COMMON_HALF
#define SHADERS_COMMON_HALF

uint halfBits(float value) {
  uint bits = floatBitsToUint(value), sign = bits >> 16 & 0x8000u;
  bits &= 0x7FFFFFFFu;
  if (bits > 0x7F800000u) return sign | 0x7E00u;
  if (bits >= 0x477FF000u) return sign | 0x7C00u;
  // Below 2^-14 the addition rounds to the steps of denormals.
  if (bits < 0x38800000u) return sign | (floatBitsToUint(uintBitsToFloat(bits) + 0.5) - 0x3F000000u);
  return sign | ((bits - 0x38000000u + 0xFFFu + (bits >> 13 & 1u)) >> 13);
}

/// The first in the low half.
uint packHalves(vec2 values) { return halfBits(values.x) | halfBits(values.y) << 16; }

#endif
