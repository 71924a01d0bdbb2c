// SPDX-License-Identifier: BSD-3-Clause
// Writes a node of 16 bytes per list entry, in list order: what accumulation reads, coalesced. One
// work group per tile of the band. Every tile owns its copy of a node, so positions are relative to
// the tile: integers in -64..79, exact in half.
//
//   word  NODE_LAYOUT 0: rgb16-c32-xy16     NODE_LAYOUT 1: rgb16-c16-xy16-z32
//   x     half R | half G << 16             half R | half G << 16
//   y     half B | half alpha << 16         half B | half r2 << 16
//   z     r2, float bits                    Z, float bits
//   w     x | y: halves, or int16 when NODE_INT_XY (layout 0 only)
//
// alpha = opacity / (pi r2), and opacity for discs of less than a pixel (r2 < 1): the paper's listing
// has no such clamp, its alpha exceeds 1 below r = 0.564 and makes sharp pixels translucent above.
#include "shaders/dof/footprint.glsl"
#ifndef NODE_LAYOUT
#define NODE_LAYOUT 0
#endif
#ifndef NODE_INT_XY
#define NODE_INT_XY 0
#endif
#ifndef KEY_WORDS
#define KEY_WORDS 2  // 1: entries are splat indices alone (radix sort)
#endif
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_PLACES) restrict readonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_DEPTHS) restrict readonly buffer Depths { uint depths[]; };
layout(std430, binding = DOF_BIND_COLORS) restrict readonly buffer Colors { uvec2 colors[]; };
layout(std430, binding = DOF_BIND_TILE_BEGIN) restrict readonly buffer TileBegin {
  uint tileBegin[];
};
layout(std430, binding = DOF_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = DOF_BIND_NODES) restrict writeonly buffer Nodes { uvec4 nodes[]; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };

uvec4 nodeOf(uint splat, ivec2 origin) {
  Place p = unpackPlace(places[splat]);
  uvec2 color = colors[splat];
  vec2 at = vec2(p.pixel - origin);
#if NODE_LAYOUT == 0
  float r2 = abs(p.r2) / (optics.circumradius * optics.circumradius);
  float alpha = r2 < 1.0 ? p.opacity : p.opacity / (3.14159265 * r2);
#if NODE_INT_XY
  ivec2 whole = p.pixel - origin;
  uint xy = (uint(whole.x) & 0xFFFFu) | (uint(whole.y) << 16);
#else
  uint xy = packHalf2x16(at);
#endif
  return uvec4(color.x, (color.y & 0xFFFFu) | (packHalf2x16(vec2(0.0, alpha)) & 0xFFFF0000u),
               floatBitsToUint(p.r2), xy);
#else
  return uvec4(color.x, (color.y & 0xFFFFu) | (packHalf2x16(vec2(0.0, p.r2)) & 0xFFFF0000u),
               depths[splat], packHalf2x16(at));
#endif
}

void main() {
  uint tile = groupIndex();
  if (tile >= params.tilesX * params.tileRowCount) return;
  ivec2 origin =
      DOF_TILE * ivec2(tile % params.tilesX, params.firstTileRow + tile / params.tilesX);
  uint end = min(tileBegin[tile + 1u], params.capacity);
  for (uint i = tileBegin[tile] + gl_LocalInvocationID.x; i < end; i += DOF_LIST_SIZE) {
#if KEY_WORDS == 2
    uint splat = keys[2u * i + 1u] & ((1u << DOF_INDEX_BITS) - 1u);
#else
    uint splat = keys[i];
#endif
    nodes[i] = nodeOf(splat, origin);
  }
}
