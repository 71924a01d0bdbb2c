// SPDX-License-Identifier: BSD-3-Clause
// Sparse images into textures, on the GPU: each pixel finds its payload by counting bits.
#pragma once

#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/gpu/texture.h"

namespace fathom::active_pixel {

class Decoder {
 public:
  explicit Decoder(gpu::Context& gpu) : gpu_(gpu) {}

  /// Texel row 0 is the bottom row. `color`: Rgba8, or Rgba32f (with alpha 1 for Rgb32f), not made
  /// for Color::None; `depth`: R32f, not made for blending. They are kept when their size and
  /// format fit. Inactive pixels get the background and depth 1. The image is indexed and has
  /// pixels. Throws Error when the device cannot address so many words.
  struct Decoded {
    gpu::Texture color, depth;
  };
  void decode(const DeviceImage& image, glm::vec4 background, Decoded& result);

 private:
  gpu::Context& gpu_;
};

/// Waits, and brings the textures back as a frame.
Frame download(const Decoder::Decoded& decoded, const Format& format, int width, int height);

}  // namespace fathom::active_pixel
