// SPDX-License-Identifier: BSD-3-Clause
// The reference on the CPU: which pixels are active, encoding them byte for byte as IceT does,
// decoding, and compositing two images.
#pragma once

#include "app/engine/active_pixel/image/model.h"

namespace fathom::active_pixel::reference {

bool isActive(const Frame& frame, std::size_t pixel);

/// The whole frame, or a tile of tileWidth x tileHeight that shows part of it.
SparseImage encode(const Frame& frame);
SparseImage encode(const Frame& frame, int tileWidth, int tileHeight, const Placement& placement);

/// Inactive pixels get the background and depth 1. The image must be valid. Bytes of Rgba8 are
/// rounded from the background.
Frame decode(std::span<const std::uint32_t> words, Compositing compositing, glm::vec4 background);

/// Checks everything: header, formats, sums of the runs, the declared size. Throws Error: NAME:
/// what was expected, what was found.
SparseFacts check(std::span<const std::uint32_t> words, Compositing compositing,
                  const std::string& name);

/// The nearer pixel, or `front` over `back`; equal depths go to `back` (the later rank), as in
/// IceT.
Frame composite(const Frame& front, const Frame& back);
/// In order, frames[0] first; see composite().
Frame compositeAll(std::span<const Frame> frames);

}  // namespace fathom::active_pixel::reference
