// SPDX-License-Identifier: BSD-3-Clause
// Splats and tile lists as values on the CPU: what the reference takes, what tests and the
// inspector read back.
#pragma once

#include "app/core/rect.h"

#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace fathom::dof {

struct Splat {
  glm::ivec2 pixel{0};
  float z = 0;   // scene units; infinite for the background
  float r2 = 0;  // squared radius of the rim, px, through half; negative: mirrored aperture
  float opacity = 1;
  glm::vec3 color{0};  // linear, not premultiplied
};

struct SplatList {
  glm::ivec2 size{0};         // of the picture
  std::vector<Splat> splats;  // by tile, by pixel, by depth
};

/// One entry of a tile's list, decoded.
struct Entry {
  glm::ivec2 pixel{0};
  float z = 0, r2 = 0, alpha = 0;
  glm::vec3 color{0};
};

}  // namespace fathom::dof
