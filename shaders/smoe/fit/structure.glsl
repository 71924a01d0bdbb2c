// SPDX-License-Identifier: BSD-3-Clause
// The window of SSIM (Wang et al. 2004): 11 x 11 pixels, Gaussian, sigma 1.5, as the metric has it
// (app/engine/core/compare.cpp). One group per tile averages four values for each of its pixels over the
// window around it, along lines and then along columns. An invocation takes a whole line or column
// of the tile, since a processor spends its time on reads of shared memory.
#ifndef SHADERS_SMOE_FIT_STRUCTURE
#define SHADERS_SMOE_FIT_STRUCTURE

const int kRadius = 5, kAround = FIT_TILE + 2 * kRadius;  // px
const vec3 kLuminance = vec3(0.299, 0.587, 0.114);        // of encoded colors (Rec. 601)

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitParams params; };
layout(binding = FIT_TEXELS_PIXELS) uniform usamplerBuffer pixels;

shared vec4 around[kAround * kAround], lined[kAround * FIT_TILE], means[FIT_PIXELS];

// Of the region, from its low corner.
ivec2 firstOf(uint tile) {
  return FIT_TILE * ivec2(tile % params.tilesX, tile / params.tilesX);
}

// Where a pixel lies in buffers that go tile by tile; -1 outside the region.
int placeOf(ivec2 at) {
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, params.size))) return -1;
  ivec2 inTile = at % FIT_TILE, tile = at / FIT_TILE;
  return (tile.y * int(params.tilesX) + tile.x) * FIT_PIXELS + inTile.y * FIT_TILE + inTile.x;
}

// Of a pixel so far from the middle; 3.759233 is the sum over the window.
float windowAt(int d) {
  return abs(d) > kRadius ? 0.0 : exp(float(d * d) / -4.5) / 3.759233;
}

void begin(out vec4 sum[FIT_TILE], out float weight[FIT_TILE]) {
  for (int i = 0; i < FIT_TILE; ++i) {
    sum[i] = vec4(0.0);
    weight[i] = 0.0;
  }
}

// What the k-th pixel weighs in the window around each pixel of the tile: one place on from before.
void advance(inout float weight[FIT_TILE], int k) {
  for (int i = FIT_TILE - 1; i > 0; --i) weight[i] = weight[i - 1];
  weight[0] = windowAt(k - kRadius);
}

// From `around` into `means`, by all invocations of the group.
void average(int lane) {
  barrier();
  for (int line = lane; line < kAround; line += FIT_GROUP) {
    vec4 sum[FIT_TILE];
    float weight[FIT_TILE];
    begin(sum, weight);
    for (int k = 0; k < kAround; ++k) {
      advance(weight, k);
      vec4 value = around[line * kAround + k];
      for (int i = 0; i < FIT_TILE; ++i) sum[i] += weight[i] * value;
    }
    for (int i = 0; i < FIT_TILE; ++i) lined[line * FIT_TILE + i] = sum[i];
  }
  barrier();
  for (int column = lane; column < FIT_TILE; column += FIT_GROUP) {
    vec4 sum[FIT_TILE];
    float weight[FIT_TILE];
    begin(sum, weight);
    for (int k = 0; k < kAround; ++k) {
      advance(weight, k);
      vec4 value = lined[k * FIT_TILE + column];
      for (int i = 0; i < FIT_TILE; ++i) sum[i] += weight[i] * value;
    }
    for (int i = 0; i < FIT_TILE; ++i) means[i * FIT_TILE + column] = sum[i];
  }
  barrier();
}

#endif
