// SPDX-License-Identifier: BSD-3-Clause
// Accumulation outside the space of variants: smooth discs, apertures of any shape and their
// faults, alpha, lists culled for parts of a tile.
#pragma once

#include "app/engine/gpu/texture.h"
#include "app/engine/dof/lens/aperture_tables.h"
#include "app/engine/dof/splats/pipeline.h"

#include <vector>

namespace fathom::dof {

/// Defines of the shaders that include aperture.glsl.
std::vector<gpu::Define> apertureDefines(const ListRequest& request);

/// Software renderers read records as texels: their lanes gather other memory word by word.
bool readsRecordTexels(const gpu::Context& gpu);

/// Accumulates the band of the pipeline's lists (made with `area`) into its region of `picture`
/// (rgba32f): premultiplied color, alpha. Over, Coverage or Slabs. Ends with the barrier for
/// display and download.
void accumulateArea(gpu::Context& gpu, const Pipeline& pipeline, const shared::Optics& optics,
                    Operator op, const gpu::Texture& picture);

}  // namespace fathom::dof
