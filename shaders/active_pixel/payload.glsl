// SPDX-License-Identifier: BSD-3-Clause
// The payload of an active pixel and the test for active pixels, on bits alone: GLSL need not support
// NaN and may flush denormal numbers to zero.
//   AP_COLOR  one of AP_COLOR_*        AP_BLEND  1: alpha decides and there is no depth
#ifndef SHADERS_ACTIVE_PIXEL_PAYLOAD
#define SHADERS_ACTIVE_PIXEL_PAYLOAD
#include "shaders/active_pixel/shared.h"
#ifndef AP_COLOR
#define AP_COLOR AP_COLOR_RGBA8
#endif
#ifndef AP_BLEND
#define AP_BLEND 0
#endif

#if AP_COLOR == AP_COLOR_NONE
#define AP_COLOR_WORDS 0u
#elif AP_COLOR == AP_COLOR_RGBA8
#define AP_COLOR_WORDS 1u
#elif AP_COLOR == AP_COLOR_RGB32F
#define AP_COLOR_WORDS 3u
#else
#define AP_COLOR_WORDS 4u
#endif
#if AP_BLEND
#define AP_PAYLOAD AP_COLOR_WORDS
#else
#define AP_PAYLOAD (AP_COLOR_WORDS + 1u)
#endif

/// depth < 1, which NaN is not.
bool isNear(uint depthBits) {
  return depthBits < 0x3F800000u || (depthBits >= 0x80000000u && depthBits <= 0xFF800000u);
}
/// The word that holds alpha: any but zero, of either sign.
bool isVisible(uint alphaWord) {
#if AP_COLOR == AP_COLOR_RGBA8
  return (alphaWord >> 24) != 0;
#else
  return (alphaWord & 0x7FFFFFFFu) != 0;
#endif
}

/// The word of the pair before run `run` (from 0), whose first pixel has `index` before it.
uint pairAt(uint run, uint index) { return 7u + 2u * run + index * AP_PAYLOAD; }

#endif
