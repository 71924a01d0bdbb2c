// SPDX-License-Identifier: BSD-3-Clause
// The paper's decoder, on one core, to compare times with: pixels times components as whole
// matrices, factored per component (Avramelos et al., section 4.1, "C++"). Comparisons with it
// alone flatter a GPU: decodeTile() is what a processor does.
#pragma once

#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe::baseline {

/// One block of pixels from the components given, all of them in every pixel: N x K matrices of log
/// weights and, per color, of experts, by Cholesky and explicit inverses; a softmax over rows; a
/// sum. Needs 32 N K bytes.
std::vector<glm::dvec3> decodeBlock(std::span<const Gaussian> components, int dims,
                                    const reference::Grid& block, ViewCoordinates a);

}  // namespace fathom::smoe::baseline
