// SPDX-License-Identifier: BSD-3-Clause
// Layouts and bindings that C++ and GLSL share for drawing the share of a rank. Bindings stay below
// those of shaders/scene/shared.h, which the same passes use.
#ifndef SHADERS_ACTIVE_PIXEL_DRAW_SHARED_H
#define SHADERS_ACTIVE_PIXEL_DRAW_SHARED_H

#define AP_DRAW_BIND_PARAMS 0  // uniform  DrawParams  host

#ifdef __cplusplus
#include <glm/vec4.hpp>
namespace fathom::active_pixel::shared {
using vec4 = glm::vec4;
#endif

struct DrawParams {
  vec4 flatColor;  // rgb linear, w 1: everything is drawn in it, 0.5: with light and shade
  vec4 alpha;      // fragments with x <= alpha < y are drawn; z 1: as opaque; w 1: sRGB encoded
};

#ifdef __cplusplus
static_assert(sizeof(DrawParams) == 32);
}  // namespace fathom::active_pixel::shared
#endif
#endif
