// SPDX-License-Identifier: BSD-3-Clause
// Rows are turned upside down, bytes go through sRGB with alpha divided out.
#include "app/engine/active_pixel/image/picture.h"

#include "app/engine/core/color.h"
#include "app/engine/core/error.h"

#include <algorithm>

#include <glm/vec3.hpp>

namespace fathom::active_pixel {
namespace {

using Transfer = float (*)(float);

/// Straight color through a transfer function; alpha is taken out before and multiplied again.
glm::vec4 through(Transfer transfer, const glm::vec4& c) {
  if (!(c.a > 0)) return glm::vec4(0);
  const float alpha = std::min(c.a, 1.0f);
  return {transfer(c.r / c.a) * alpha, transfer(c.g / c.a) * alpha, transfer(c.b / c.a) * alpha,
          alpha};
}

glm::vec4 linearColor(const Frame& frame, std::size_t pixel) {
  const glm::vec4 color = frame.colorOf(pixel);
  const bool active = frame.depth.empty() || frame.depth[pixel] < 1;
  switch (frame.format.color) {
    case Color::Rgba8:
      return through(linearFromSrgb, color);
    case Color::Rgba32f:
      return color;
    case Color::Rgb32f:
      return {glm::vec3(color), active ? 1.0f : 0.0f};
    case Color::None:
      break;
  }
  return active ? glm::vec4(glm::vec3(1 - frame.depth[pixel]), 1) : glm::vec4(0);
}

}  // namespace

Image imageOf(const Frame& frame) {
  Image image(frame.width, frame.height);
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x)
      image.at(x, frame.height - 1 - y) =
          linearColor(frame, std::size_t(y) * std::size_t(frame.width) + std::size_t(x));
  return image;
}

std::vector<float> depthOf(const Frame& frame) {
  std::vector<float> depth;
  depth.reserve(frame.depth.size());
  if (frame.depth.empty()) return depth;
  for (int y = frame.height; y-- > 0;) {
    const auto row = frame.depth.begin() + std::ptrdiff_t(y) * frame.width;
    depth.insert(depth.end(), row, row + frame.width);
  }
  return depth;
}

Frame frameOf(const Image& image, const std::vector<float>& depth, const Format& format) {
  Frame frame(format, image.width, image.height);
  if (!frame.depth.empty()) FATHOM_CHECK_OP(depth.size(), ==, image.pixels.size());
  for (int y = 0; y < image.height; ++y) {
    const auto row = std::size_t(image.height - 1 - y) * std::size_t(image.width);
    for (int x = 0; x < image.width; ++x) {
      const std::size_t to = row + std::size_t(x);
      const glm::vec4& color = image.at(x, y);
      frame.setColor(to, format.color == Color::Rgba8 ? through(srgbFromLinear, color) : color);
      if (!frame.depth.empty())
        frame.depth[to] = depth[std::size_t(y) * std::size_t(image.width) + std::size_t(x)];
    }
  }
  return frame;
}

}  // namespace fathom::active_pixel
