// SPDX-License-Identifier: BSD-3-Clause
// From tile lists to pixels.
#pragma once

#include "app/techniques/dof/pipeline.h"

namespace fathom::dof {

/// Accumulates one band into the region of `picture` (rgba32f) outside the 320 variants: apertures
/// with blades, and the operators Over, Coverage and Slabs. Needs nodes of kind
/// DOF_NODE_A_FLOAT with loaded alpha. Ends with the barrier for display and download.
void accumulateShaped(gpu::Context& gpu, const Pipeline& pipeline, const shared::Optics& optics,
                      Operator op, const gpu::Texture& picture);

}  // namespace fathom::dof
