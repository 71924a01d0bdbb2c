// SPDX-License-Identifier: BSD-3-Clause
// What the passes over buckets share: parameters, log scaling, the choice of a kernel.
#ifndef SHADERS_FLAME_BUCKETS
#define SHADERS_FLAME_BUCKETS
#include "shaders/flame/tone/tone_shared.h"

#ifndef WORDS
#define WORDS 4  // per bucket: 4, or 8 with alpha
#endif

layout(std140, binding = FLAME_TONE_BIND_PARAMS) uniform ParamsBlock { ToneParams params; };

#define NO_KERNEL 0xffffu

/// ln(1 + x) for x >= 0 to the last bits: the built-in logarithm of some drivers is good for 1e-4.
float logOnePlus(float x) {
  float y = 1.0 + x;
  int exponent = int(floatBitsToUint(y) >> 23) - 127;
  float mantissa = uintBitsToFloat((floatBitsToUint(y) & 0x007fffffu) | 0x3f800000u);  // [1, 2)
  bool upper = mantissa > 1.41421356;
  exponent += upper ? 1 : 0;
  mantissa *= upper ? 0.5 : 1.0;
  // Artanh series; near 0 the quotient is formed of x itself, which 1 + x has rounded.
  float s = exponent == 0 && !upper ? x / (2.0 + x) : (mantissa - 1.0) / (mantissa + 1.0);
  float s2 = s * s;
  float series = 2.0 + s2 * (0.66666667 + s2 * (0.4 + s2 * (0.28571429 + s2 * 0.22222222)));
  return float(exponent) * 0.693147181 + s * series;
}

/// The log-scaled bucket; sums: R G B A in 255ths.
vec4 logScaled(vec4 sums) {
  float light = params.k1 * logOnePlus(sums.a * params.k2) + params.glow / (sums.a / 255.0 + 1.0);
  return sums * vec4(vec3(params.colorShare), 1.0) * (light / max(sums.a, 1e-30));
}

/// EstimatorTable::kernelFor(). A whole count that came out a little too large is still whole: there
/// are 25 * 255 steps to one at most.
uint kernelFor(float count) {
  float beyond = floor(exp2(params.curve * log2(max(count - 100.0, 1e-3))) * 1.000001);
  float k = count <= 100.0 ? ceil(count * 0.999999) - 1.0 : 100.0 + beyond;
  float last = float(params.lastKernel);
  return uint(count > params.maxCount ? last : clamp(k, 0.0, last));
}

#endif
