// SPDX-License-Identifier: BSD-3-Clause
// Frames as textures, bit for bit.
#include "tests/active_pixel/frame_textures.h"

namespace fathom::test {

using active_pixel::Color;
using active_pixel::Depth;
using active_pixel::Frame;
using gpu::TextureFormat;

FrameTextures::FrameTextures(gpu::Context& gpu, Frame& frame, bool depthTexture) {
  const int width = frame.width, height = frame.height;
  const auto write = [](gpu::Texture& texture, const auto& values) {
    texture.write(values.data(), std::int64_t(values.size() * sizeof values[0]));
  };
  if (frame.format.color == Color::Rgba8 || frame.format.color == Color::Rgba32f) {
    const bool bytes = frame.format.color == Color::Rgba8;
    color = gpu::Texture(gpu, "color", bytes ? TextureFormat::Rgba8 : TextureFormat::Rgba32f, width,
                         height);
    write(color, frame.color);
  } else if (frame.format.color == Color::Rgb32f) {
    color = gpu::Texture(gpu, "color", TextureFormat::Rgba32f, width, height);
    std::vector<glm::vec4> values(frame.pixelCount());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = frame.colorOf(i);
    write(color, values);
  }
  if (frame.format.depth == Depth::Float32) {
    depth = gpu::Texture(gpu, "depth", depthTexture ? TextureFormat::Depth32f : TextureFormat::R32f,
                         width, height);
    write(depth, frame.depth);
    if (depthTexture) depth.read(frame.depth.data(), std::int64_t(frame.depth.size() * 4));
  }
}

active_pixel::CompressRequest FrameTextures::request(const Frame& frame) const {
  return {color ? &color : nullptr,
          depth ? &depth : nullptr,
          frame.format,
          frame.width,
          frame.height,
          std::nullopt};
}

}  // namespace fathom::test
