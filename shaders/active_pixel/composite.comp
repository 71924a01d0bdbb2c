// SPDX-License-Identifier: BSD-3-Clause
// Writes the active pixels of two images into one, see write_runs.glsl: the nearer payload (the back
// one where depths are equal), or the front color over the back one. Deterministic.
#include "shaders/active_pixel/source.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_FRONT_MASKS) restrict readonly buffer FrontMasks {
  uint frontMasks[];
};
layout(std430, binding = AP_BIND_FRONT_PREFIX) restrict readonly buffer FrontPrefix {
  uint frontPrefix[];
};
layout(std430, binding = AP_BIND_BACK_MASKS) restrict readonly buffer BackMasks {
  uint backMasks[];
};
layout(std430, binding = AP_BIND_BACK_PREFIX) restrict readonly buffer BackPrefix {
  uint backPrefix[];
};
layout(std140, binding = AP_BIND_PARAMS) uniform Params {
  ApParams target;
  ApSource front, back;
};
layout(binding = AP_TEXTURE_COLOR) uniform usamplerBuffer frontWords;
layout(binding = AP_TEXTURE_DEPTH) uniform usamplerBuffer backWords;
#include "shaders/active_pixel/words.glsl"

uint frontWord(uint at) { return texelFetch(frontWords, int(at >> 2))[at & 3u]; }
uint backWord(uint at) { return texelFetch(backWords, int(at >> 2))[at & 3u]; }

/// Where the payload of a pixel starts; 0 when it is not active.
uint findFront(uint x, uint y) {
  if (!covers(front, x, y)) return 0;
  const uint at = maskIndex(front, x, y), bit = (x - front.left) & 31u;
  const uint mask = frontMasks[at];
  if ((mask >> bit & 1u) == 0) return 0;
  return payloadAt(front, target.tileWidth, at, bit, mask, at > 0 ? frontMasks[at - 1] : 0,
                   frontPrefix[at],
                   frontPrefix[front.wordCount + at] - frontPrefix[front.wordCount]);
}
uint findBack(uint x, uint y) {
  if (!covers(back, x, y)) return 0;
  const uint at = maskIndex(back, x, y), bit = (x - back.left) & 31u;
  const uint mask = backMasks[at];
  if ((mask >> bit & 1u) == 0) return 0;
  return payloadAt(back, target.tileWidth, at, bit, mask, at > 0 ? backMasks[at - 1] : 0,
                   backPrefix[at], backPrefix[back.wordCount + at] - backPrefix[back.wordCount]);
}

void copyFront(uint at, uint from) {
  for (uint i = 0; i < AP_PAYLOAD; ++i) put(at + i, frontWord(from + i));
}
void copyBack(uint at, uint from) {
  for (uint i = 0; i < AP_PAYLOAD; ++i) put(at + i, backWord(from + i));
}

#if AP_BLEND
#if AP_COLOR == AP_COLOR_RGBA8
/// Divides by 255 rounding down, as IceT does.
void blend(uint at, uint inFront, uint inBack) {
  const uint over = frontWord(inFront), under = backWord(inBack);
  const uvec4 shifts = uvec4(0, 8, 16, 24);
  const uvec4 behind = (uvec4(under) >> shifts & 255u) * (255u - (over >> 24)) / 255u;
  const uvec4 sum = min((uvec4(over) >> shifts & 255u) + behind, uvec4(255)) << shifts;
  put(at, sum.x | sum.y | sum.z | sum.w);
}
#else
void blend(uint at, uint inFront, uint inBack) {
  const float through = 1.0 - uintBitsToFloat(frontWord(inFront + AP_COLOR_WORDS - 1));
  for (uint c = 0; c < AP_COLOR_WORDS; ++c) {
    precise float behind = uintBitsToFloat(backWord(inBack + c)) * through;
    precise float sum = uintBitsToFloat(frontWord(inFront + c)) + behind;
    put(at + c, floatBitsToUint(sum));
  }
}
#endif
#else
/// Depths in the order of floats as unsigned words, both zeros alike, denormal numbers apart.
uint ordered(uint depthBits) {
  if ((depthBits & 0x7FFFFFFFu) == 0) return 0x80000000u;
  return (depthBits & 0x80000000u) != 0 ? ~depthBits : depthBits | 0x80000000u;
}
#endif

void writePayload(uint at, uint x, uint y) {
  const uint inFront = findFront(target.left + x, target.bottom + y);
  const uint inBack = findBack(target.left + x, target.bottom + y);
  if (inBack == 0) {
    copyFront(at, inFront);
  } else if (inFront == 0) {
    copyBack(at, inBack);
  } else {
#if AP_BLEND
    blend(at, inFront, inBack);
#else
    if (ordered(backWord(inBack + AP_COLOR_WORDS)) <= ordered(frontWord(inFront + AP_COLOR_WORDS)))
      copyBack(at, inBack);
    else
      copyFront(at, inFront);
#endif
  }
}

#include "shaders/active_pixel/write_runs.glsl"

void main() { writeRuns(); }
