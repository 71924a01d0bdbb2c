// SPDX-License-Identifier: BSD-3-Clause
// Facts of each tile as colors: one invocation per pixel. List lengths on a scale whose end is
// 256 / gain; certificates (SMOE_CERTIFICATE) on a logarithmic scale from a 65,536th of the limit
// (black) over the limit itself (yellow) on.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/decode/shared.h"
layout(local_size_x = SMOE_LIST_SIZE) in;

#ifndef SMOE_CERTIFICATE
#define SMOE_CERTIFICATE 0
#endif

layout(std430, binding = SMOE_BIND_TILE_COUNTS) restrict readonly buffer TileStarts {
  uint tileStarts[];
};
layout(std430, binding = SMOE_BIND_TILES) restrict readonly buffer Tiles { SmoeTile tiles[]; };
layout(rgba32f, binding = SMOE_IMAGE_RESULT) uniform restrict writeonly image2D result;
layout(std140, binding = SMOE_BIND_PARAMS) uniform Params { SmoeParams params; };

/// Black, violet, red, yellow, white.
vec3 heat(float x) {
  x = clamp(x, 0.0, 1.0) * 4.0;
  vec3 color = mix(vec3(0.0), vec3(0.25, 0.0, 0.45), clamp(x, 0.0, 1.0));
  color = mix(color, vec3(0.85, 0.1, 0.1), clamp(x - 1.0, 0.0, 1.0));
  color = mix(color, vec3(1.0, 0.8, 0.1), clamp(x - 2.0, 0.0, 1.0));
  return mix(color, vec3(1.0), clamp(x - 3.0, 0.0, 1.0));
}

void main() {
  const uint pixel = invocationIndex();
  const ivec2 size = params.size / int(params.samples);
  if (pixel >= uint(size.x * size.y)) return;
  const ivec2 at = ivec2(int(pixel) % size.x, int(pixel) / size.x);
  const ivec2 tileAt = at * int(params.samples) / int(params.tilePixels);
  const int tile = tileAt.y * params.tiles.x + tileAt.x - int(params.firstTile);
  if (tile < 0 || tile >= int(params.tileCount)) return;
#if SMOE_CERTIFICATE
  const SmoeTile facts = tiles[tile];
  const float widened = max(1.0, uintBitsToFloat(facts.extreme) / 0.6);
  const float bits = log2(max((facts.certificate + facts.rounding) * widened / params.limit, 1e-30));
  const float x = 0.75 + bits * params.gain / (bits < 0.0 ? 16.0 : 64.0);
#else
  const float x = float(tileStarts[tile + 1] - tileStarts[tile]) * params.gain / 256.0;
#endif
  imageStore(result, at, vec4(heat(x), 1.0));
}
