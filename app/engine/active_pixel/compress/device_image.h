// SPDX-License-Identifier: BSD-3-Clause
// A sparse image in GPU memory, with what lets shaders find a pixel in it: a bit per pixel and
// prefix sums over these (shaders/active_pixel/shared.h draws the layout).
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/active_pixel/image/model.h"
#include "shaders/active_pixel/shared.h"

#include <cstdint>
#include <vector>

namespace fathom::active_pixel {

struct DeviceImage {
  Format format;
  int width = 0, height = 0;
  Region region;         // outside of it nothing is active; may be empty
  gpu::RawBuffer words;  // header and runs, with room for bufferBytes()
  /// False after the five steps, which leave words and facts only.
  bool indexed = false;
  gpu::Buffer<std::uint32_t> masks;   // uint[region.height][wordsPerRow()]
  gpu::Buffer<std::uint32_t> prefix;  // uint[2 maskCount() + 1]
  gpu::Buffer<shared::Facts> facts;   // one: active pixels, runs, bytes

  std::uint32_t wordsPerRow() const { return (std::uint32_t(region.width) + 31) / 32; }
  std::size_t maskCount() const {
    return region.empty() ? 0 : std::size_t(wordsPerRow()) * std::size_t(region.height);
  }
  /// Makes room for any image of this kind; what it held is lost. Throws Error when it is too large
  /// for IceT's counts or for this device.
  void reserve(gpu::Context& gpu, const Format& newFormat, int newWidth, int newHeight,
               const Region& newRegion);
  /// Nothing is active; without a pass on the GPU. The region must be empty.
  void writeEmpty();
};

/// The words of an image without active pixels.
std::vector<std::uint32_t> emptyImage(const Format& format, int width, int height);

}  // namespace fathom::active_pixel
