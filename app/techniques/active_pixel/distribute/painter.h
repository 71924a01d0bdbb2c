// SPDX-License-Identifier: BSD-3-Clause
// One rank's frame before compositing: it draws its share, reads back or compresses as its mode
// asks, and keeps the times.
#pragma once

#include "app/techniques/active_pixel/compress/compressor.h"
#include "app/techniques/active_pixel/compress/space.h"
#include "app/techniques/active_pixel/distribute/compositor.h"
#include "app/techniques/active_pixel/share/share.h"

#include <cstdint>
#include <memory>

namespace fathom::active_pixel {

/// A rank's frame in numbers: milliseconds, and bytes of its image in three forms (Lipinski et al.
/// 2021, table 2 and figure 4).
struct FrameFigures {
  double render = 0, read = 0, compress = 0, compose = 0, collect = 0;
  double rawBytes = 0;     // of the whole frame
  double regionBytes = 0;  // of the region that was drawn
  double sparseBytes = 0;  // compressed; 0 where IceT compresses, which does not report it
};

/// Shared by all painters of a process: a compressor and the textures that are drawn into.
struct PaintBox {
  PaintBox(gpu::Context& context, const CompressionConfig& compression)
      : gpu(context), compressor(context), config(compression) {
    compressor.setSpread(config.spread);
  }
  gpu::Context& gpu;
  Compressor compressor;
  CompressionConfig config;
  std::shared_ptr<ShareTargets> targets = std::make_shared<ShareTargets>();
};

struct PaintSetup {
  Format format;
  glm::ivec2 size{0};  // of the global picture
  std::vector<Tile> tiles;
  std::optional<glm::vec3> rankColor;
};

class Painter {
 public:
  Painter(PaintBox& box, std::shared_ptr<const Share> share, const PaintSetup& setup);

  /// Draws the whole picture, from which tile() then takes pieces.
  void draw(const Camera& camera);
  /// What a compositor wants of this rank for a tile, without sparse or frame where nothing was
  /// drawn (nothing is read back or compressed then). Lasts until the next call or draw().
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

/// The common part; may be empty.
Region intersection(const Region& a, const Region& b);

}  // namespace fathom::active_pixel
