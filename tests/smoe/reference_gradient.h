// SPDX-License-Identifier: BSD-3-Clause
// What the passes of a fit must find, in float64 on the CPU, over all components and pixels: the
// error of a model against a picture, its gradient, and an iteration of expectation maximization.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe::reference {

/// A picture and the view that it shows.
struct Target {
  const Image* picture;
  ViewCoordinates view{0};
};

/// E = sum over pixels and colors of (y - target)^2 / 2, of unclamped colors.
double errorOf(std::span<const Record> records, int leading, const Target& target);

/// dE / d record for all of its numbers; a Record whose fields are derivatives. The second leading
/// coordinate's are zero where there is one.
std::vector<Record> gradientOf(std::span<const Record> records, int leading, const Target& target);

/// One iteration of EM over (coordinates, color) with the regularization of fit/mixture.h.
/// Components that nothing is left for keep what they were.
std::vector<Gaussian> emIteration(std::span<const Gaussian> mixture, int dims,
                                  std::span<const Target> targets);

}  // namespace fathom::smoe::reference
