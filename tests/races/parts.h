// SPDX-License-Identifier: BSD-3-Clause
// Parts of the program that no command of a single process reaches, as work to be watched.
#pragma once

#include "app/engine/gpu/context.h"

namespace fathom::races {

/// Copies, packs deep lists for another rank, composites sparse images on the GPU, measures the
/// pace.
void runParts(gpu::Context& context);

}  // namespace fathom::races
