// SPDX-License-Identifier: BSD-3-Clause
// The usual filter, for comparison: one invocation per pixel takes Vogel taps within its own blur
// radius. A tap counts if it is not nearer than the center (2 % tolerance), else only if its own blur
// reaches the center. Deterministic.
#include "shaders/common/invocation.glsl"
#include "shaders/dof/shared.h"
layout(local_size_x = DOF_TILE, local_size_y = DOF_TILE) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D picture;
#ifndef HAS_ALPHA
#define HAS_ALPHA 0  // the picture has an alpha of its own
#endif
layout(binding = DOF_TEXTURE_ALPHA) uniform sampler2D pictureAlpha;
#include "shaders/dof/focus_mask.glsl"
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D result;

bool isBackground(float z) { return !(z > 0.0 && z <= 1e9); }

float radiusOf(float z, ivec2 pixel) {
  float r = optics.farRadius - (isBackground(z) ? 0.0 : optics.farRadiusFocus / z);
  r *= focusMaskAt(pixel + int(params.margin));
  return clamp(abs(r), 0.0, optics.maxRadius);
}

vec4 texelAt(ivec2 pixel) {
  vec4 texel = texelFetch(
      picture, clamp(pixel + int(params.margin), ivec2(0), textureSize(picture, 0) - 1), 0);
  if (isBackground(texel.a)) texel.a = 1e9;
  for (int c = 0; c < 3; ++c) texel[c] = isnan(texel[c]) ? 0.0 : clamp(texel[c], 0.0, 65504.0);
  return texel;
}

/// Color and alpha: the file's own, or 0 where there is nothing.
vec4 colorAt(ivec2 pixel) {
  ivec2 at = clamp(pixel + int(params.margin), ivec2(0), textureSize(picture, 0) - 1);
  vec4 texel = texelAt(pixel);
#if HAS_ALPHA
  return vec4(texel.rgb, clamp(texelFetch(pictureAlpha, at, 0).r, 0.0, 1.0));
#else
  return vec4(texel.rgb, isBackground(texelFetch(picture, at, 0).a) && texel.rgb == vec3(0.0) ? 0.0 : 1.0);
#endif
}

void main() {
  ivec2 pixel = ivec2(gridInvocation());
  if (pixel.x >= int(params.width) || pixel.y >= int(params.height)) return;
  vec4 center = texelAt(pixel);
  float radius = radiusOf(center.a, pixel);
  vec4 sum = colorAt(pixel);
  float weight = 1.0;
  for (uint i = 0u; i < optics.lensPoints && radius >= 1.0; ++i) {
    float u = radius * sqrt((float(i) + 0.5) / float(optics.lensPoints));
    float angle = float(i) * 2.399963;
    vec2 offset = u * vec2(cos(angle), sin(angle));
    ivec2 at = pixel + ivec2(round(offset));
    vec4 tap = texelAt(at);
    if (tap.a < 0.98 * center.a && radiusOf(tap.a, at) < length(offset)) continue;
    sum += colorAt(at);
    weight += 1.0;
  }
  imageStore(result, pixel, sum / weight);
}
