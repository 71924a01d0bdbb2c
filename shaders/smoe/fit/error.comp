// SPDX-License-Identifier: BSD-3-Clause
// Draws the error of each pixel, |y - target|. One invocation per pixel of the region's tiles;
// reads what fit_decode.comp (FIT_FULL 1) left, writes the picture.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

layout(std140, binding = FIT_BIND_PARAMS) uniform Params { FitParams params; };
layout(binding = FIT_TEXELS_PIXELS) uniform usamplerBuffer pixels;
layout(binding = FIT_IMAGE_ERROR, rgba32f) uniform restrict writeonly image2D picture;

void main() {
  uint item = invocationIndex();
  uint tile = item / FIT_PIXELS, pixel = item % FIT_PIXELS;
  if (tile >= params.tileCount) return;
  ivec2 at = FIT_TILE * ivec2(tile % params.tilesX, tile / params.tilesX) +
             ivec2(pixel % FIT_TILE, pixel / FIT_TILE);
  if (any(greaterThanEqual(at, params.size))) return;
  vec3 error = uintBitsToFloat(texelFetch(pixels, int(2 * item))).xyz;
  imageStore(picture, params.origin + at, vec4(abs(error), 1.0));
}
