// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/quick_motion.h"

#include "app/techniques/flame/operations.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::flame {

Genome quickened(Genome genome, const Quickness& quickness) {
  if (!quickness.shutter) genome.temporalFilterWidth = 0;
  if (quickness.side <= 0) return genome;
  const glm::dvec2 size(genome.size);
  const double share = std::min(1.0, quickness.side / std::max(size.x, size.y));
  Genome quick = framed(genome, glm::max(glm::ivec2(size * share + 0.5), glm::ivec2(1)));
  // What zoom would multiply is kept out, so that it takes the same time everywhere.
  quick.scale = pixelsPerUnit(quick), quick.zoom = 0;
  if (quickness.quality > 0) quick.quality = std::min(quick.quality, quickness.quality);
  quick.supersample = 1;
  quick.estimatorRadius = std::max(genome.estimatorRadius * share, genome.estimatorMinimum);
  return quick;
}

Genome QuickMotion::changed(Genome genome) const {
  return quickened(std::move(genome), quickness_);
}

}  // namespace fathom::flame
