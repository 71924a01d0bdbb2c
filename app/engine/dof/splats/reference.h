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

/// Splats in the order of accumulation: Z, then the pixel's place in the order of ties, then their
/// own order.
std::vector<std::uint32_t> depthOrder(const SplatList& list);

/// For each tile, row by row: the splats with opacity whose disc holds one of its pixels, in depth
/// order. Tries every pixel of every tile.
std::vector<std::vector<std::uint32_t>> tileLists(const SplatList& list);
/// tileLists() as nodes.
NodeLists nodeLists(const SplatList& list, int kind);

/// Per pixel the means by weight of premultiplied color and alpha, and the sum of weights (of
/// green). Over, Coverage, Slabs or LensCells.
struct Sum {
  glm::dvec4 mean{0};
  double covered = 0;
};
std::vector<Sum> accumulate(const SplatList& list, Operator op, const Discs& discs);

/// A pixel of lens cells. It sees a splat through one point u of the lens alone, so it keeps for
/// each cell of the aperture how much of it is still seen through, and in each coverage rules:
///
///   share(k)  = light a of the splat in the pixel, times overlap(k) asks(k): of the cell
///   seen from the middle: takes min(share, seen);  hidden from there: its share of what is seen as
///   an independent surface, h share (seen - waiting), and the rest of its light waits
///
/// overlap(k) is that of the cell with the square of the pixel around u; asks(k) is 1 over the sum
/// of a overlap(k) over all pixels, so that a plane fills each cell, and a splat alone has all its
/// light.
class CellPixel {
 public:
  /// `field`: of the pixel, for apertures that depend on it.
  CellPixel(const ApertureMap& map, glm::dvec2 field);
  struct Taken {
    double weight = 0, waits = 0;  // of green
    int cell = 0;                  // that holds most of it
  };
  /// The next splat front to back, with its light here in each channel and where that passes.
  Taken add(const Splat& s, const glm::dvec4& weight, const ApertureMap::LensPoint& through);
  Sum result() const;
  /// Share of what waits that fills what is left in the end.
  double filled() const;

 private:
  const ApertureMap* map_;
  std::vector<double> uncut_;           // of each cell, what the second disc of cat's eyes leaves
  std::vector<double> light_[2];        // of that, for what is far and near,
  double all_[2] = {0, 0};              // and their sums
  std::vector<double> seen_, waiting_;  // share of each cell
  glm::dvec4 sum_{0}, left_{1}, restSum_{0}, rest_{0};
};
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
