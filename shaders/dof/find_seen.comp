// SPDX-License-Identifier: BSD-3-Clause
// Which depths can be seen behind the front surface of a pixel, so that no others need be captured. One
// invocation per slot writes, as 1/z: the front, and the largest and the least that a point of the lens
// sees behind it; of 1 and 2 when nothing is; -1 each where there is no front.
//
// What lies at radius r is seen past the picture's texel at (r - front r) u, if that texel is nearer to
// it than to the front (seen.glsl, which splat.comp asks for each fragment; here eight rays are followed
// from texel to texel, with one to spare at both ends). ANY_LENS 1: through all lenses with radii up to
// the largest; then the least in the window decides.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/slots.glsl"
#ifndef ANY_LENS
#define ANY_LENS 0
#endif
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_SEEN) restrict writeonly buffer Seen { float seen[]; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D picture;
layout(binding = DOF_TEXTURE_FARTHEST) uniform sampler2D farthest;
#include "shaders/dof/seen.glsl"

const vec2 kNothing = vec2(1.0, 2.0);

/// 1/z that is blurred by this much more than the front; the mask is above 0.
float inverseAt(float apart, float frontRadius, float mask) {
  return (mask * optics.farRadius - frontRadius - apart) / (mask * optics.farRadiusFocus);
}

/// Largest and least 1/z that is seen.
vec2 seenAround(ivec2 texel, float front) {
  float around = farthestAround(texel);
#if ANY_LENS
  return vec2(front, 2.0 * around - front);
#else
  float mask = focusMaskAt(texel);
  float frontRadius = radiusOfInverse(front, mask);
  float mostApart = radiusOfInverse(0.0, mask) - frontRadius;
  if (2.0 * around >= front || mostApart < DOF_APART) return kNothing;
  int first = int(DOF_SEEN_REACH * DOF_APART), last = int(ceil(DOF_SEEN_REACH * mostApart));
  ivec2 end = textureSize(picture, 0) - 1;
  int nearest = last + 1, farthestStep = -1;
  for (int i = 0; i < 8; ++i) {
    float angle = 0.785398 * float(i) + 0.3;
    vec2 direction = vec2(cos(angle), sin(angle));
    for (int at = first; at <= last; ++at) {
      ivec2 q = clamp(texel + ivec2(round(float(at) * direction)), ivec2(0), end);
      float inverse = max(inverseAt(float(at) / DOF_SEEN_REACH, frontRadius, mask), 0.0);
      if (inverseOf(texelFetch(picture, q, 0).a) >= 0.5 * (inverse + front)) continue;
      nearest = min(nearest, at);
      farthestStep = max(farthestStep, at);
    }
  }
  if (farthestStep < 0) return kNothing;
  // The last step stands for everything beyond: radii are cut.
  return vec2(inverseAt(float(nearest - 1) / DOF_SEEN_REACH, frontRadius, mask),
              farthestStep + 1 >= last
                  ? -1.0
                  : inverseAt(float(farthestStep + 1) / DOF_SEEN_REACH, frontRadius, mask));
#endif
}

void main() {
  uint slot = invocationIndex();
  if (slot >= params.tilesX * params.tilesY * DOF_TILE_PIXELS) return;
  ivec2 texel = ivec2(pixelOf(slot));
  float front = isPixelOf(slot) ? inverseOf(texelFetch(picture, texel, 0).a) : 0.0;
  vec2 range = front > 0.0 ? seenAround(texel, front) : vec2(-1.0);
  seen[3u * slot] = front > 0.0 ? front * (1.0 - DOF_SAME_DEPTH) : -1.0;
  seen[3u * slot + 1u] = range.x;
  seen[3u * slot + 2u] = range.y;
}
