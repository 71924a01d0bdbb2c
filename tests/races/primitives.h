// SPDX-License-Identifier: BSD-3-Clause
// Sorting, scanning and summing small inputs in all their ways: what commands of the program do
// only to large ones.
#pragma once

#include "app/engine/gpu/context.h"

namespace fathom::races {

void runPrimitives(gpu::Context& context);

}  // namespace fathom::races
