// SPDX-License-Identifier: BSD-3-Clause
// What the blur of a pixel's fragments is multiplied with (splats/focus_mask.h); places are texels of
// the picture with its margin. MASKED 0: there is no mask.
#ifndef MASKED
#define MASKED 0
#endif
#if MASKED
layout(binding = DOF_TEXTURE_MASK) uniform sampler2D focusMask;
float focusMaskAt(ivec2 texel) {
  return texelFetch(focusMask, clamp(texel, ivec2(0), textureSize(focusMask, 0) - 1), 0).r;
}
#else
float focusMaskAt(ivec2 texel) { return 1.0; }
#endif
