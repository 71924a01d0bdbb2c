// SPDX-License-Identifier: BSD-3-Clause
// Exact density estimation, as a gather: each bucket adds up what every bucket around gives it with
// its own kernel. A work group serves FLAME_TONE_STACK tiles of 8 x 8 buckets, one above the
// other, an invocation the buckets at its place in each: what it fetches serves them all. The tiles
// around that reach so far are brought into shared memory one after the other. Reads what
// scale_buckets.comp wrote; writes the spread color. Deterministic: the order of sums is fixed, and
// the same in every band.
#include "shaders/common/invocation.glsl"
#include "shaders/flame/tone/buckets.glsl"

#ifndef UNROLLED
#define UNROLLED 0
#endif
#define TILE FLAME_TONE_TILE
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(std430, binding = FLAME_TONE_BIND_SCALED) restrict readonly buffer Scaled {
  vec4 scaled[];
};
layout(std430, binding = FLAME_TONE_BIND_EXPONENTS) restrict readonly buffer Exponents {
  float exponents[];
};
layout(std430, binding = FLAME_TONE_BIND_REACHES) restrict readonly buffer Reaches {
  float reaches[];
};
layout(std430, binding = FLAME_TONE_BIND_SPREAD) restrict writeonly buffer Spread {
  vec4 spread[];
};

shared vec4 tileColors[TILE * TILE];
shared float tileExponents[TILE * TILE];

// exp2() of less is 0: 4.5 log2 e, and a little for the rounding of e d^2 where d is the width. Taps
// a whole width straight ahead are left out.
const float kCut = -6.4921277 * 1.00001, kAhead = -6.4921277 * 0.99999;

#define STACK FLAME_TONE_STACK
vec4 sums[STACK];

/// Adds what the tile in shared memory gives; `offset` leads from this invocation's top bucket to
/// the tile's first.
void addTile(ivec2 offset) {
  vec4 parts[STACK];
  for (int k = 0; k < STACK; ++k) parts[k] = vec4(0.0);
  uint i = 0u;
#if UNROLLED
  const int side = TILE;
#else
  int side = params.tileSide;  // software renderers would write the rounds out, one after the other
#endif
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x, ++i) {
      float exponent = tileExponents[i];
      vec4 color = tileColors[i];
      vec2 d = vec2(offset + ivec2(x, y));
      float across = d.x * d.x;
      for (int k = 0; k < STACK; ++k) {
        float dy = d.y - float(k * TILE), along = dy * dy;
        float power = exponent * (across + along);
        bool isNear = power >= kCut && exponent * max(across, along) > kAhead;
        parts[k] += (isNear ? exp2(power) : 0.0) * color;
      }
    }
  for (int k = 0; k < STACK; ++k) sums[k] += parts[k];
}

void main() {
  ivec2 size = ivec2(params.buckets.x, params.kernelsCount);
  ivec2 tiles = (size + TILE - 1) / TILE;
  ivec2 low = ivec2(gridGroup()) * ivec2(1, STACK), high = low + ivec2(0, STACK - 1);
  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  ivec2 first = max(low - params.reachTiles, ivec2(0));
  ivec2 last = min(high + params.reachTiles, tiles - 1);
  for (int k = 0; k < STACK; ++k) sums[k] = vec4(0.0);
  for (int ty = first.y; ty <= last.y; ++ty)
    for (int tx = first.x; tx <= last.x; ++tx) {
      // The same for the whole group: the nearest buckets of tile and stack lie so far apart.
      ivec2 tile = ivec2(tx, ty), between = max(max(low - tile, tile - high), ivec2(0));
      ivec2 gap = max(between * TILE - (TILE - 1), ivec2(0));
      float reach = reaches[ty * tiles.x + tx];
      if (reach < float(gap.x * gap.x + gap.y * gap.y) || reach == 0.0) continue;
      ivec2 source = tile * TILE + local;
      bool isInside = source.x < size.x && source.y < size.y;
      uint bucket = isInside ? uint(source.y * size.x + source.x) : 0u;
      barrier();  // everybody is done with the tile before
      tileColors[gl_LocalInvocationIndex] = isInside ? scaled[bucket] : vec4(0.0);
      tileExponents[gl_LocalInvocationIndex] = exponents[bucket];
      barrier();
      addTile((tile - low) * TILE - local);
    }
  for (int k = 0; k < STACK; ++k) {
    ivec2 at = (low + ivec2(0, k)) * TILE + local;
    if (at.x < size.x && at.y < size.y) spread[uint(at.y * size.x + at.x)] = sums[k];
  }
}
