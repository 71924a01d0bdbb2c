// SPDX-License-Identifier: BSD-3-Clause
// Hits are noted in a log, each at a place of its own; replay_log.comp adds them up later. The log is
// the same whatever the order in which it is written. See log.glsl for the words.
#include "shaders/common/half.glsl"
#include "shaders/flame/log/log.glsl"

layout(std430, binding = FLAME_BIND_LOG) restrict writeonly buffer Log { uint entries[]; };
#if FLAME_LOG_WIDE
layout(std430, binding = FLAME_BIND_LOG_PAYLOADS) restrict writeonly buffer Payloads {
  uint payloads[];
};
#endif

uint hits = 0u;  // what this trajectory added to the log

void plot(bool hit, uvec2 bucket, float color, float visibility, uint bits, uint entry) {
  if (params.plotting == 0u) return;
  uint at = params.firstEntry + entry;
  hits += uint(hit);
  float fraction = float(bits >> 16) * (1.0 / 65536.0);  // as in accumulate.glsl
  uint address = bucket.y * uint(params.size.x) + bucket.x;
#if !FLAME_LOG_WIDE
  entries[at] = hit ? colorIndex(color, fraction) << 23 | address : kNoHit;
#else
  entries[at] = hit ? address : kNoHit;
#if FLAME_ALPHA && FLAME_LOG_FULL
  vec3 shown = hitColor(color).rgb * visibility + fraction;
  uvec4 parts = min(uvec4(vec4(shown, 255.0 * visibility + fraction)), uvec4(255u));
  payloads[at] = parts.x | parts.y << 8 | parts.z << 16 | parts.w << 24;
#elif FLAME_ALPHA
  payloads[at] = colorIndex(color, fraction) << 23 |
                 (packHalves(vec2(visibility, 0.0)) & 0x7fffu) << 8 | bits >> 14 & 0xffu;
#else
  uvec4 amounts = min(uvec4(hitColor(color) + fraction), uvec4(1023u));
  payloads[at] = amounts.x | amounts.y << 10 | amounts.z << 20;
#endif
#endif
}
