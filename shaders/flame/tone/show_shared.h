// SPDX-License-Identifier: BSD-3-Clause
// Bindings of show.comp, which turns a tone-mapped flame into linear light.
#ifndef SHADERS_FLAME_SHOW_SHARED_H
#define SHADERS_FLAME_SHOW_SHARED_H

#define FLAME_SHOW_IMAGE_DISPLAYED 0  // image    rgba32f, 0..255 and alpha   ToneMapper
#define FLAME_SHOW_IMAGE_LIGHT 1      // image    rgba32f, premultiplied      show
#define FLAME_SHOW_BIND_PARAMS 0      // uniform  ShowParams                  host
#define FLAME_SHOW_SIZE 64            // invocations per work group

#ifdef __cplusplus
#include <glm/vec2.hpp>

#include <cstdint>
namespace fathom::flame::shared {
using glm::ivec2;
using uint = std::uint32_t;
#endif

struct ShowParams {
  ivec2 size;        // pixels
  uint transparent;  // 0: alpha becomes 1
  uint unused;
};

#ifdef __cplusplus
}  // namespace fathom::flame::shared
#endif
#endif
