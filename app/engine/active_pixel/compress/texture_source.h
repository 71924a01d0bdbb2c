// SPDX-License-Identifier: BSD-3-Clause
// The textures of a frame, bound for the passes that compress them: as words where a view gives
// them bit for bit, as floats where not.
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/active_pixel/compress/compressor.h"
#include "shaders/active_pixel/shared.h"

#include <vector>

namespace fathom::active_pixel {

class TextureSource {
 public:
  TextureSource() = default;
  /// Checks that the textures serve the request's format.
  TextureSource(gpu::Context& gpu, const CompressRequest& request);
  /// Of every pass that reads them, shaders/active_pixel/texels.glsl.
  std::vector<gpu::Define> defines() const;
  void bind(gpu::Pass& pass) const;

 private:
  const gpu::Texture *color_ = nullptr, *depth_ = nullptr;  // null: not needed, or seen as words
  gpu::WordView colorWords_, depthWords_;
};

}  // namespace fathom::active_pixel
