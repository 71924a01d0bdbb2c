// SPDX-License-Identifier: BSD-3-Clause
// The chaos game as a workload of the tuner: samples of a random genome, in each variant of
// kSpace.
#pragma once

#include "app/engine/flame/render/sampler.h"
#include "app/engine/tuning.h"

#include <vector>

namespace fathom::flame {

const std::vector<Tunable>& tunables();

/// The forms that were tuned for pictures of this size on this device; none: as suits the device.
SamplerForms tunedForms(const gpu::Context& gpu, glm::ivec2 size, TunedChoice& choice);

}  // namespace fathom::flame
