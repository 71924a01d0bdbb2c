// SPDX-License-Identifier: BSD-3-Clause
// What one rank does in a frame before compositing: it draws its share, reads back or compresses
// what its mode wants, and keeps the times.
#pragma once

#include "app/techniques/active_pixel/compressor.h"
#include "app/techniques/active_pixel/engine.h"
#include "app/techniques/active_pixel/share.h"
#include "app/techniques/active_pixel/space.h"

#include <cstdint>
#include <memory>

namespace fathom::active_pixel {

/// A rank's frame in numbers: milliseconds, and bytes of its image in three forms (Lipinski et al.
/// 2021, table 2 and figure 4).
struct FrameFigures {
  double render = 0, read = 0, compress = 0, compose = 0, collect = 0;
  double rawBytes = 0;     // of the whole frame
  double regionBytes = 0;  // of the region that was drawn
  double sparseBytes = 0;  // compressed; 0 where IceT compresses and does not tell
};

/// What all painters of a process share: a compressor and the textures that are drawn into.
struct PaintBox {
  explicit PaintBox(gpu::Context& context) : gpu(context), compressor(context) {}
  /// How to compress pictures of this size, by settings and profile.
  void choose(const Settings& settings, glm::ivec2 size);
  gpu::Context& gpu;
  Compressor compressor;
  Way way;
  std::shared_ptr<ShareTargets> targets = std::make_shared<ShareTargets>();
};

struct PaintSetup {
  Format format;
  glm::ivec2 size{0};  // of the global picture
  std::vector<Tile> tiles;
  std::optional<glm::vec3> partColor;
};

class Painter {
 public:
  Painter(PaintBox& box, std::shared_ptr<const Share> share, const PaintSetup& setup);

  /// Draws the whole picture, of which tile() then takes pieces.
  void draw(const Camera& camera);
  /// What the engine wants of this rank for a tile, without sparse or frame where nothing was drawn
  /// (nothing is read back or compressed then). Lasts until the next call or draw().
  TileInput tile(std::size_t index);
  FrameFigures& figures() { return figures_; }

 private:
  TileInput compressed(const Tile& tile, const Region& shown);
  TileInput readTile(const Tile& tile, const Region& shown);

  PaintBox& box_;
  ShareRenderer renderer_;
  PaintSetup setup_;
  ShareRenderer::Drawn drawn_{};
  bool read_ = false;  // picture_ holds what was drawn last
  Frame picture_;      // of the whole picture
  Frame tileFrame_;    // cut from it, when there are several tiles
  FrameFigures figures_;
};

/// What both have; empty when that is nothing.
Region intersection(const Region& a, const Region& b);

}  // namespace fathom::active_pixel
