// SPDX-License-Identifier: BSD-3-Clause
// Depth of field for the registry: input, engine, subcommands, benchmarks, what can be tuned.
#pragma once

#include "app/engine/engine.h"

namespace fathom::dof {

const TechniqueEntry& entry();

}  // namespace fathom::dof
