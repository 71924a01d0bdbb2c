// SPDX-License-Identifier: BSD-3-Clause
// Two decoders on one core to compare times with. The paper's: pixels times components as whole
// matrices, factored per component (Avramelos et al., section 4.1, "C++"). And what one would write
// today: a plain loop over records in float32. Comparisons with the first alone flatter a GPU.
#pragma once

#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe::baseline {

/// One block of pixels from the components given, all of them in every pixel: N x K matrices of log
/// weights and, per color, of experts, by Cholesky and explicit inverses; a softmax over rows; a
/// sum. Needs 32 N K bytes.
std::vector<glm::dvec3> decodeBlock(std::span<const Gaussian> components, int dims,
                                    const reference::Grid& block, ViewCoordinates a);

/// vec3[height][width] in float32, from lists as reference::decode() takes them (one per tile). Per
/// pixel: all log weights and their maximum, then weights and experts of those within e^-20 of it.
std::vector<glm::vec3> decodeRecords(std::span<const Record> records, const reference::Grid& grid,
                                     const std::vector<std::vector<std::uint32_t>>& lists,
                                     int tilePixels);

}  // namespace fathom::smoe::baseline
