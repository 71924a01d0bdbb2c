// SPDX-License-Identifier: BSD-3-Clause
// The paper's compressor (Lipinski et al. 2021, sec. 3), step by step, with an array of one word
// per pixel for each: on the program's prefix sum and reduce-by-key. For comparison; the
// fused form is faster and needs a fraction of the memory.
#pragma once

#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/gpu/sort/reduce_by_key.h"
#include "app/engine/gpu/sort/scan.h"

namespace fathom::active_pixel {

class FiveStep {
 public:
  explicit FiveStep(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu), reducer_(gpu) {}
  /// Writes words and facts of `image`, whose region is `source`'s part of the textures: texel
  /// `sourceX, sourceY` lies at the region's lower left pixel. Throws Error when an array of a word
  /// per pixel does not fit a storage block.
  void compress(DeviceImage& image, const TextureSource& source, int sourceX, int sourceY);

 private:
  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  gpu::KeyReducer reducer_;
  gpu::Buffer<std::uint32_t> active_, run_;     // uint[N]: act; new, then the number of the run
  gpu::Buffer<std::uint32_t> runSums_, index_;  // uint[N + 1]
  gpu::Buffer<std::uint32_t> lengths_;          // uint[N]
};

}  // namespace fathom::active_pixel
