// SPDX-License-Identifier: BSD-3-Clause
// A flat picture on the CPU: linear, premultiplied RGBA in float, top row first.
#pragma once

#include <cstddef>
#include <vector>

#include <glm/vec4.hpp>

namespace fathom {

struct Image {
  int width = 0, height = 0;
  std::vector<glm::vec4> pixels;  // vec4[height][width]

  Image() = default;
  Image(int w, int h, glm::vec4 fill = glm::vec4(0))
      : width(w), height(h), pixels(std::size_t(w) * std::size_t(h), fill) {}

  glm::vec4& at(int x, int y) {
    return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  }
  const glm::vec4& at(int x, int y) const {
    return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  }
};

}  // namespace fathom
