// SPDX-License-Identifier: BSD-3-Clause
// The right answers, in float64 on the CPU: decoding by eq. 9 of Avramelos et al. over all
// components, exact bounds of a component on a box, and the lists that follow from them with the
// certificate of their error. Written to be read beside the paper, not for speed (baseline.h).
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe::reference {

/// Where the pixels of a picture lie in the model: pixel (i, j) is sampled at
/// corner + (i + 0.5, j + 0.5) * step.
struct Grid {
  glm::ivec2 size{0};    // picture pixels
  glm::dvec2 corner{0};  // model px
  double step = 1;       // model px per picture pixel
};

/// The records of a view, sliced where the model has more than two dimensions.
std::vector<Record> recordsOf(const Model& model, ViewCoordinates a);

/// dvec3[height][width], in the model's color space, neither clamped nor rounded. Two passes with
/// the exact maximum per pixel. `lists` (one per tile of tilePixels, row by row) restricts the sum;
/// empty: all components. Uses all cores.
std::vector<glm::dvec3> decode(std::span<const Record> records, const Grid& grid,
                               const std::vector<std::vector<std::uint32_t>>& lists = {},
                               int tilePixels = 16);

/// Straight from the mixture, without whitening or slicing: eq. 9 with inverses, in p dimensions.
std::vector<glm::dvec3> decodeMixture(std::span<const Gaussian> mixture, int dims, const Grid& grid,
                                      ViewCoordinates a);

/// A closed box of sample positions, model px.
struct SampleBox {
  glm::dvec2 low, high;
};
/// Largest and smallest log weight c - d^2/2 of a component on the box, both exact.
double upperBound(const Record& record, const SampleBox& box);
double lowerBound(const Record& record, const SampleBox& box);

/// Bounded lists: a component is kept in a tile if it passes on any cell of 4 x 4 pixels, that is
/// if its largest log weight there comes within tau of the largest one that some component is
/// certain to have.
struct BoundedLists {
  std::vector<std::vector<std::uint32_t>> lists;  // per tile, ascending
  /// Per entry: where in the tile it passed, one bit per square of max(4, tilePixels / 4) pixels,
  /// row by row: 2 x 2 bits in tiles of 8, 4 x 4 in tiles of 16 and 32.
  std::vector<std::vector<std::uint16_t>> masks;
  /// Per tile: E_B, the largest over its cells, when the whole list is summed in every pixel, and
  /// when entries are skipped where their bit is clear.
  std::vector<double> certificate, maskedCertificate;
  double meanLength = 0;  // kpb
};
/// tau as ln of the ratio below which a component may be dropped, (bits + 1) ln 2 + 2. The
/// certificates hold where no color of the picture from the kept ones is further than `reach` from
/// 1/2; 0.6 is what pictures keep to, and colors beyond it ask for more.
BoundedLists boundedLists(std::span<const Record> records, const Grid& grid, int tilePixels,
                          double tau, double reach = 0.6);

/// A picture as the technique shows it, from all components that weigh anything: samples per pixel
/// are averaged as light; no color is more than its alpha.
Image picture(const Model& model, const ViewWindow& window);

/// Linear premultiplied RGBA as the technique shows it: from the model's color space, which goes on
/// beyond 0..1 (sRGB: as an odd function).
Image toImage(std::span<const glm::dvec3> colors, glm::ivec2 size, const Coding& coding);

}  // namespace fathom::smoe::reference
