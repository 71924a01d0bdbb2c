// SPDX-License-Identifier: BSD-3-Clause
// A sparse image into textures. One invocation per pixel of the image; reads masks, sums and words,
// writes color and depth, or the background and depth 1. Deterministic.
#include "shaders/active_pixel/source.glsl"
#include "shaders/common/invocation.glsl"
layout(local_size_x = AP_SIZE) in;

layout(std430, binding = AP_BIND_FRONT_MASKS) restrict readonly buffer Masks { uint masks[]; };
layout(std430, binding = AP_BIND_FRONT_PREFIX) restrict readonly buffer Prefix { uint prefix[]; };
layout(std140, binding = AP_BIND_PARAMS) uniform Params {
  ApSource source;
  uvec4 background;
  uint width, height;
  uint spare0, spare1;
};
layout(binding = AP_TEXTURE_COLOR) uniform usamplerBuffer imageWords;
#if AP_COLOR == AP_COLOR_RGBA8
layout(r32ui, binding = AP_IMAGE_COLOR) uniform restrict writeonly uimage2D colorImage;
#elif AP_COLOR != AP_COLOR_NONE
layout(rgba32ui, binding = AP_IMAGE_COLOR) uniform restrict writeonly uimage2D colorImage;
#endif
#if !AP_BLEND
layout(r32ui, binding = AP_IMAGE_DEPTH) uniform restrict writeonly uimage2D depthImage;
#endif

uint word(uint at) { return texelFetch(imageWords, int(at >> 2))[at & 3u]; }

/// Where the payload of a pixel starts; 0 when it is not active.
uint find(uint x, uint y) {
  if (!covers(source, x, y)) return 0;
  const uint at = maskIndex(source, x, y), bit = (x - source.left) & 31u;
  const uint mask = masks[at];
  if ((mask >> bit & 1u) == 0) return 0;
  const uint total = prefix[source.wordCount];
  return payloadAt(source, width, at, bit, mask, at > 0 ? masks[at - 1] : 0, prefix[at],
                   prefix[source.wordCount + at] - total);
}

void main() {
  const uint pixel = invocationIndex();
  if (pixel >= width * height) return;
  const uint y = pixel / width, x = pixel - y * width;
  const uint at = find(x, y);
  uvec4 color = background;
  uint depth = 0x3F800000u;  // 1
  if (at != 0) {
#if AP_COLOR != AP_COLOR_NONE
    color.x = word(at);
#if AP_COLOR != AP_COLOR_RGBA8
    color.yz = uvec2(word(at + 1), word(at + 2));
#endif
#if AP_COLOR == AP_COLOR_RGBA32F
    color.w = word(at + 3);
#endif
#endif
#if !AP_BLEND
    depth = word(at + AP_COLOR_WORDS);
#endif
  }
#if AP_COLOR != AP_COLOR_NONE
  imageStore(colorImage, ivec2(x, y), color);
#endif
#if !AP_BLEND
  imageStore(depthImage, ivec2(x, y), uvec4(depth));
#endif
}
