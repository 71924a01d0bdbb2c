// SPDX-License-Identifier: BSD-3-Clause
// Flames for the registry: input, engine, subcommands, benchmarks, what can be tuned.
#pragma once

#include "app/engine/engine.h"

namespace fathom::flame {

const TechniqueEntry& entry();

}  // namespace fathom::flame
