// SPDX-License-Identifier: BSD-3-Clause
// Deep images for the registry: input, engine, subcommands, benchmarks, what can be tuned.
#pragma once

#include "app/engine/engine.h"

namespace fathom::deep {

const TechniqueEntry& entry();

}  // namespace fathom::deep
