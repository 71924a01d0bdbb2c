// SPDX-License-Identifier: BSD-3-Clause
// Compositing inside this process: what N parts have drawn is folded into one frame, as IceT would
// do it with N ranks. The window needs no MPI, and neither does a program that was built without.
#pragma once

#include "app/techniques/active_pixel/engine.h"

#include <span>

namespace fathom::active_pixel {

/// Composites the parts of one tile of a size. `order` is front to back, for blending; empty: as
/// they stand. Of equal depths the later part in the order wins. A part may be empty, sparse or a
/// frame; sparse images keep their contents and must be sound (reference::check()). Throws Error
/// when one has another size or format.
Frame compositeInProcess(const EngineSetup& setup, const Tile& tile,
                         std::span<const TileInput> parts, std::span<const int> order = {});

/// The background behind a blended frame; both premultiplied.
void putBehind(Frame& frame, glm::vec4 background);

}  // namespace fathom::active_pixel
