// SPDX-License-Identifier: BSD-3-Clause
// How far one sees around each place of a sharp picture, within the reach of a lens: what decides
// at once that most hidden fragments stay hidden, whatever the lens focuses on.
#pragma once

#include "app/engine/gpu/texture.h"

namespace fathom::dof {

class FarthestAround {
 public:
  explicit FarthestAround(gpu::Context& gpu) : gpu_(gpu) {}
  /// Of a picture (rgba32f, Z in its alpha), for radii up to `maxRadius` px. Keeps its textures.
  void update(const gpu::Texture& picture, int maxRadius);
  /// r32f, a texel per DOF_BLOCK^2 pixels: least 1/z in the window, 0: background.
  const gpu::Texture& texture() const { return ofBlocks_; }

 private:
  void run(int step, const gpu::Texture& from, const gpu::Texture& to, int blocks);
  gpu::Context& gpu_;
  gpu::Texture ofBlocks_, ofRows_;
};

}  // namespace fathom::dof
