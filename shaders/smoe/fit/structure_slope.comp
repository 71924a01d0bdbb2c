// SPDX-License-Identifier: BSD-3-Clause
// The gradient of (1 - W) |y - t|^2 / 2 - scale * (sum of SSIM) by each decoded color y, from what
// fit_structure.comp found: a window's derivatives reach the pixels that it averages, as much as it
// weighs them. One group per tile. Reads the pixels of fit_decode.comp (FIT_FULL 1) and the
// derivatives; writes (g / D, dot(g, y) / D) per pixel, in the place of the error's (FIT_FULL 0).
// Deterministic: sums run along lines, then along columns.
#include "shaders/common/invocation.glsl"
#include "shaders/smoe/fit/shared.h"

layout(local_size_x = FIT_GROUP) in;

#include "shaders/smoe/fit/structure.glsl"

layout(binding = FIT_TEXELS_PARTIALS) uniform usamplerBuffer slopes;
layout(std430, binding = FIT_BIND_PIXELS) restrict writeonly buffer Products { vec4 products[]; };

void main() {
  uint tile = groupIndex();
  if (tile >= params.tileCount) return;
  int lane = int(gl_LocalInvocationID.x);
  ivec2 first = firstOf(tile);
  for (int i = lane; i < kAround * kAround; i += FIT_GROUP) {
    int place = placeOf(first + ivec2(i % kAround, i / kAround) - kRadius);
    around[i] = place < 0 ? vec4(0.0) : uintBitsToFloat(texelFetch(slopes, place));
  }
  average(lane);
  int place = int(tile) * FIT_PIXELS + lane;
  vec4 error = uintBitsToFloat(texelFetch(pixels, 2 * place));
  vec3 y = uintBitsToFloat(texelFetch(pixels, 2 * place + 1)).xyz;
  vec3 mean = means[lane].xyz;
  float ssim = mean.x + 2.0 * dot(kLuminance, y) * mean.y + dot(kLuminance, y - error.xyz) * mean.z;
  vec3 g = (1.0 - params.structure) * error.xyz - params.structureScale * ssim * kLuminance;
  products[place] = vec4(g, dot(g, y)) * error.w;
}
