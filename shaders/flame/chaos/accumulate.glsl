// SPDX-License-Identifier: BSD-3-Clause
// What accumulate_direct.glsl and accumulate_atomic.glsl share: the histogram's parts and the whole
// numbers that a hit adds. Fractions of a number are drawn: rounded up as often as they are large,
// so that sums have no bias.
#ifndef SHADERS_FLAME_ACCUMULATE
#define SHADERS_FLAME_ACCUMULATE

#include "shaders/flame/chaos/palette.glsl"

// The including file's way to add: ADD(part, word, amount), or of two words at once ADD_TWO(part,
// word, low, high) to a FLAME_WORD of 64 bits.
#ifdef FLAME_WORD
#define COUNT(part, word) unpackUint2x32(uint64_t(parts[part].words[(word) / 2u + 1u])).y
#define ADD(part, word, amount) ADD_TWO(part, word, amount, 0u)
#else
#define FLAME_WORD uint
#define COUNT(part, word) parts[part].words[word + 3u]
#define ADD_TWO(part, word, low, high) \
  ADD(part, word, low);                \
  ADD(part, word + 1u, high)
#endif

layout(std430, binding = FLAME_BIND_HISTOGRAM) coherent restrict buffer Part { FLAME_WORD words[]; }
parts[FLAME_PARTS];

uint hits = 0u;  // what this trajectory meant to add to counts

// A bucket takes no more hits when its sums come near to 2^32: it is white in any picture. Room for
// a million is left, as hits that are on their way have looked before.
#define FLAME_FULL (FLAME_HITS_FULL * (FLAME_ALPHA != 0 ? 255u : 1u))

#if FLAME_ALPHA
#define FLAME_WORDS 8u
#define FLAME_ADD_ALL(part, word)             \
  ADD_TWO(part, word, amounts.x, amounts.y);  \
  ADD_TWO(part, word + 2u, amounts.z, count); \
  ADD(part, word + 4u, amounts.w)
#else
#define FLAME_WORDS 4u
#define FLAME_ADD_ALL(part, word)            \
  ADD_TWO(part, word, amounts.x, amounts.y); \
  ADD_TWO(part, word + 2u, amounts.z, count)
#endif

void plot(bool hit, uvec2 bucket, float color, float visibility, uint bits, uint entry) {
  if (!hit) return;
  // Of 16 bits: with more, 255 + fraction would be rounded up to 256 now and then.
  float fraction = float(bits >> 16) * (1.0 / 65536.0);
  uvec4 amounts = uvec4(hitColor(color) * visibility + fraction);
#if FLAME_VISIBILITY
  uint count = uint(255.0 * visibility + fraction);
#else
  const uint count = FLAME_ALPHA != 0 ? 255u : 1u;
#endif
  hits += count;
  uint width = uint(params.size.x);
#if FLAME_PARTS == 1
  uint word = (bucket.y * width + bucket.x) * FLAME_WORDS;
  if (COUNT(0, word) >= FLAME_FULL) return;  // race: an older count lets a few more in
  FLAME_ADD_ALL(0, word);  // race: accumulate_direct.glsl loses hits that meet
#else
  uint part = bucket.y / params.rowsPerPart;
  uint word = ((bucket.y - part * params.rowsPerPart) * width + bucket.x) * FLAME_WORDS;
  // Storage blocks may only be indexed by what all invocations agree on.
  for (uint i = 0u; i < FLAME_PARTS; ++i)
    if (i == part && COUNT(i, word) < FLAME_FULL) {  // race: as above
      FLAME_ADD_ALL(i, word);  // race: as above
    }
#endif
}

#endif
