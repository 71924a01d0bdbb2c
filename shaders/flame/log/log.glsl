// SPDX-License-Identifier: BSD-3-Clause
// The words in which deferred accumulation notes a hit (after cuburn);
// accumulate_deferred.glsl writes them, replay_log.comp reads them. The first word is what the log is sorted by.
//
//   FLAME_LOG_WIDE 0: 2^23 buckets at most, and all hits are seen alike
//      31       23 22                    0
//     | color     | bucket                |
//   FLAME_LOG_WIDE 1: the bucket, and beside it
//      31 30 29   20 19   10 9    0
//     | 0   | blue  | green | red  |               without alpha: what the hit adds
//     | color 9 bits | visibility 15 | rounding 8 |  with it; visibility is a half float
//     | hits | blue | green | red |  of 8 bits each: with it, for images in full color (FLAME_LOG_FULL)
//
// The color is an entry of the palette; where colors between entries are mixed it counts half entries,
// and which of the two nearest it is was drawn, so that the mean is the mixed color.
#ifndef SHADERS_FLAME_LOG
#define SHADERS_FLAME_LOG
#ifndef FLAME_LINEAR_PALETTE
#define FLAME_LINEAR_PALETTE 0
#endif
#ifndef FLAME_ALPHA
#define FLAME_ALPHA 0
#endif
#ifndef FLAME_LOG_WIDE
#define FLAME_LOG_WIDE 0
#endif
#ifndef FLAME_LOG_FULL
#ifdef FLAME_FULL_COLORS
#define FLAME_LOG_FULL 1
#else
#define FLAME_LOG_FULL 0
#endif
#endif

#include "shaders/flame/chaos/palette.glsl"

const uint kNoHit = 0xFFFFFFFFu;

/// Nine bits for a color coordinate; `fraction` is a draw from [0, 1).
uint colorIndex(float color, float fraction) {
  float place = clamp(color * 256.0, 0.0, 255.0);
#if FLAME_LINEAR_PALETTE
  return uint(min(int(2.0 * place + fraction), 510));
#else
  return uint(int(place));
#endif
}

vec4 indexedColor(uint index) {
#if FLAME_LINEAR_PALETTE
  return 0.5 * (palette[index >> 1] + palette[(index + 1u) >> 1]);
#else
  return palette[index];
#endif
}

#endif
