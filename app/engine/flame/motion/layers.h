// SPDX-License-Identifier: BSD-3-Clause
// Layers of JWildfire's flames: each has xforms and a palette of its own, all share camera, tones
// and one histogram, and each gets as many samples as the others (its DefaultRenderThread). Here
// they take turns, as the moments of an open shutter do.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/motion/exposure.h"

#include <memory>
#include <vector>

namespace fathom::flame {

/// Of what forRendering() returned: the flames that are drawn, one per layer, equally many final
/// xforms in each.
std::vector<Genome> layersOf(const Genome& genome);

/// The same as moments, in turns: 16 to 31 for the whole picture, so that a half-drawn one has all
/// layers.
std::shared_ptr<const Exposure> exposureOf(const std::vector<Genome>& layers);

}  // namespace fathom::flame
