// SPDX-License-Identifier: BSD-3-Clause
// Exact density estimation, as a gather: each bucket adds up what every bucket around gives it with
// its own kernel. One work group per tile of 8 x 8 buckets, one invocation per bucket; the tiles
// around that reach so far are brought into shared memory one after the other. Reads what
// scale_buckets.comp wrote; writes the spread color. Deterministic: the order of sums is fixed.
#include "shaders/flame/develop.glsl"

#define TILE FLAME_DEVELOP_TILE
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(std430, binding = FLAME_DEVELOP_BIND_SCALED) restrict readonly buffer Scaled {
  vec4 scaled[];
};
layout(std430, binding = FLAME_DEVELOP_BIND_EXPONENTS) restrict readonly buffer Exponents {
  float exponents[];
};
layout(std430, binding = FLAME_DEVELOP_BIND_REACHES) restrict readonly buffer Reaches {
  float reaches[];
};
layout(std430, binding = FLAME_DEVELOP_BIND_SPREAD) restrict writeonly buffer Spread {
  vec4 spread[];
};

shared vec4 tileColors[TILE * TILE];
shared float tileExponents[TILE * TILE];

// exp2() of less is 0: 4.5 log2 e, and a little for the rounding of e d^2 where d is the width. Taps
// a whole width straight ahead are left out.
const float kCut = -6.4921277 * 1.00001, kAhead = -6.4921277 * 0.99999;

vec4 sumOfTile(ivec2 offset) {
  vec4 sum = vec4(0.0);
  uint i = 0u;
  for (int y = 0; y < params.tileSide; ++y)
    for (int x = 0; x < params.tileSide; ++x, ++i) {
      ivec2 d = offset + ivec2(x, y);
      ivec2 d2 = d * d;
      float power = tileExponents[i] * float(d2.x + d2.y);
      bool isNear = power >= kCut && tileExponents[i] * float(max(d2.x, d2.y)) > kAhead;
      sum += (isNear ? exp2(power) : 0.0) * tileColors[i];
    }
  return sum;
}

void main() {
  ivec2 size = ivec2(params.buckets.x, params.kernelsCount);
  ivec2 tiles = (size + TILE - 1) / TILE;
  ivec2 own = ivec2(gl_WorkGroupID.xy), local = ivec2(gl_LocalInvocationID.xy);
  ivec2 first = max(own - params.reachTiles, ivec2(0));
  ivec2 last = min(own + params.reachTiles, tiles - 1);
  vec4 sum = vec4(0.0);
  for (int ty = first.y; ty <= last.y; ++ty)
    for (int tx = first.x; tx <= last.x; ++tx) {
      // The same for the whole group: the nearest buckets of both tiles lie so far apart.
      ivec2 gap = max(abs(ivec2(tx, ty) - own) * TILE - (TILE - 1), ivec2(0));
      if (reaches[ty * tiles.x + tx] < float(gap.x * gap.x + gap.y * gap.y) ||
          reaches[ty * tiles.x + tx] == 0.0)
        continue;
      ivec2 source = ivec2(tx, ty) * TILE + local;
      bool isInside = source.x < size.x && source.y < size.y;
      uint bucket = isInside ? uint(source.y * size.x + source.x) : 0u;
      barrier();  // everybody is done with the tile before
      tileColors[gl_LocalInvocationIndex] = isInside ? scaled[bucket] : vec4(0.0);
      tileExponents[gl_LocalInvocationIndex] = exponents[bucket];
      barrier();
      sum += sumOfTile((ivec2(tx, ty) - own) * TILE - local);
    }
  ivec2 at = own * TILE + local;
  if (at.x < size.x && at.y < size.y) spread[uint(at.y * size.x + at.x)] = sum;
}
