// SPDX-License-Identifier: BSD-3-Clause
// A scene on the GPU, and drawing it with any raster pass whose vertex shader is
// shaders/scene/scene.vert.
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/scene/scene.h"

namespace fathom {

/// Options of drawing a part.
struct SceneDraw {
  bool depthTest = false, depthWrite = false;
  gpu::Blend blend = gpu::Blend::Off;
  bool bottomFirst = false;  // row 0 of the target is the picture's bottom row, as GL has it
  /// Opaque: batches whose every fragment has alpha 1; Translucent: the others.
  enum class Surfaces { All, Opaque, Translucent } surfaces = Surfaces::All;
};

class SceneRenderer {
 public:
  /// Uploads the scene; the vertices are cut into several buffers when one storage block cannot
  /// hold them. Draws the sun map when the scene's lighting has shadows.
  SceneRenderer(gpu::Context& context, std::shared_ptr<const Scene> scene);

  /// Draws one part in index order; batches outside the frustum are skipped. The pass's fragment
  /// shader includes shaders/scene/shade.glsl and calls shadeFragment() or sceneAlpha(). Two passes
  /// over the same arguments see exactly the same fragments (invariant positions). `viewport` is
  /// the whole picture, `region` the part of it that may be touched; both in pixels, top row first:
  /// gl_FragCoord is flipped by the vertex shader so that row 0 is the top. Everything but the
  /// scene must be bound to the pass already. With bottomFirst, viewport and region count from the
  /// bottom row.
  void drawPart(gpu::RasterPass& pass, const gpu::Target& target, std::size_t part,
                const Camera& camera, const Rect& viewport, const Rect& region,
                const SceneDraw& how = {});

  const Scene& scene() const { return *scene_; }
  std::int64_t bytes() const;

 private:
  /// Batches of one part that share a vertex buffer and a texture, and are opaque or not, in
  /// drawing order.
  struct Group {
    std::size_t chunk;
    int texture;
    bool opaque;
    std::size_t firstBatch, batchCount;
  };
  struct ColorTexture {
    gpu::Texture texture;
    bool opaque;
  };
  struct View;
  bool isOpaque(const SceneBatch& batch) const;
  const gpu::Texture& textureOf(const Group& group, const View& view) const;
  void uploadBatches();
  void uploadTextures();
  void drawSunMap();
  void draw(gpu::RasterPass& pass, const gpu::Target& target, std::size_t part, const View& view,
            const gpu::DrawState& state);

  gpu::Context& context_;
  std::shared_ptr<const Scene> scene_;
  std::vector<gpu::Buffer<scene::shared::Vertex>> vertices_;  // by chunk
  gpu::Words indices_;  // as in the scene, but relative to the batch's chunk
  gpu::Buffer<scene::shared::Material> materials_;
  gpu::TexelView materialTexels_;
  std::vector<ColorTexture> textures_;
  gpu::Texture white_, sunMap_;
  glm::mat4 sunMatrix_{1};
  std::vector<std::vector<Group>> groups_;  // by part
};

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
