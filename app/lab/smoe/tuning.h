// SPDX-License-Identifier: BSD-3-Clause
// Decoding as a workload of the tuner: lists and shading of one frame, by each variant of kSpace.
#pragma once

#include "app/engine/smoe/model/model.h"
#include "app/engine/tuning.h"

#include <cstdint>
#include <vector>

namespace fathom::smoe {

const std::vector<Tunable>& tunables();

/// A random model like those of photographs: a component per 60 pixels, steered along smooth
/// curves, overlapping its neighbors.
Model randomModel(glm::ivec2 size, std::uint64_t seed);

}  // namespace fathom::smoe
