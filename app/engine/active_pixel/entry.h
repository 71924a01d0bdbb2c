// SPDX-License-Identifier: BSD-3-Clause
// Active pixels for the registry: input, engine, subcommands, benchmarks, what can be tuned.
#pragma once

#include "app/engine/engine.h"

namespace fathom::active_pixel {

const TechniqueEntry& entry();

}  // namespace fathom::active_pixel
