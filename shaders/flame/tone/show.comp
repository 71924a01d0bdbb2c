// SPDX-License-Identifier: BSD-3-Clause
// A tone-mapped flame as linear light: one invocation per pixel. Its values are those of a file
// (sRGB, 0..255, the background already behind); with transparency there is no background. Color
// stays multiplied by alpha, so that over black it is the opaque picture.
#include "shaders/common/invocation.glsl"
#include "shaders/flame/tone/show_shared.h"

layout(local_size_x = FLAME_SHOW_SIZE) in;
layout(binding = FLAME_SHOW_IMAGE_DISPLAYED, rgba32f) restrict readonly uniform image2D displayed;
layout(binding = FLAME_SHOW_IMAGE_LIGHT, rgba32f) restrict writeonly uniform image2D light;
layout(binding = FLAME_SHOW_BIND_PARAMS, std140) uniform Block { ShowParams params; };

vec3 linearFromSrgb(vec3 encoded) {
  vec3 toe = encoded / 12.92;
  vec3 power = pow((encoded + 0.055) / 1.055, vec3(2.4));
  return mix(power, toe, lessThanEqual(encoded, vec3(0.04045)));
}

void main() {
  uint index = invocationIndex();
  if (index >= uint(params.size.x) * uint(params.size.y)) return;
  ivec2 pixel = ivec2(int(index) % params.size.x, int(index) / params.size.x);
  vec4 value = imageLoad(displayed, pixel);
  float alpha = params.transparent != 0u ? clamp(value.a, 0.0, 1.0) : 1.0;
  imageStore(light, pixel, vec4(linearFromSrgb(max(value.rgb / 255.0, vec3(0.0))), alpha));
}
