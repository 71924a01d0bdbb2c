// SPDX-License-Identifier: BSD-3-Clause
// Deep images as a workload of the tuner: two of them to the GPU, merged and composited, in each
// variant of kVariants.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/settings/settings.h"
#include "app/engine/tuning.h"

#include <cstdint>
#include <vector>

namespace fathom::deep {

const std::vector<Tunable>& tunables();

/// Random half colors and points; as many fragments per pixel as the paper's denser scenes,
/// lists of neighbors alike in length.
DeepImage randomDeepImage(glm::ivec2 size, std::uint64_t seed);

}  // namespace fathom::deep
