// SPDX-License-Identifier: BSD-3-Clause
// The spatial filter over buckets, in one step. One invocation per pixel of the band. Reads SPREAD
// (rows as of kernels) and the taps; writes the filtered color. Deterministic.
#include "shaders/common/invocation.glsl"
#include "shaders/flame/tone/buckets.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(std430, binding = FLAME_TONE_BIND_SPREAD) restrict readonly buffer Spread {
  vec4 spread[];
};
layout(std430, binding = FLAME_TONE_BIND_WEIGHTS) restrict readonly buffer Weights {
  float weights[];
};
layout(binding = FLAME_TONE_IMAGE, rgba32f) restrict writeonly uniform image2D filtered;

void main() {
  uint i = invocationIndex();
  if (i >= uint(params.pixels.x * params.rowCount)) return;
  ivec2 at = ivec2(i % uint(params.pixels.x), params.rowFirst + int(i / uint(params.pixels.x)));
  ivec2 corner = at * params.supersample + params.gutter - params.filterGutter;
  vec4 sum = vec4(0.0);
  for (int y = 0; y < params.tapCount; ++y) {
    int row = corner.y + y - params.kernelsFirst;
    vec4 rowSum = vec4(0.0);
    for (int x = 0; x < params.tapCount; ++x)
      rowSum += weights[x] * spread[uint(row * params.buckets.x + corner.x + x)];
    sum += weights[y] * rowSum;
  }
  imageStore(filtered, at, sum);
}
