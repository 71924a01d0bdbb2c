// SPDX-License-Identifier: BSD-3-Clause
// Layouts and bindings that C++ and GLSL share for showing a composited frame.
#ifndef SHADERS_ACTIVE_PIXEL_SHOW_SHARED_H
#define SHADERS_ACTIVE_PIXEL_SHOW_SHARED_H

#define AP_SHOW_BIND_PARAMS 0   // uniform  ShowParams                             host
#define AP_SHOW_BIND_REGIONS 0  // storage  ShowRegion[regionCount]                host
#define AP_SHOW_TEXTURE_FRAME 0 // rgba, bottom row first: the composited frame
#define AP_SHOW_TEXTURE_CODES 1 // r32ui, bottom row first: counts or runs (overlay.h)
#define AP_SHOW_IMAGE_RESULT 0  // rgba32f, top row first: linear, premultiplied
#define AP_SHOW_TILE 16         // invocations a side of a work group

// As Show in app/engine/active_pixel/settings.h.
#define AP_SHOW_PICTURE 0
#define AP_SHOW_PARTS 1
#define AP_SHOW_ACTIVE 2
#define AP_SHOW_RUNS 3
#define AP_SHOW_REGIONS 4

#ifdef __cplusplus
#include <cstdint>

#include <glm/vec4.hpp>
namespace fathom::active_pixel::shared {
using uint = std::uint32_t;
using vec4 = glm::vec4;
using ivec4 = glm::ivec4;
#endif

struct ShowRegion {
  ivec4 area;  // x, y from the lower left corner, width, height
  vec4 color;  // rgb linear
};

struct ShowParams {
  uint width, height;
  uint encoded;      // 1: the frame's color is sRGB encoded
  uint regionCount;
};

#ifdef __cplusplus
static_assert(sizeof(ShowRegion) == 32 && sizeof(ShowParams) == 16);
}  // namespace fathom::active_pixel::shared
#endif
#endif
