// SPDX-License-Identifier: BSD-3-Clause
// A scene as a flat picture with depth, for techniques that show views of a scene or learn from
// them. The depth test decides which fragment a pixel shows.
#pragma once

#include "app/engine/gpu/texture.h"
#include "app/engine/scene/scene_renderer.h"

#include <cstddef>

#include <glm/vec2.hpp>

namespace fathom {

/// Draws the scene with depth test into rgba32f: linear color and Z, 0 where there is nothing.
/// Surfaces of alpha below one half are left out; with `roll` (from 1), fragments are kept with the
/// probability alpha instead, differently for each roll; `side`: of blocks of pixels that will be
/// averaged, whose thresholds are spread evenly.
class PictureCapture {
 public:
  explicit PictureCapture(gpu::Context& gpu) : gpu_(gpu) {}
  const gpu::Texture& draw(SceneRenderer& renderer, const Camera& camera, glm::ivec2 size,
                           std::size_t roll = 0, int side = 0);
  const gpu::Texture& picture() const { return color_; }

 private:
  gpu::Context& gpu_;
  gpu::Texture color_, depth_;
  gpu::Target target_;
};

}  // namespace fathom
