// SPDX-License-Identifier: BSD-3-Clause
// JWildfire's spatial filter over buckets (app/engine/flame/render/wild/radial_filter.h): a kernel of
// the distance for the color, another for the density. One invocation per pixel of the band. Reads
// the scaled buckets (rows as of kernels), the kernels and, with ADAPTS, the words; writes the
// filtered color. Deterministic.
#ifndef ADAPTS
#define ADAPTS 1
#endif
#include "shaders/common/invocation.glsl"
#include "shaders/flame/tone/buckets.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(std430, binding = FLAME_TONE_BIND_SPREAD) restrict readonly buffer Scaled {
  vec4 scaled[];
};
layout(std430, binding = FLAME_TONE_BIND_WEIGHTS) restrict readonly buffer Weights {
  vec2 weights[];
};
layout(binding = FLAME_TONE_IMAGE, rgba32f) restrict writeonly uniform image2D filtered;

#if ADAPTS
layout(std430, binding = FLAME_TONE_BIND_WORDS) restrict readonly buffer Words { uvec4 words[]; };

/// Of the sums of a bucket.
float luminanceOf(ivec2 bucket) {
  uint row = uint(bucket.y - params.wordsFirst);
  uvec4 found = words[(row * uint(params.buckets.x) + uint(bucket.x)) * (WORDS / 4u)];
  return dot(vec3(found.rgb), vec3(0.299, 0.588, 0.113));
}

/// JWildfire's Scharr gradient: the right one of the middle row counts at the place above it.
float gradientAt(ivec2 bucket) {
  float a = luminanceOf(bucket + ivec2(-1, -1)), b = luminanceOf(bucket + ivec2(0, -1));
  float c = luminanceOf(bucket + ivec2(1, -1)), d = luminanceOf(bucket + ivec2(-1, 0));
  float e = luminanceOf(bucket + ivec2(-1, 1)), f = luminanceOf(bucket + ivec2(0, 1));
  float g = luminanceOf(bucket + ivec2(1, 1));
  return length(vec2(3.0 * a - 13.0 * c + 10.0 * d + 3.0 * e - 3.0 * g,
                     3.0 * a + 10.0 * b + 3.0 * c - 3.0 * e - 10.0 * f - 3.0 * g));
}

/// RadialChoice.
int kernelAt(ivec2 bucket, float density) {
  if (density <= 0.0) return 0;
  if (density < params.thinBelow) return 1;
  return gradientAt(bucket) < params.edgeFrom ? 2 : 3;
}
#endif

void main() {
  uint i = invocationIndex();
  if (i >= uint(params.pixels.x * params.rowCount)) return;
  ivec2 at = ivec2(i % uint(params.pixels.x), params.rowFirst + int(i / uint(params.pixels.x)));
  ivec2 own = at * params.supersample + params.gutter, corner = own + params.filterFirst;
  uint next = 0u;  // of the weights
#if ADAPTS
  ivec2 middle = own + params.supersample / 2;
  float density = scaled[(middle.y - params.kernelsFirst) * params.buckets.x + middle.x].a;
  next = uint(kernelAt(middle, density) * params.tapCount * params.tapCount);
#endif
  vec4 sum = vec4(0.0);
  for (int y = 0; y < params.tapCount; ++y) {
    uint bucket = uint((corner.y + y - params.kernelsFirst) * params.buckets.x + corner.x);
    for (int x = 0; x < params.tapCount; ++x) {
      sum += weights[next].xxxy * scaled[bucket];
      ++next, ++bucket;
    }
  }
  imageStore(filtered, at, sum);
}
