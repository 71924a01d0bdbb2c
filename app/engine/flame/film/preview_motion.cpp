// SPDX-License-Identifier: BSD-3-Clause
// A genome made small: framed alike, zoom taken into the scale, so that it costs the same
// everywhere.
#include "app/engine/flame/film/preview_motion.h"

#include "app/engine/flame/genome/operations.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::flame {

Genome previewOf(Genome genome, const PreviewQuality& previewQuality) {
  if (!previewQuality.shutter) genome.temporalFilterWidth = 0;
  if (previewQuality.side <= 0) return genome;
  const glm::dvec2 size(genome.size);
  const double share = std::min(1.0, previewQuality.side / std::max(size.x, size.y));
  Genome quick = framed(genome, glm::max(glm::ivec2(size * share + 0.5), glm::ivec2(1)));
  // What zoom would multiply is kept out, so that it takes the same time everywhere.
  quick.scale = pixelsPerUnit(quick), quick.zoom = 0, quick.cameraZoom = 1;
  if (previewQuality.quality > 0) quick.quality = std::min(quick.quality, previewQuality.quality);
  quick.supersample = 1;
  quick.estimatorRadius = std::max(genome.estimatorRadius * share, genome.estimatorMinimum);
  return quick;
}

Genome PreviewMotion::changed(Genome genome) const {
  return previewOf(std::move(genome), quality_);
}

}  // namespace fathom::flame
