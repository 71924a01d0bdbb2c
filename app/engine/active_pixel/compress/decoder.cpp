// SPDX-License-Identifier: BSD-3-Clause
// One pass over the pixels of an indexed image; backgrounds are given as the words of a pixel.
#include "app/engine/active_pixel/compress/decoder.h"

#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/core/bytes.h"
#include "app/engine/gpu/pass.h"

namespace fathom::active_pixel {

using gpu::TextureFormat;

namespace {

/// The words that a pixel of this color has.
void setBackground(const Format& format, glm::vec4 background, std::uint32_t (&words)[4]) {
  Frame pixel(format, 1, 1, background);
  if (format.color == Color::Rgb32f) background.a = 1;
  std::memcpy(words, &background, sizeof words);
  if (format.color == Color::Rgba8) std::memcpy(words, pixel.colorAt(0), 4);
}

}  // namespace

void Decoder::decode(const DeviceImage& image, glm::vec4 background, Decoded& result) {
  FATHOM_CHECK(image.indexed);
  FATHOM_CHECK(image.width > 0 && image.height > 0);
  const bool hasColor = image.format.color != Color::None;
  const bool hasDepth = image.format.depth != Depth::None;
  const glm::ivec2 size(image.width, image.height);
  if (hasColor)
    gpu::ensure(gpu_, result.color, "decoded color",
                image.format.color == Color::Rgba8 ? TextureFormat::Rgba8 : TextureFormat::Rgba32f,
                size);
  if (hasDepth) gpu::ensure(gpu_, result.depth, "decoded depth", TextureFormat::R32f, size);

  shared::DecodeParams params{};
  params.source = sourceOf(image);
  params.width = std::uint32_t(image.width);
  params.height = std::uint32_t(image.height);
  setBackground(image.format, background, params.background);
  const gpu::TexelView words(gpu_, image.words);
  gpu::Pass& pass =
      gpu_.pass({"decode pixels", "shaders/active_pixel/decode.comp", definesOf(image.format)});
  pass.storage(AP_BIND_FRONT_MASKS, image.masks)
      .storage(AP_BIND_FRONT_PREFIX, image.prefix)
      .texels(AP_TEXTURE_COLOR, words)
      .params(AP_BIND_PARAMS, params);
  if (hasColor) pass.imageWords(AP_IMAGE_COLOR, result.color);
  if (hasDepth) pass.imageWords(AP_IMAGE_DEPTH, result.depth);
  gpu::dispatch(pass, std::uint64_t(image.width) * std::uint64_t(image.height), gpu::Each{60});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Storage | gpu::Access::Transfer);
}

Frame download(const Decoder::Decoded& decoded, const Format& format, int width, int height) {
  Frame frame(format, width, height);
  if (frame.pixelCount() == 0) return frame;
  if (format.color == Color::Rgb32f) {
    std::vector<glm::vec4> colors(frame.pixelCount());
    decoded.color.read(colors.data(), std::int64_t(colors.size() * sizeof(glm::vec4)));
    for (std::size_t i = 0; i < colors.size(); ++i) frame.setColor(i, colors[i]);
  } else if (format.color != Color::None) {
    decoded.color.read(frame.color.data(), std::int64_t(frame.color.size()));
  }
  if (format.depth != Depth::None)
    decoded.depth.read(frame.depth.data(), std::int64_t(frame.depth.size() * 4));
  return frame;
}

}  // namespace fathom::active_pixel
