// SPDX-License-Identifier: BSD-3-Clause
// Sources of fragments for splat.comp: a flat picture (one per pixel), or lists of fragments
// per pixel, uploaded from a deep image or captured from a scene. Sources answer for any run of
// tile rows, so that no picture is too large.
#pragma once

#include "app/core/deep_image.h"
#include "app/gpu/pass.h"
#include "app/gpu/sort/scan.h"
#include "app/scene/scene_renderer.h"
#include "shaders/dof/shared.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fathom::dof {

/// Rows of tiles, first <= row < first + count.
struct TileRows {
  int first = 0, count = 0;
  int end() const { return first + count; }
  bool operator==(const TileRows&) const = default;
};

inline int tilesOver(int pixels) { return (pixels + DOF_TILE - 1) / DOF_TILE; }

class Source {
 public:
  virtual ~Source() = default;
  glm::ivec2 size() const { return size_; }
  int tilesX() const { return tilesOver(size_.x); }
  int tilesY() const { return tilesOver(size_.y); }
  /// uint[tileCount + 1] on the GPU: the first splat of each tile.
  const gpu::Buffer<std::uint32_t>& tileSplats() const { return tileSplats_; }
  /// The first splat of a row of tiles; of row tilesY(): how many there are.
  std::uint32_t rowStart(int row) const { return rowStarts_[std::size_t(row)]; }
  std::uint32_t splatCount() const { return rowStarts_.back(); }
  /// The largest buffer per splat that this source needs beside the splats themselves, in bytes.
  virtual int bytesPerFragment() const { return 0; }
  /// splat.comp's SOURCE.
  virtual int kind() const = 0;
  /// Makes the fragments of these rows available to the pass.
  virtual void bind(gpu::Program& splat, TileRows rows) = 0;

 protected:
  Source(gpu::Context& gpu, glm::ivec2 size);
  gpu::Context& gpu_;
  glm::ivec2 size_;
  gpu::Buffer<std::uint32_t> tileSplats_;
  std::vector<std::uint32_t> rowStarts_;
};

/// A flat picture: rgba32f texture of linear color and planar Z; not owned.
class PictureSource : public Source {
 public:
  PictureSource(gpu::Context& gpu, const gpu::Texture& colorAndDepth);
  int kind() const override { return 0; }
  void bind(gpu::Program& splat, TileRows rows) override;

 private:
  const gpu::Texture& picture_;
};

/// Lists of fragments as splat.comp reads them: those of the rows in tile order, and the picture of
/// the front surfaces (as PictureSource takes it, not owned), which decides what a lens can see
/// behind them.
class ListSource : public Source {
 public:
  int kind() const override { return 1; }
  int bytesPerFragment() const override { return 16; }
  void bind(gpu::Program& splat, TileRows rows) override;

 protected:
  ListSource(gpu::Context& gpu, const gpu::Texture& front);
  virtual void fill(TileRows rows) = 0;
  std::size_t slotCount() const {
    return std::size_t(tilesX()) * std::size_t(tilesY()) * DOF_TILE_PIXELS;
  }
  const gpu::Texture& front_;
  gpu::Buffer<std::uint32_t> slots_, cursors_;  // see shaders/dof/shared.h
  gpu::Buffer<std::uint32_t> fragments_;        // uvec4[...]
  TileRows filled_;
};

/// A deep image on the CPU (Half or Rgba8).
class DeepSource : public ListSource {
 public:
  DeepSource(gpu::Context& gpu, std::shared_ptr<const DeepImage> image, const gpu::Texture& front);

 private:
  void fill(TileRows rows) override;
  std::shared_ptr<const DeepImage> image_;
  std::vector<std::uint32_t> offsets_;  // as slots_
};

/// Every fragment of a scene: counted once for the whole picture, captured for the rows asked for.
class CaptureSource : public ListSource {
 public:
  CaptureSource(gpu::Context& gpu, SceneRenderer& renderer, const Camera& camera,
                const gpu::Texture& front);

 private:
  void draw(const char* name, const char* shader, TileRows rows);
  void count();
  void fill(TileRows rows) override;
  shared::Params params(TileRows rows) const;

  SceneRenderer& renderer_;
  Camera camera_;
  gpu::Target target_;
};

}  // namespace fathom::dof
