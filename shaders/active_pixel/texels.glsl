// SPDX-License-Identifier: BSD-3-Clause
// Texels of rendered textures as the words of a payload: without conversion where a view of the
// texture gives them (AP_COLOR_VIEW, AP_DEPTH_VIEW 1), else through floats (half float colors, depth
// textures).
#include "shaders/active_pixel/payload.glsl"
#ifndef AP_COLOR_VIEW
#define AP_COLOR_VIEW 1
#endif
#ifndef AP_DEPTH_VIEW
#define AP_DEPTH_VIEW 0
#endif

#if AP_COLOR != AP_COLOR_NONE
#if AP_COLOR_VIEW
layout(binding = AP_TEXTURE_COLOR) uniform usampler2D colorTexture;
uvec4 colorWords(ivec2 texel) { return texelFetch(colorTexture, texel, 0); }
#else
layout(binding = AP_TEXTURE_COLOR) uniform sampler2D colorTexture;
uvec4 colorWords(ivec2 texel) { return floatBitsToUint(texelFetch(colorTexture, texel, 0)); }
#endif
#endif

#if !AP_BLEND
#if AP_DEPTH_VIEW
layout(binding = AP_TEXTURE_DEPTH) uniform usampler2D depthTexture;
uint depthBits(ivec2 texel) { return texelFetch(depthTexture, texel, 0).x; }
#else
layout(binding = AP_TEXTURE_DEPTH) uniform sampler2D depthTexture;
uint depthBits(ivec2 texel) { return floatBitsToUint(texelFetch(depthTexture, texel, 0).x); }
#endif
#endif

bool isActive(ivec2 texel) {
#if !AP_BLEND
  return isNear(depthBits(texel));
#elif AP_COLOR == AP_COLOR_RGBA8
  return isVisible(colorWords(texel).x);
#else
  return isVisible(colorWords(texel).w);
#endif
}
