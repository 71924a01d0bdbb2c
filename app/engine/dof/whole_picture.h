// SPDX-License-Identifier: BSD-3-Clause
// All the work of a picture at once, for commands and benches, which can be stopped soon all the
// same.
#pragma once

#include "app/engine/dof/engine.h"

#include <functional>

namespace fathom::dof {

/// Calls `betweenSlices` several times a second; what it throws ends the work. Renderers that work
/// on the processor take seconds for some dispatches: those are left in their middle for it.
void makeWholePicture(gpu::Context& gpu, DofEngine& technique, Effect effect,
                      const std::function<void()>& betweenSlices);

}  // namespace fathom::dof
