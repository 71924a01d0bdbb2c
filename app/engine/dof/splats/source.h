// SPDX-License-Identifier: BSD-3-Clause
// How far one sees around each place of a sharp picture, within the reach of a lens: what decides
// at once that most hidden fragments stay hidden, whatever the lens focuses on.
#pragma once

#include "app/engine/dof/settings.h"
#include "app/engine/dof/splats/point_lists.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/scan.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/scene/scene_renderer.h"
#include "shaders/dof/shared.h"

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

/// Columns or rows of tiles, first <= i < first + count.
struct TileRange {
  int first = 0, count = 0;
  int end() const { return first + count; }
  bool contains(int i) const { return i >= first && i < end(); }
  /// `by` more on each side, within 0 .. size.
  TileRange widened(int by, int size) const {
    const int from = std::max(0, first - by);
    return {from, std::min(size, end() + by) - from};
  }
  bool operator==(const TileRange&) const = default;
};

/// A rectangle of tiles.
struct TileArea {
  TileRange columns, rows;
  bool contains(glm::ivec2 tile) const { return columns.contains(tile.x) && rows.contains(tile.y); }
  int tileCount() const { return columns.count * rows.count; }
  bool operator==(const TileArea&) const = default;
};

inline int tilesOver(int pixels) { return (pixels + DOF_TILE - 1) / DOF_TILE; }

class Source {
 public:
  virtual ~Source() = default;
  /// Of the picture that is to be made.
  glm::ivec2 size() const { return size_; }
  int tilesX() const { return tilesOver(size_.x); }
  int tilesY() const { return tilesOver(size_.y); }
  /// Pixels beyond it on each side, in whole tiles; rows of the source begin there.
  int margin() const { return margin_; }
  glm::ivec2 sourceSize() const { return size_ + 2 * margin_; }
  int sourceTilesX() const { return tilesOver(sourceSize().x); }
  int sourceTilesY() const { return tilesOver(sourceSize().y); }
  /// uint[sourceTileCount + 1] on the GPU: the first splat of each tile.
  const gpu::Words& tileSplats() const { return tileSplats_; }
  /// The first splat among those of all tiles of the source, which lie row by row; column
  /// sourceTilesX() is the end of the row.
  std::uint32_t tileStart(int column, int row) const {
    return starts_[std::size_t(row) * std::size_t(sourceTilesX()) + std::size_t(column)];
  }
  std::uint32_t splatCount() const { return starts_.back(); }
  std::uint64_t splatsIn(const TileArea& area) const;
  std::uint32_t mostInTile() const;
  /// The largest buffer per splat that this source needs beside the splats themselves, in bytes.
  virtual int bytesPerFragment() const { return 0; }
  /// splat.comp's SOURCE, and whether the picture has an alpha of its own.
  virtual int kind() const = 0;
  virtual bool hasAlpha() const { return false; }
  /// The splats of these tiles of a source from a file by the numbers of their points: of pixels,
  /// or of `lists`, with kBackground after those of each pixel. Beyond the border, `edges` says.
  static constexpr std::uint32_t kBackground = UINT32_MAX;
  std::vector<std::uint32_t> pointsIn(const TileArea& area, Edges edges,
                                      const PointLists* lists) const;
  /// The focus mask with the margin (r32f), not owned; null: none.
  const gpu::Texture* mask() const { return mask_; }
  void setMask(const gpu::Texture* mask) { mask_ = mask; }
  /// Makes the fragments of these tiles of the source available to the pass.
  virtual void bind(gpu::Program& splat, const TileArea& area) = 0;
  /// Where the splats of an area of the source lie, for each pass over its tiles (shifts.glsl).
  void bindShifts(gpu::Program& pass, const TileArea& area);

 protected:
  /// `margin` is a multiple of DOF_TILE.
  Source(gpu::Context& gpu, glm::ivec2 sourceSize, int margin);
  gpu::Context& gpu_;
  glm::ivec2 size_;
  int margin_;
  const gpu::Texture* mask_ = nullptr;
  gpu::Words tileSplats_;
  std::vector<std::uint32_t> starts_;  // as tileSplats_
  /// By how much fragments of a row of the area come later among all than within the area.
  std::vector<std::uint32_t> shiftsOf(const TileArea& area) const;
  /// Another picture: nothing that was made of starts_ holds.
  void forgetShifts() { shiftsFor_ = {}; }

 private:
  gpu::Buffer<glm::uvec4> shifts_;
  gpu::TexelView shiftTexels_;
  TileArea shiftsFor_;
};

/// A flat picture: rgba32f texture of linear color and planar Z, r32f of alpha (null: opaque where
/// there is something); not owned, both with the margin.
class PictureSource : public Source {
 public:
  PictureSource(gpu::Context& gpu, const gpu::Texture& colorAndDepth, int margin = 0,
                const gpu::Texture* alpha = nullptr);
  int kind() const override { return 0; }
  bool hasAlpha() const override { return alpha_ != nullptr; }
  void bind(gpu::Program& splat, const TileArea& area) override;

 private:
  const gpu::Texture& picture_;
  const gpu::Texture* alpha_;
};

/// Lists of fragments as splat.comp reads them: those of an area in tile order, and the picture of
/// the front surfaces (as PictureSource takes it, not owned), which decides what a lens can see
/// behind them.
class ListSource : public Source {
 public:
  void bind(gpu::Program& splat, const TileArea& area) override;

 protected:
  ListSource(gpu::Context& gpu, const gpu::Texture& front, int margin, int maxRadius);
  virtual void fill(const TileArea& area) = 0;
  std::size_t tileCount() const {
    return std::size_t(sourceTilesX()) * std::size_t(sourceTilesY());
  }
  std::size_t slotCount() const { return tileCount() * DOF_TILE_PIXELS; }
  const gpu::Texture& front_;
  FarthestAround farthest_;
  gpu::Words slots_, cursors_;  // see shaders/dof/shared.h
  gpu::Words fragments_;        // see splat.comp
  TileArea filled_;
};

/// Lists on the CPU; beyond their border, they go on as `edges` says.
class DeepSource : public ListSource {
 public:
  DeepSource(gpu::Context& gpu, std::shared_ptr<const PointLists> lists, const gpu::Texture& front,
             int margin, int maxRadius, Edges edges);
  int kind() const override { return 1; }
  int bytesPerFragment() const override { return 32; }

 private:
  void fill(const TileArea& area) override;
  std::shared_ptr<const PointLists> lists_;
  Edges edges_;
  std::vector<std::uint32_t> offsets_;  // as slots_
};

/// Through which lens hidden fragments are to be seen; `any`: through all with radii up to the
/// largest.
struct SeenBy {
  float farRadius = 0, farRadiusFocus = 0;  // as in shared::Optics
  int maxRadius = 0;                        // px
  bool any = false;
  const gpu::Texture* mask = nullptr;  // see Source::mask()
  bool operator==(const SeenBy&) const = default;
};

/// The fragments of a scene that a lens sees: counted once for the whole picture, captured for the
/// tiles asked for.
class CaptureSource : public ListSource {
 public:
  /// `camera` sees the picture with its margin.
  CaptureSource(gpu::Context& gpu, SceneRenderer& renderer, const Camera& camera,
                const gpu::Texture& front, int margin, const SeenBy& lens);
  /// Sees the scene from elsewhere; keeps its buffers. The front picture has been drawn anew.
  void retake(const Camera& camera, const SeenBy& lens);
  /// Holds what this lens sees.
  bool serves(const SeenBy& lens) const {
    return lens_ == lens || (lens_.any && lens_.maxRadius == lens.maxRadius);
  }
  int kind() const override { return 2; }
  int bytesPerFragment() const override { return 16; }

 private:
  void draw(const gpu::RasterPassKey& key, const TileArea& area, const SceneDraw& how);
  void countSurfaces(SceneDraw::Surfaces surfaces);
  void findSeen(const shared::Params& all);
  void cullHidden(const shared::Params& all);
  void count();
  void fill(const TileArea& area) override;
  void sortLong(const TileArea& area);
  shared::Params params(const TileArea& area) const;
  TileArea wholeSource() const { return {{0, sourceTilesX()}, {0, sourceTilesY()}}; }

  SceneRenderer& renderer_;
  Camera camera_;
  gpu::Texture hidden_;  // depths beyond which nothing is captured
  gpu::Target target_;
  gpu::Scanner scanner_;
  gpu::Buffer<float> seen_;  // see find_seen.comp
  SeenBy lens_;
};

/// Where a pixel beyond the border 0 .. size gets its contents from.
int insideOf(int at, int size, Edges edges);

}  // namespace fathom::dof
