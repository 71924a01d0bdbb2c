// SPDX-License-Identifier: BSD-3-Clause
// Decodes a region tile by tile (Avramelos et al., eq. 9) and compares it with its target. One
// invocation per FIT_ROW neighboring pixels: 1 suits devices that read one record for many
// invocations at once; 8, a row of the tile, suits those that read it for each.
//
// Reads records and the tiles' lists. Writes what the passes over slots need, per pixel with
// e = y - target, D the sum of weights relative to the tile's offset:
//   FIT_FULL 0:  (e / D, dot(e, y) / D)
//   FIT_FULL 1:  (e, 1 / D), (y, 1)
// all zero outside the picture; and the squared error of the colors clamped to 0..1.
// Deterministic: each sum runs along the list.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

#ifndef FIT_ROW
#define FIT_ROW 1
#endif
#ifndef FIT_FULL
#define FIT_FULL 0
#endif

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitParams params; };
layout(binding = FIT_TEXELS_TARGET) uniform usamplerBuffer target;
layout(std430, binding = FIT_BIND_TILE_STARTS) restrict readonly buffer Starts { uint starts[]; };
layout(std430, binding = FIT_BIND_OFFSETS) restrict readonly buffer Offsets { float offsets[]; };
layout(std430, binding = FIT_BIND_COMPONENTS) restrict readonly buffer Components {
  uint components[];
};
layout(std430, binding = FIT_BIND_PIXELS) restrict writeonly buffer Pixels { vec4 pixels[]; };
layout(std430, binding = FIT_BIND_ERRORS) restrict writeonly buffer Errors { float errors[]; };

#include "shaders/smoe/fit/record.glsl"

const uint kRowsPerLine = FIT_TILE / FIT_ROW;
const uint kLanes = FIT_PIXELS / FIT_ROW;

float weight[FIT_ROW];
vec3 total[FIT_ROW];

void addComponent(uint component, ivec2 px, uint fractionBits, float offset) {
  TileRecord r = fetchRecord(component, px, fractionBits);
  float z1 = r.w11 * r.dx, z2 = r.w21 * r.dx + r.w22 * r.dy;
  // Along the pixels, as in gradient.comp.
  float a = r.c - offset - 0.5 * (z1 * z1 + z2 * z2), b = z1 * r.w11 + z2 * r.w21;
  float curve = 0.5 * (r.w11 * r.w11 + r.w21 * r.w21);
  vec3 expert = r.color + r.h1 * z1 + r.h2 * z2, slope = r.h1 * r.w11 + r.h2 * r.w21;
  for (int i = 0; i < FIT_ROW; ++i) {
    float w = weightOf(a - float(i) * (b + float(i) * curve));
    weight[i] += w;
    total[i] += w * expert;
    expert += slope;
  }
}

// Returns the squared error.
float finishPixel(int i, uint pixel, float targetScale) {
  vec4 wanted = uintBitsToFloat(texelFetch(target, int(pixel)));
  float scale = wanted.w / max(weight[i], 1e-35);
  vec3 y = total[i] * scale;
  vec3 e = (y - targetScale * wanted.xyz) * wanted.w;
#if FIT_FULL
  pixels[2 * pixel] = vec4(e, scale);
  pixels[2 * pixel + 1] = vec4(y, wanted.w);
#else
  pixels[pixel] = vec4(e, dot(e, y)) * scale;
#endif
  vec3 shown = (clamp(y, 0.0, 1.0) - wanted.xyz) * wanted.w;
  return dot(shown, shown);
}

void main() {
  uint item = invocationIndex();
  uint tile = item / kLanes, lane = item % kLanes;
  if (tile >= params.tileCount) return;

  ivec2 inTile = ivec2((lane % kRowsPerLine) * FIT_ROW, lane / kRowsPerLine);
  ivec2 px = params.origin + FIT_TILE * ivec2(tile % params.tilesX, tile / params.tilesX) + inTile;
  uint fractionBits = params.fractionBits;
  float offset = offsets[tile];
  for (int i = 0; i < FIT_ROW; ++i) {
    weight[i] = 0.0;
    total[i] = vec3(0.0);
  }
  uint end = starts[tile + 1];
  for (uint slot = starts[tile]; slot < end; ++slot)
    addComponent(components[slot], px, fractionBits, offset);

  uint pixel = tile * FIT_PIXELS + uint(inTile.y) * FIT_TILE + uint(inTile.x);
  float targetScale = params.targetScale, error = 0.0;
  for (int i = 0; i < FIT_ROW; ++i) error += finishPixel(i, pixel + uint(i), targetScale);
  errors[item] = error;
}
