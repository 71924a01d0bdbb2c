// SPDX-License-Identifier: BSD-3-Clause
// Attractors that follow an orbit of their own beside the point (VariationInfo::orbits). In the
// program that they come from one thread walks millions of steps; here many trajectories share the
// walk, so each begins at another place of one long orbit.
#pragma once

#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

/// How many uses of such variations a genome has; one orbit is kept, so more than one mix them up.
int orbitCount(const Genome& genome);

/// Of the first one, `count` places evenly spread over its first steps, the start first; empty: the
/// genome has none.
std::vector<glm::vec2> orbitPlaces(const Genome& genome, std::size_t count);

}  // namespace fathom::flame
