// SPDX-License-Identifier: BSD-3-Clause
// Compressing as a workload of the tuner: a drawn share of a station to the host, in each of the
// configurations; and the configuration to use, as settings and profile say.
#pragma once

#include "app/engine/active_pixel/compress/space.h"
#include "app/engine/tuning.h"

#include <vector>

namespace fathom::active_pixel {

const std::vector<Tunable>& tunables();

/// How to compress pictures of this size on this device: as the settings say, as tuned where they
/// leave it open, else as suits the device. `choice` keeps its note.
CompressionConfig tunedConfig(const gpu::Context& gpu, const Settings& settings, glm::ivec2 size,
                              TunedChoice& choice);
/// The same without a note.
CompressionConfig tunedConfig(const gpu::Context& gpu, const Settings& settings, glm::ivec2 size);

}  // namespace fathom::active_pixel
