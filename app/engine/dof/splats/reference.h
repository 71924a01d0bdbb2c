// SPDX-License-Identifier: BSD-3-Clause
// Depth of field by splatting on the CPU, in double precision: what a picture must be (all splats
// sorted, each scattered into the pixels of its disc, no lists), which splats a tile's list must
// hold, and what given lists mean. To be read beside Lier et al. 2016 and Selgrad et al. 2016. It
// shares layout and constants with the passes, not their algorithm.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/dof/lens/aperture_map.h"
#include "app/engine/dof/lens/optics.h"
#include "app/engine/dof/settings.h"
#include "app/engine/dof/splats/focus_mask.h"
#include "app/engine/dof/splats/model.h"

namespace fathom::dof::reference {

/// Which pixels a splat has light in, and how much.
struct Discs {
  bool smooth = false;  // shares of light; else the paper's: centers in the disc, 1 / (pi r2)
  const ApertureMap* map = nullptr;  // of smooth ones that are not plain
  ImageFrame frame = {};
};

/// One splat per pixel of a picture: rgb linear color, alpha planar Z (0 or less: background), with
/// `margin` pixels on each side that are not part of what is to be made. Alpha is 1, and 0 where
/// the background is black. `mask`, with the same margin: multiplies radii; null: none.
SplatList splatsOf(const Image& colorAndDepth, const Lens& lens, const Discs& discs = {},
                   int margin = 0, const FocusMask* mask = nullptr);

/// Splats in the order of accumulation: Z, then the pixel's place in the order of ties, then their
/// own order.
std::vector<std::uint32_t> depthOrder(const SplatList& list);

/// For each tile, row by row: the splats with opacity whose disc holds one of its pixels, in depth
/// order. Tries every pixel of every tile.
std::vector<std::vector<std::uint32_t>> tileLists(const SplatList& list);
/// tileLists() as nodes.
NodeLists nodeLists(const SplatList& list, int kind);

/// Per pixel the means by weight of premultiplied color and alpha, and the sum of weights (of
/// green). Over, Coverage or Slabs.
struct Sum {
  glm::dvec4 mean{0};
  double covered = 0;
};
std::vector<Sum> accumulate(const SplatList& list, Operator op, const Discs& discs);
/// From lists of the paper's discs: rgb: mean color, a: the sum of weights; by the alpha that nodes
/// hold or by discAlpha(). Over or Coverage; front to back and back to front, "over" is one
/// operator.
std::vector<glm::dvec4> accumulate(const NodeLists& lists, bool alphaLoaded, Operator op);

/// The means of accumulate() as a picture.
Image blur(const SplatList& list, Operator op, const Discs& discs);

/// The mean of each n x n pixels.
Image average(const Image& picture, int n);

/// The filter to compare with: 64 Vogel taps within the pixel's own radius; one that is nearer (by
/// 2 %) counts only if its own radius reaches the pixel.
Image gather(const Image& colorAndDepth, const Lens& lens, int margin = 0,
             const FocusMask* mask = nullptr);

}  // namespace fathom::dof::reference
