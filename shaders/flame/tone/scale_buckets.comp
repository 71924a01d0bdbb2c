// SPDX-License-Identifier: BSD-3-Clause
// Log scaling for exact density estimation. One work group per tile of 8 x 8 buckets, one
// invocation per bucket. Reads words and kernels; writes per bucket the log-scaled color divided by
// its kernel's sum, and the kernel's exponent e: weight = exp2(e d^2), cut where e d^2 < -4.5 log2 e.
// Per tile the largest radius that any of its buckets reaches, squared. Without KERNELS every bucket
// stays where it is. Deterministic.
#ifndef KERNELS
#define KERNELS 1
#endif
#include "shaders/flame/tone/buckets.glsl"

layout(local_size_x = FLAME_TONE_TILE, local_size_y = FLAME_TONE_TILE) in;
layout(std430, binding = FLAME_TONE_BIND_WORDS) restrict readonly buffer Words { uvec4 words[]; };
layout(std430, binding = FLAME_TONE_BIND_SCALED) restrict writeonly buffer Scaled {
  vec4 scaled[];
};
#if KERNELS
layout(std430, binding = FLAME_TONE_BIND_KERNELS) restrict readonly buffer Kernels {
  uint kernels[];
};
/// Per kernel: exponent, 1 / sum of its weights, radius squared.
layout(std430, binding = FLAME_TONE_BIND_TABLE) restrict readonly buffer Table { vec4 table[]; };
layout(std430, binding = FLAME_TONE_BIND_EXPONENTS) restrict writeonly buffer Exponents {
  float exponents[];
};
layout(std430, binding = FLAME_TONE_BIND_REACHES) restrict writeonly buffer Reaches {
  float reaches[];
};
shared uint furthest;  // bits of a float that is never negative: they order like the float
#endif

vec4 scaledBucket(uint bucket) {
#if WORDS == 8
  vec4 found = vec4(words[2u * bucket]);
  float alpha = float(words[2u * bucket + 1u].x);
#else
  vec4 found = vec4(words[bucket]);
  float alpha = 255.0 * found.a;
#endif
  return found.a > 0.0 ? logScaled(vec4(found.rgb, alpha)) : vec4(0.0);
}

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);  // y within the rows of kernels
  bool isInside = at.x < params.buckets.x && at.y < params.kernelsCount;
  ivec2 place = min(at, ivec2(params.buckets.x, params.kernelsCount) - 1);
  int wordsRow = place.y + params.kernelsFirst - params.wordsFirst;
  vec4 color = scaledBucket(uint(wordsRow * params.buckets.x + place.x));
#if KERNELS
  if (gl_LocalInvocationIndex == 0u) furthest = 0u;
  barrier();
  uint pair = kernels[uint(place.y * params.pitch + place.x / 2)];
  uint kernel = (place.x & 1) == 0 ? pair & 0xffffu : pair >> 16;
  bool isEmpty = kernel == NO_KERNEL || color.a == 0.0 || !isInside;
  vec4 entry = table[isEmpty ? 0u : kernel];
  color = isEmpty ? vec4(0.0) : color * entry.y;
  if (!isEmpty) atomicMax(furthest, floatBitsToUint(entry.z));
  barrier();
  if (gl_LocalInvocationIndex == 0u)
    reaches[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = uintBitsToFloat(furthest);
#endif
  if (!isInside) return;
  uint bucket = uint(at.y * params.buckets.x + at.x);
  scaled[bucket] = color;
#if KERNELS
  exponents[bucket] = entry.x;
#endif
}
