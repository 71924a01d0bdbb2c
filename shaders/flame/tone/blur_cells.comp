// SPDX-License-Identifier: BSD-3-Clause
// Blurs the cells of a class along one axis by a quadratic B-spline, and adds what the wider classes
// have come to: of the same size (COARSER 1), with cells twice as large, which are read between their
// cells (COARSER 2), or nothing (0). One invocation per cell. Reads cells (A) and the wider classes'
// result (B). Deterministic.
#ifndef VERTICAL
#define VERTICAL 0
#endif
#ifndef COARSER
#define COARSER 0
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/flame/tone/buckets.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(binding = FLAME_TONE_TEXTURE_A) uniform sampler2D cells;
#if COARSER > 0
layout(binding = FLAME_TONE_TEXTURE_B) uniform sampler2D wider;
#endif
layout(binding = FLAME_TONE_IMAGE, rgba32f) restrict writeonly uniform image2D blurred;

#if COARSER == 2
/// A cell of the wider classes covers 2 x 2 of these: a quarter each, linear in between.
vec4 fromWider(ivec2 at) {
  ivec2 place = at - params.cellMargin + 2 * params.coarserMargin;
  ivec2 near = place >> 1;
  ivec2 far = near + (place & 1) * 2 - 1;
  ivec2 most = textureSize(wider, 0) - 1;
  near = clamp(near, ivec2(0), most);
  far = clamp(far, ivec2(0), most);
  vec4 sum = 9.0 * texelFetch(wider, near, 0) + 3.0 * texelFetch(wider, ivec2(far.x, near.y), 0) +
             3.0 * texelFetch(wider, ivec2(near.x, far.y), 0) + texelFetch(wider, far, 0);
  return sum / 64.0;
}
#endif

vec4 cellAt(ivec2 at, ivec2 size) {
  ivec2 inside = clamp(at, ivec2(0), size - 1);
  vec4 cell = texelFetch(cells, inside, 0);
  return inside == at ? cell : vec4(0.0);
}

/// At a distance in widths; the spline ends at 1.5.
float spline(float a) {
  float outer = max(0.0, 1.5 - a);
  return a < 0.5 ? 0.75 - a * a : 0.5 * outer * outer;
}

void main() {
  ivec2 size = textureSize(cells, 0);
  uint i = invocationIndex();
  if (i >= uint(size.x * size.y)) return;
  ivec2 at = ivec2(i % uint(size.x), i / uint(size.x));
  const ivec2 axis = VERTICAL != 0 ? ivec2(0, 1) : ivec2(1, 0);
  vec4 sum = 0.75 * texelFetch(cells, at, 0);
  for (int d = 1; d <= params.blurReach; ++d)
    sum += spline(float(d) * params.inverseWidth) * (cellAt(at + d * axis, size) + cellAt(at - d * axis, size));
  sum *= params.blurScale;
#if COARSER == 1
  sum += texelFetch(wider, at, 0);
#elif COARSER == 2
  sum += fromWider(at);
#endif
  imageStore(blurred, at, sum);
}
