// SPDX-License-Identifier: BSD-3-Clause
// Depth of field by splatting on the CPU, in double precision: what a picture must be (all splats
// sorted, each scattered into the pixels of its disc, no lists), which splats a tile's list must
// hold, and what given lists mean. To be read beside Lier et al. 2016 and Selgrad et al. 2016. It
// shares layout and constants with the passes, not their algorithm.
#pragma once

#include "app/core/image.h"
#include "app/techniques/dof/lens/optics.h"
#include "app/techniques/dof/settings.h"
#include "app/techniques/dof/splats/model.h"

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
/// The same with their nodes.
NodeLists nodeLists(const SplatList& list, int kind);

/// Per pixel, rgb: mean of the colors by weight; a: sum of the weights. Over, Coverage or Slabs.
std::vector<glm::dvec4> accumulate(const SplatList& list, Operator op, const Aperture& aperture);
/// The same from lists with a round aperture, by the alpha that nodes hold or by discAlpha(). Over
/// or Coverage; front to back and back to front, "over" is one operator.
std::vector<glm::dvec4> accumulate(const NodeLists& lists, bool alphaLoaded, Operator op);

/// accumulate() as a picture, opaque wherever a splat lies.
Image blur(const SplatList& list, Operator op, const Aperture& aperture);

/// The filter to compare with: 64 Vogel taps within the pixel's own radius; one that is nearer (by
/// 2 %) counts only if its own radius reaches the pixel.
Image gather(const Image& colorAndDepth, const Lens& lens);

}  // namespace fathom::dof::reference
