// SPDX-License-Identifier: BSD-3-Clause
// Compressing as a workload of the tuner: a drawn share of a station to the host, in each way.
#pragma once

#include "app/techniques/active_pixel/space.h"
#include "app/techniques/tuned.h"

#include <vector>

namespace fathom::active_pixel {

const std::vector<Tunable>& tunables();

/// The way to compress pictures of this size on this device: as settings say, as tuned where they
/// leave it open, else as suits the device. `choice` keeps what was said about it.
Way tunedWay(const gpu::Context& gpu, const Settings& settings, glm::ivec2 size,
             TunedChoice& choice);
/// The same, said once.
Way tunedWay(const gpu::Context& gpu, const Settings& settings, glm::ivec2 size);

}  // namespace fathom::active_pixel
