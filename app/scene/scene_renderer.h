// SPDX-License-Identifier: BSD-3-Clause
// A scene on the GPU, and drawing it with any raster pass whose vertex shader is
// shaders/scene/scene.vert.
#pragma once

#include "app/gpu/pass.h"
#include "app/scene/scene.h"

namespace fathom {

class SceneRenderer {
 public:
  SceneRenderer(gpu::Context& context, std::shared_ptr<const Scene> scene);

  /// Draws one part in index order; batches outside the frustum are skipped. The pass's fragment
  /// shader includes shaders/scene/shade.glsl and calls shadeFragment(). Two passes over the same
  /// arguments see exactly the same fragments (invariant positions). `viewport` is the whole
  /// picture, `region` the part of it that may be touched; both in pixels, top row first:
  /// gl_FragCoord is flipped by the vertex shader so that row 0 is the top.
  void drawPart(gpu::RasterPass& pass, const gpu::Target& target, std::size_t part,
                const Camera& camera, const Rect& viewport, const Rect& region,
                bool depthTest = false);

  const Scene& scene() const { return *scene_; }
  std::int64_t bytes() const;

 private:
  gpu::Context& context_;
  std::shared_ptr<const Scene> scene_;
  gpu::Buffer<scene::shared::Vertex> vertices_;
  gpu::Buffer<std::uint32_t> indices_;
  gpu::Buffer<scene::shared::Material> materials_;
  std::vector<gpu::Texture> textures_;
  gpu::Texture white_;
};

}  // namespace fathom
