// SPDX-License-Identifier: BSD-3-Clause
// One invocation per four fragments in raster order turns them into planes of bytes that deflate well,
// one word of each plane: R, G - R, B - G and A (bytes, or halves in two planes), Z as the difference of
// its bits to the fragment before, and for volumes ZBack - Z. Differences are folded so that small
// ones of both signs are small numbers. count: fragments; first: words of one; spareA: 1 with ZBack.
#include "shaders/common/invocation.glsl"
#include "shaders/deep/shared.h"

layout(local_size_x = DEEP_PASS_SIZE) in;
layout(std140, binding = DEEP_BIND_PARAMS) uniform Params { DeepParams params; };
layout(std430, binding = DEEP_BIND_SCRATCH) restrict readonly buffer Words { uint words[]; };
layout(std430, binding = DEEP_BIND_PACK_PLANES) restrict writeonly buffer Planes { uint planes[]; };

#ifndef WORDS
#define WORDS 4
#endif
#if WORDS == 2
#define Z_WORD 1u
#define COLOR_BITS 8
#else
#define Z_WORD 2u
#define COLOR_BITS 16
#endif

uint fold32(uint d) { return (d << 1) ^ uint(int(d) >> 31); }
/// The same for a difference of colors, within its bits.
uint foldColor(uint d) {
  int wide = int(d << (32 - COLOR_BITS)) >> (32 - COLOR_BITS);
  return uint((wide << 1) ^ (wide >> 31)) & ((1u << COLOR_BITS) - 1u);
}

/// R, G, B, A as their planes hold them, low bits first.
uvec4 colorsOf(uint at) {
#if WORDS == 2
  uint w = words[at];
  uvec4 c = uvec4(w & 255u, w >> 8 & 255u, w >> 16 & 255u, w >> 24);
#else
  uint low = words[at], high = words[at + 1u];
  uvec4 c = uvec4(low & 65535u, low >> 16, high & 65535u, high >> 16);
#endif
  return uvec4(c.r, foldColor(c.g - c.r), foldColor(c.b - c.g), c.a);
}

void main() {
  uint group = invocationIndex(), groups = (params.count + 3u) / 4u;
  if (group >= groups) return;
  uint quads[16];
  for (int p = 0; p < 16; ++p) quads[p] = 0u;
  for (uint k = 0u; k < 4u; ++k) {
    uint i = group * 4u + k, shift = k * 8u;
    if (i >= params.count) break;
    uint at = i * WORDS;
    uvec4 c = colorsOf(at);
    uint z = words[at + Z_WORD];
    uint before = i > 0u ? words[at - WORDS + Z_WORD] : 0u;
    uint dz = fold32(z - before);
#if WORDS == 2
    for (int p = 0; p < 4; ++p) quads[p] |= c[p] << shift;
    for (int p = 0; p < 4; ++p) quads[4 + p] |= (dz >> (8 * p) & 255u) << shift;
#else
    for (int p = 0; p < 8; ++p) quads[p] |= (c[p / 2] >> (8 * (p % 2)) & 255u) << shift;
    for (int p = 0; p < 4; ++p) quads[8 + p] |= (dz >> (8 * p) & 255u) << shift;
    uint dBack = fold32(words[at + 3u] - z);
    for (int p = 0; p < 4; ++p) quads[12 + p] |= (dBack >> (8 * p) & 255u) << shift;
#endif
  }
  uint count = WORDS == 2 ? 8u : params.spareA == 1u ? 16u : 12u;
  for (uint p = 0u; p < count; ++p) planes[p * groups + group] = quads[p];
}
