// SPDX-License-Identifier: BSD-3-Clause
// What replay_log.comp and replay_log_group.comp share: the sorted log, and what a hit
// adds to its bucket. That is whole, as in the atomic mode. Where the log does not hold it,
// fractions are rounded by a hash of the hit's words: up as often as they are large, and the same in any
// order.
#ifndef SHADERS_FLAME_REPLAY
#define SHADERS_FLAME_REPLAY

#include "shaders/flame/log/log.glsl"

#if FLAME_ALPHA
#define FLAME_WORDS 8u
#else
#define FLAME_WORDS 4u
#endif

#define FLAME_FULL (FLAME_HITS_FULL * (FLAME_ALPHA != 0 ? 255u : 1u))  // as in accumulate.glsl

layout(std140, binding = FLAME_BIND_REPLAY) uniform Params { ReplayParams params; };
layout(std430, binding = FLAME_BIND_KEPT) restrict readonly buffer Kept { uint keptCount; };
layout(std430, binding = FLAME_BIND_LOG) restrict readonly buffer Log { uint entries[]; };
#if FLAME_LOG_WIDE
layout(std430, binding = FLAME_BIND_LOG_PAYLOADS) restrict readonly buffer Payloads {
  uint payloads[];
};
#endif
layout(std430, binding = FLAME_BIND_REPLAYED) coherent restrict buffer Part { uint words[]; };

uint bucketOf(uint entry) { return entries[entry] & params.bucketMask; }

/// R G B, and with FLAME_ALPHA A; N comes from countOf().
uvec4 amountsOf(uint entry) {
#if FLAME_LOG_WIDE && !FLAME_ALPHA
  const uint payload = payloads[entry];
  return uvec4(payload & 0x3ffu, payload >> 10 & 0x3ffu, payload >> 20, 1u);
#elif FLAME_LOG_WIDE
  const uint payload = payloads[entry];
  const float fraction = float(payload & 0xffu) * (1.0 / 256.0);
  const float visibility = unpackHalf2x16(payload >> 8 & 0x7fffu).x;
  return uvec4(indexedColor(payload >> 23) * visibility + fraction);
#else
  uint hash = entries[entry] * 0x9e3779b1u;
  hash = (hash ^ hash >> 15) * 0x85ebca6bu;
  const float fraction = float(hash >> 16) * (1.0 / 65536.0);
  return uvec4(indexedColor(entries[entry] >> 23) + fraction);
#endif
}

uint countOf(uint entry) {
#if FLAME_LOG_WIDE && FLAME_ALPHA
  const uint payload = payloads[entry];
  const float visibility = unpackHalf2x16(payload >> 8 & 0x7fffu).x;
  return uint(255.0 * visibility + float(payload & 0xffu) * (1.0 / 256.0));
#else
  return FLAME_ALPHA != 0 ? 255u : 1u;
#endif
}

#endif
