// SPDX-License-Identifier: BSD-3-Clause
// Overlays of the picture; one invocation per pixel.
//
//   SHOW 1 circles      gray, near blur in blue, far blur in orange, by radius
//   SHOW 2 focal plane  what is sharper than a pixel keeps its color and is tinted, the rest is gray
//   SHOW 3 difference   picture minus truth, amplified, around gray
#include "shaders/common/invocation.glsl"
#include "shaders/dof/shared.h"
#ifndef SHOW
#define SHOW 1
#endif
#ifndef SAMPLES
#define SAMPLES 1  // of `picture` along a pixel's side
#endif
layout(local_size_x = DOF_TILE, local_size_y = DOF_TILE) in;

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };
layout(binding = DOF_TEXTURE_PICTURE) uniform sampler2D picture;  // color, Z
layout(binding = DOF_TEXTURE_TRUTH) uniform sampler2D truth;
layout(binding = DOF_TEXTURE_BLURRED) uniform sampler2D blurred;
#include "shaders/dof/focus_mask.glsl"
layout(binding = DOF_IMAGE_RESULT, rgba32f) uniform restrict writeonly image2D result;

const vec3 kNear = vec3(0.05, 0.25, 0.9), kFar = vec3(0.95, 0.35, 0.03), kSharp = vec3(0.1, 0.8, 0.5);

void main() {
  ivec2 pixel = ivec2(gridInvocation());
  if (pixel.x >= int(params.width) || pixel.y >= int(params.height)) return;
  vec3 color = texelFetch(blurred, pixel, 0).rgb;  // over black
#if SHOW == 3
  color = 0.18 + optics.differenceGain * (color - texelFetch(truth, pixel, 0).rgb);
#else
  ivec2 texel = pixel * SAMPLES + SAMPLES / 2 + int(params.margin);
  float z = texelFetch(picture, texel, 0).a;
  bool background = !(z > 0.0 && z <= 1e9);
  float r = optics.farRadius - (background ? 0.0 : optics.farRadiusFocus / z);
  r *= focusMaskAt(texel);
  vec3 gray = vec3(dot(min(color, vec3(1.0)), vec3(0.2126, 0.7152, 0.0722)));
#if SHOW == 1
  float strength = sqrt(clamp(abs(r) / optics.maxRadius, 0.0, 1.0));
  color = abs(r) < 1.0 ? gray : mix(gray, r < 0.0 ? kNear : kFar, 0.25 + 0.65 * strength);
#else
  color = abs(r) < 1.0 ? mix(color, kSharp, 0.55) : 0.35 * gray;
#endif
#endif
  imageStore(result, pixel, vec4(max(color, vec3(0.0)), 1.0));
}
