// SPDX-License-Identifier: BSD-3-Clause
// Compositing inside this process: what N parts have drawn is folded into one frame, as IceT would
// do it with N ranks. The window needs no MPI, and neither does a program that was built without.
#pragma once

#include "app/techniques/active_pixel/engine.h"

#include <span>

namespace fathom::active_pixel {

/// Takes in parts one after the other, front to back when blending; of equal depths the later one
/// wins. A part may be empty, sparse or a frame; sparse images keep their contents and must be
/// sound (reference::check()).
class InProcess {
 public:
  explicit InProcess(const EngineSetup& setup);
  /// Throws Error when the part has another size or format than the tile.
  void add(std::size_t tile, const TileInput& part);
  /// The composited tile over the background.
  Frame take(std::size_t tile);

 private:
  EngineSetup setup_;
  std::vector<Frame> frames_;  // by tile
};

/// The parts of one tile at once. `order` is front to back, for blending; empty: as they stand.
Frame compositeInProcess(const EngineSetup& setup, const Tile& tile,
                         std::span<const TileInput> parts, std::span<const int> order = {});

/// The background behind a blended frame; both premultiplied.
void putBehind(Frame& frame, glm::vec4 background);

}  // namespace fathom::active_pixel
