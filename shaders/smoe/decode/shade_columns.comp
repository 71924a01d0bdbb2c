// SPDX-License-Identifier: BSD-3-Clause
// The same as shade.comp for devices without fast shared memory (llvmpipe): one invocation fetches a
// record once for all samples of its column of 16 and, in larger tiles, of the column eight to the
// right. Records are fetched as texels, a row of four words at a time. What depends on x alone is
// computed once per record; masks are ignored, because a branch saves nothing there. Work
// groups cover 16 x 16 samples.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"

#ifndef SMOE_TILE
#define SMOE_TILE 16
#endif
#ifndef SMOE_OUTPUT
#define SMOE_OUTPUT SMOE_SHADE_PICTURE
#endif
#if SMOE_TILE == 8
#define SIDES 1  // columns of an invocation
#define QUADS 2  // of samples in a column
#else
#define SIDES 2
#define QUADS 4
#endif
#define COLUMN (4 * QUADS)
layout(local_size_x = 256 / (COLUMN * SIDES)) in;

layout(binding = SMOE_TEXELS_CULL) uniform usamplerBuffer cullTexels;
layout(binding = SMOE_TEXELS_SHADE) uniform usamplerBuffer shadeTexels;
layout(std430, binding = SMOE_BIND_AXES) restrict readonly buffer Axes { uvec2 axes[]; };
layout(std430, binding = SMOE_BIND_TILE_COUNTS) restrict readonly buffer TileStarts {
  uint tileStarts[];
};
layout(std430, binding = SMOE_BIND_ENTRIES) restrict readonly buffer Entries { uvec2 entries[]; };
layout(std430, binding = SMOE_BIND_TILES) restrict buffer Tiles { SmoeTile tiles[]; };
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };
#define CULL(row) texelFetch(cullTexels, int(row))
#define SHADE(row) texelFetch(shadeTexels, int(row))
#include "shaders/smoe/decode/grid.glsl"
#include "shaders/smoe/decode/output.glsl"

struct Record {
  vec2 start;  // z where the tile begins
  vec3 w;
  float c;
  vec2 red, green, blue;  // H
  vec3 mean;
};

Record recordOf(uint component, ivec2 origin, vec2 rest) {
  const uvec4 a = CULL(2u * component), b = CULL(2u * component + 1u);
  const vec4 c = uintBitsToFloat(SHADE(2u * component));
  const vec4 d = uintBitsToFloat(SHADE(2u * component + 1u));
  const vec3 w = uintBitsToFloat(b.xyz);
  return Record(whitenedOrigin(a, w, origin, rest), w, uintBitsToFloat(a.z), vec2(uintBitsToFloat(b.w), c.w), d.xy, d.zw, c.xyz);
}

// A component along a column: z2 = slope y + shift, log weight = c - z2^2, expert = mean + h z2.
struct Line {
  float c, slope, shift;
  vec3 mean, h;
};

Line lineOf(Record r, float x) {
  const float z1 = r.start.x + r.w.x * x;
  Line line;
  line.c = r.c - z1 * z1;
  line.slope = r.w.z;
  line.shift = r.start.y + r.w.y * x;
  line.mean = r.mean + vec3(r.red.x, r.green.x, r.blue.x) * z1;
  line.h = vec3(r.red.y, r.green.y, r.blue.y);
  return line;
}

void main() {
  openGrid();
  const int lane = int(gl_LocalInvocationIndex);
  const ivec2 block = ivec2(gridGroup()) * 16 + ivec2(0, int(params.firstRow) * SMOE_TILE);
#if SMOE_TILE == 8
  const ivec2 first = block + ivec2(lane % 16, COLUMN * (lane / 16));  // sample
#else
  const ivec2 first = block + ivec2(lane, 0);
#endif
  const ivec2 tileAt = min(first / SMOE_TILE, params.tiles - 1);
  const ivec2 corner = tileAt * SMOE_TILE;
  // Blocks of 16 may reach beyond the dispatch's rows of tiles.
  const int endRow = min(int(params.firstRow + params.rowCount) * SMOE_TILE, params.size.y);
  const ivec2 limit = ivec2(params.size.x, endRow);
  const bool exists = all(lessThan(first, limit));
  const uint tile = exists ? uint(tileAt.y * params.tiles.x + tileAt.x) - params.firstTile : 0u;
  vec2 rest;
  const ivec2 origin = originOf(corner, rest);
  const float step_ = params.step;
  const vec2 position = (vec2(first - corner) + 0.5) * step_;

  const uint begin = tileStarts[tile], end = exists ? tileStarts[tile + 1u] : begin;
  const float tileOffset = tiles[tile].offset;
  const bool twoPasses = tiles[tile].twoPasses != 0u;
  vec4 y[QUADS];
  vec4 offset[SIDES * QUADS], weight[SIDES * QUADS];
  vec4 red[SIDES * QUADS], green[SIDES * QUADS], blue[SIDES * QUADS];
#if SMOE_OUTPUT == SMOE_SHADE_WINNER
  vec4 best[SIDES * QUADS];
  uvec4 winner[SIDES * QUADS];
#endif
  for (int k = 0; k < QUADS; ++k)
    y[k] = position.y + (4.0 * float(k) + vec4(0.0, 1.0, 2.0, 3.0)) * step_;
  for (int k = 0; k < SIDES * QUADS; ++k) {
    offset[k] = vec4(twoPasses ? -3.0e38 : tileOffset);
    weight[k] = red[k] = green[k] = blue[k] = vec4(0.0);
#if SMOE_OUTPUT == SMOE_SHADE_WINNER
    best[k] = vec4(-1.0);
    winner[k] = uvec4(0u);
#endif
  }

  const uint firstPassEnd = twoPasses ? end : begin;
  for (uint i = begin; i < firstPassEnd; ++i) {
    const Record record = recordOf(entries[i].x, origin, rest);
    for (int side = 0; side < SIDES; ++side) {
      const Line line = lineOf(record, position.x + float(8 * side) * step_);
      for (int q = 0; q < QUADS; ++q) {
        const int k = side * QUADS + q;
        const vec4 z2 = line.slope * y[q] + line.shift;
        offset[k] = max(offset[k], line.c - z2 * z2);
      }
    }
  }

  for (uint i = begin; i < end; ++i) {
    const uint j = entries[i].x;
    const Record record = recordOf(j, origin, rest);
#if SMOE_OUTPUT == SMOE_SHADE_DISPARITY
    const float disparity = disparityOf(j);
#endif
    for (int side = 0; side < SIDES; ++side) {
      const Line line = lineOf(record, position.x + float(8 * side) * step_);
      for (int q = 0; q < QUADS; ++q) {
        const int k = side * QUADS + q;
        const vec4 z2 = line.slope * y[q] + line.shift;
        const vec4 w = exp2((line.c - offset[k]) - z2 * z2);
        weight[k] += w;
#if SMOE_OUTPUT == SMOE_SHADE_WINNER
        winner[k] = mix(winner[k], uvec4(j), greaterThan(w, best[k]));
        best[k] = max(best[k], w);
#elif SMOE_OUTPUT == SMOE_SHADE_DISPARITY
        red[k] += w * disparity;
#elif SMOE_OUTPUT != SMOE_SHADE_WEIGHT
        red[k] += w * (line.mean.x + line.h.x * z2);
        green[k] += w * (line.mean.y + line.h.y * z2);
        blue[k] += w * (line.mean.z + line.h.z * z2);
#endif
      }
    }
  }

  for (int k = 0; k < SIDES * QUADS; ++k)
    for (int i = 0; i < 4; ++i) {
      const ivec2 at = first + ivec2(8 * (k / QUADS), 4 * (k % QUADS) + i);
      if (all(lessThan(at, limit))) {
        Sums sums = noSums();
        sums.weight = weight[k][i];
        sums.color = vec3(red[k][i], green[k][i], blue[k][i]);
#if SMOE_OUTPUT == SMOE_SHADE_WINNER
        sums.best = best[k][i];
        sums.winner = winner[k][i];
#endif
        writeSample(at, tile, sums, offset[k][i]);
      }
    }
}
