// SPDX-License-Identifier: BSD-3-Clause
// What no command of a single process does, or only to large inputs, as work to be watched.
#pragma once

#include "app/engine/gpu/context.h"

namespace fathom::races {

/// Sorts, scans and sums small inputs in all ways.
void runPrimitives(gpu::Context& context);

/// Copies, packs deep lists for another rank, composites sparse images on the GPU, measures the
/// pace.
void runParts(gpu::Context& context);

}  // namespace fathom::races
