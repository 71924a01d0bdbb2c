// SPDX-License-Identifier: BSD-3-Clause
// The right answers, in float64 on the CPU: decoding by eq. 9 of Avramelos et al. over all
// components, and exact bounds of a component on a box. Written to be read beside the paper, not
// for speed (baseline.h).
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

/// The same in samples of the window: sample (i, j) is at (i + 0.5, j + 0.5).
std::vector<Record> recordsIn(const Model& model, const ViewWindow& window);

/// dvec3[height][width], in the model's color space, neither clamped nor rounded. Two passes with
/// the exact maximum per pixel. `lists` (one per tile of tilePixels, row by row) restricts the sum;
/// empty: all components. Uses all cores.
std::vector<glm::dvec3> decode(std::span<const Record> records, const Grid& grid,
                               const std::vector<std::vector<std::uint32_t>>& lists = {},
                               int tilePixels = 16);

/// A closed box of sample positions, model px.
struct SampleBox {
  glm::dvec2 low, high;
};
/// Largest and smallest log weight c - d^2/2 of a component on the box, both exact.
double upperBound(const Record& record, const SampleBox& box);
double lowerBound(const Record& record, const SampleBox& box);

/// A picture as the technique shows it: samples per pixel are averaged as light; no color is more
/// than its alpha.
Image picture(const Model& model, const ViewWindow& window);
/// Means of n x n pixels; w becomes 1.
Image averaged(const Image& fine, int n);

/// Linear premultiplied RGBA as the technique shows it: from the model's color space, which goes on
/// beyond 0..1 (sRGB: as an odd function).
Image toImage(std::span<const glm::dvec3> colors, glm::ivec2 size, const Coding& coding);

}  // namespace fathom::smoe::reference
