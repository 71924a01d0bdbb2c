// SPDX-License-Identifier: BSD-3-Clause
// Adds up the splats of each tile's list, pixel by pixel: one work group per tile of a band, one
// invocation per pixel. Reads tileBegin and nodes, writes the picture: rgb is the weighted mean of
// the colors, alpha the sum of weights. Every pixel takes the nodes in list order, so that the
// result is the same in each run (Lier et al. 2016, listing 1).
//
// This is the template of all variants: `#include "@feature"` stands for the most specific file of
// shaders/dof/features for the chosen values (app/engine/dof/variants/space.h). barrier() stands
// where all invocations of a group arrive, those outside of the picture too.
//
// default targets: chunk-block residual-peel node-a current-copy early-none fetch-direct
// alpha-compute order-ftb dist-float
#include "shaders/common/invocation.glsl"
#include "shaders/dof/shared.h"
#include "shaders/dof/node.glsl"
#ifndef PARTS
#define PARTS 0  // 1: a part of each list, after the others; between them the picture holds sums
#endif

layout(local_size_x = DOF_TILE, local_size_y = DOF_TILE) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(std430, binding = DOF_BIND_TILE_BEGIN) readonly restrict buffer TileBegin { uint tileBegin[]; };
#if PARTS
layout(rgba32f, binding = DOF_IMAGE_RESULT) restrict uniform image2D result;
#else
layout(rgba32f, binding = DOF_IMAGE_RESULT) writeonly restrict uniform image2D result;
#endif

#include "@fetch"     // uvec4 fetchNode(uint index)
#include "@chunk"     // CHUNK, LANE, where a chunk of nodes lies
#include "@current"   // NODE_X .. NODE_W: the words of node j of the chunk
#include "@node"      // NODE_RADIUS2, NODE_COLOR
#include "@alpha"     // NODE_ALPHA
#include "@dist"      // PIXEL_POSITION, covers()
#include "@order"     // LIST_INDEX, PART_BEGIN, blend()
#include "@vote"      // VOTE_LIVE, VOTE_LEAVE, VOTE_CLEAR: once per chunk
#include "@exit"      // EXIT_START, EXIT_ELEMENT: after each element

void main() {
  uvec2 group = gridGroup(), tile = group + uvec2(params.firstTileColumn, params.firstTileRow);
  uvec2 pixel = tile * DOF_TILE + gl_LocalInvocationID.xy;
  bool inside = all(lessThan(pixel, uvec2(params.width, params.height)));
  uint tileIndex = group.y * params.tilesX + group.x;  // in the band
  uint first = tileBegin[tileIndex];
  uint count = tileBegin[tileIndex + 1u] - first;

  PIXEL_POSITION position = PIXEL_POSITION(gl_LocalInvocationID.xy);
  vec4 sum = vec4(0.0);                 // color times weight, weight
  float through = inside ? 1.0 : 0.0;   // what still shows of all that follows
#if PARTS
  uint done = min(params.part * params.partEntries, count), left = count - done;
  if (params.part > 0u && left == 0u) return;  // the same for the whole group
  count = min(left, params.partEntries);
  first += PART_BEGIN(done, left - count);
  if (params.part > 0u && inside) {
    sum = imageLoad(result, ivec2(pixel));
    through = 1.0 - sum.a;
  }
#endif

#include "@loop"

  if (!inside) return;
#if PARTS
  if (left > params.partEntries) {
    imageStore(result, ivec2(pixel), sum);
    return;
  }
#endif
  vec3 mean = sum.a > 0.0 ? sum.rgb / sum.a : vec3(0.0);
  float alpha = optics.coverageAlpha != 0u ? sum.a : float(sum.a > 0.0);
  imageStore(result, ivec2(pixel), vec4(mean, alpha));
}
