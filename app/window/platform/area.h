// SPDX-License-Identifier: BSD-3-Clause
// A rectangle of the window: what the layout hands to each panel and to the picture.
#pragma once

#include <glm/vec2.hpp>

namespace fathom::viewer {

/// In framebuffer pixels, y downward.
struct Area {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(glm::vec2 p) const {
    return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height;
  }
  glm::vec2 center() const { return {x + width / 2, y + height / 2}; }
  bool operator==(const Area&) const = default;
};

}  // namespace fathom::viewer
