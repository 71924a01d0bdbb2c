// SPDX-License-Identifier: BSD-3-Clause
// Whole pictures of a genome by the reference: chaos game, then image stage.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/settings.h"

#include <cstdint>

namespace fathom::flame::reference {

/// As displayed (0..255, alpha 0..1), of all the genome's samples; black where it draws nothing.
Image displayed(const Genome& genome, const Settings& settings, std::uint64_t seed);

/// Linear and premultiplied, as Rendering::light(), with no more samples than take seconds.
Image lightOf(const Genome& genome, const Settings& settings, std::uint64_t seed);

}  // namespace fathom::flame::reference
