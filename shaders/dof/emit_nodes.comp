// SPDX-License-Identifier: BSD-3-Clause
// Writes a node of 16 bytes per list entry, in list order: what accumulation reads, coalesced. One
// work group per tile of the band. Every tile owns its copy of a node, so positions are relative to
// the tile: integers in -64..79, exact in half. The layouts stand in node.glsl; alpha is what
// accumulation loads (ALPHA_LOADED 1), or the opacity of the fragment. Deterministic.
#include "shaders/dof/footprint.glsl"
#include "shaders/dof/node.glsl"
#ifndef NODE_KIND
#define NODE_KIND DOF_NODE_A_FLOAT
#endif
#ifndef ALPHA_LOADED
#define ALPHA_LOADED 1
#endif
#ifndef OF_ALPHA
#define OF_ALPHA 0  // 1: a splat's alpha in place of its color, to be accumulated by itself
#endif
#ifndef KEY_WORDS
#define KEY_WORDS 2  // 1: entries are splat indices alone (radix sort)
#endif
layout(local_size_x = DOF_TILE_PIXELS) in;

layout(std430, binding = DOF_BIND_PLACES) restrict readonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_DEPTHS) restrict readonly buffer Depths { uint depths[]; };
layout(std430, binding = DOF_BIND_COLORS) restrict readonly buffer Colors { uvec4 colors[]; };
layout(std430, binding = DOF_BIND_TILE_BEGIN) restrict readonly buffer TileBegin {
  uint tileBegin[];
};
layout(std430, binding = DOF_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = DOF_BIND_NODES) restrict writeonly buffer Nodes { uvec4 nodes[]; };

uvec4 nodeOf(uint splat, ivec2 origin) {
  Place p = unpackPlace(places[splat]);
  uvec4 words = colors[splat];
#if OF_ALPHA
  vec3 color = vec3(unpackHalf2x16(words.y).y);
#else
  vec3 color = vec3(unpackHalf2x16(words.x), unpackHalf2x16(words.y).x);
#endif
  float alpha = uintBitsToFloat(words.z);
#if ALPHA_LOADED
  alpha *= dofAlpha(p.r2);
#endif
  return dofEncodeNode(NODE_KIND, color, alpha, p.r2, uintBitsToFloat(depths[splat]),
                       p.pixel - origin);
}

void main() {
  uint tile = groupIndex();
  if (tile >= params.tilesX * params.tileRowCount) return;
  ivec2 origin = tileOrigin(tile);
  uint end = min(tileBegin[tile + 1u], params.capacity);
  for (uint i = tileBegin[tile] + gl_LocalInvocationID.x; i < end; i += DOF_TILE_PIXELS) {
#if KEY_WORDS == 2
    uint splat = keys[2u * i + 1u] & ((1u << DOF_INDEX_BITS) - 1u);
#else
    uint splat = keys[i];
#endif
    nodes[i] = nodeOf(splat, origin);
  }
}
