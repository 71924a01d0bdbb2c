// SPDX-License-Identifier: BSD-3-Clause
// SMoE for the registry: input, engine, subcommands, benchmarks, what can be tuned.
#pragma once

#include "app/engine/engine.h"

namespace fathom::smoe {

const TechniqueEntry& entry();

}  // namespace fathom::smoe
