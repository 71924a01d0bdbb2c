// SPDX-License-Identifier: BSD-3-Clause
// Compositing inside this process: the images of N ranks are folded into one frame, as IceT would
// composite them over MPI. The window needs no MPI, and neither does a program built without it.
#pragma once

#include "app/engine/active_pixel/distribute/compositor.h"

#include <span>

namespace fathom::active_pixel {

/// Takes in the images of a tile one after the other, front to back when blending; of equal depths
/// the later one wins. Sparse images must be sound (reference::check()).
class InProcess {
 public:
  explicit InProcess(const CompositorSetup& setup);
  /// Throws Error when the image has another size or format than the tile.
  void add(std::size_t tile, const TileImage& image);
  /// The composited tile over the background.
  Frame take(std::size_t tile);

 private:
  CompositorSetup setup_;
  std::vector<Frame> frames_;  // by tile
};

/// All images of one tile. `order` is front to back, for blending; empty: as they stand.
Frame compositeInProcess(const CompositorSetup& setup, const Tile& tile,
                         std::span<const TileImage> images, std::span<const int> order = {});

/// The background behind a blended frame; both premultiplied.
void putBehind(Frame& frame, glm::vec4 background);

}  // namespace fathom::active_pixel
