// SPDX-License-Identifier: BSD-3-Clause
// First half of the E step: ln of the sum over a tile's components of exp(l_j(x)) N(y; m_j(x), S_j)
// at each pixel, with a running maximum, because colors far from all experts are ordinary here. One
// invocation per FIT_ROW neighboring pixels, as in fit_decode.comp.
//
// Reads records, factors and the tiles' lists. Writes per pixel (y, that logarithm), 1e30 in place
// of it outside the picture: then nothing is responsible.
// Deterministic: each sum runs along the list.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

#ifndef FIT_ROW
#define FIT_ROW 1
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

#include "shaders/smoe/fit/factor.glsl"
#include "shaders/smoe/fit/record.glsl"

const uint kRowsPerLine = FIT_TILE / FIT_ROW;
const uint kLanes = FIT_PIXELS / FIT_ROW;

vec4 wanted[FIT_ROW];
float largest[FIT_ROW];  // of the logarithms so far
float total[FIT_ROW];  // relative to it

void beginPixels(uint first) {
  for (int i = 0; i < FIT_ROW; ++i) {
    wanted[i] = uintBitsToFloat(texelFetch(target, int(first) + i));
    largest[i] = -1e30;
    total[i] = 0.0;
  }
}

void addComponent(uint component, ivec2 px, uint fractionBits, float offset) {
  TileRecord r = fetchRecord(component, px, fractionBits);
  FitFactor f = fetchFactor(component);
  float z1 = r.w11 * r.dx, z2 = r.w21 * r.dx + r.w22 * r.dy;
  for (int i = 0; i < FIT_ROW; ++i) {
    vec3 expert = r.color + r.h1 * z1 + r.h2 * z2;
    float l = r.c - offset - 0.5 * (z1 * z1 + z2 * z2) + logColor(f, wanted[i].xyz - expert);
    float ratio = exp(-abs(l - largest[i]));
    total[i] = l > largest[i] ? total[i] * ratio + 1.0 : total[i] + ratio;
    largest[i] = max(largest[i], l);
    z1 += r.w11;
    z2 += r.w21;
  }
}

void main() {
  uint item = invocationIndex();
  uint tile = item / kLanes, lane = item % kLanes;
  if (tile >= params.tileCount) return;

  ivec2 inTile = ivec2((lane % kRowsPerLine) * FIT_ROW, lane / kRowsPerLine);
  ivec2 px = params.origin + FIT_TILE * ivec2(tile % params.tilesX, tile / params.tilesX) + inTile;
  uint pixel = tile * FIT_PIXELS + uint(inTile.y) * FIT_TILE + uint(inTile.x);
  uint fractionBits = params.fractionBits;
  float offset = offsets[tile];
  beginPixels(pixel);
  uint end = starts[tile + 1];
  for (uint slot = starts[tile]; slot < end; ++slot)
    addComponent(components[slot], px, fractionBits, offset);
  for (int i = 0; i < FIT_ROW; ++i) {
    float logTotal = wanted[i].w > 0.0 ? largest[i] + log(total[i]) : 1e30;
    pixels[pixel + uint(i)] = vec4(wanted[i].xyz, logTotal);
  }
}
