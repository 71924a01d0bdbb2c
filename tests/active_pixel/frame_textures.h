// SPDX-License-Identifier: BSD-3-Clause
// A frame as textures, for the tests that compress on the GPU.
#pragma once

#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/gpu/texture.h"

namespace fathom::test {

struct FrameTextures {
  gpu::Texture color, depth;
  /// Colors bit for bit (those without alpha get one). Depth as R32f, bit for bit, or as Depth32f:
  /// that holds 0..1 only, and the frame gets what was stored.
  FrameTextures(gpu::Context& gpu, active_pixel::Frame& frame, bool depthTexture = false);
  /// The whole frame as an image of its own size.
  active_pixel::CompressRequest request(const active_pixel::Frame& frame) const;
};

}  // namespace fathom::test
