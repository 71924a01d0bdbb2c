// SPDX-License-Identifier: BSD-3-Clause
// Depth of field by splatting on the CPU, in double precision and without lists: sort all splats,
// scatter each into the pixels of its disc. To be read beside Lier et al. 2016 and Selgrad et al.
// 2016. It shares layout and constants with the passes, not their algorithm.
#pragma once

#include "app/core/image.h"
#include "app/techniques/dof/model.h"
#include "app/techniques/dof/optics.h"
#include "app/techniques/dof/settings.h"

#include <cstdint>
#include <vector>

namespace fathom::dof::reference {

/// One splat per pixel of a picture: rgb linear color, alpha planar Z (0 or less: background).
SplatList splatsOf(const Image& colorAndDepth, const Lens& lens, const Aperture& aperture);

/// Splats in the order of accumulation: Z, then the pixel's place in the order of ties, then their
/// own order.
std::vector<std::uint32_t> depthOrder(const SplatList& list);

/// For each tile, row by row: the splats with opacity whose disc holds one of its pixels, in depth
/// order. Tries every pixel of every tile.
std::vector<std::vector<std::uint32_t>> tileLists(const SplatList& list);

/// The picture. Over, Coverage or Slabs.
Image blur(const SplatList& list, Operator op, const Aperture& aperture);

/// The filter to compare with: 64 Vogel taps within the pixel's own radius; one that is nearer (by
/// 2 %) counts only if its own radius reaches the pixel.
Image gather(const Image& colorAndDepth, const Lens& lens);

}  // namespace fathom::dof::reference
