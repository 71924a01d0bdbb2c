// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `fathom deep` and its benchmarks, for the registry.
#pragma once

#include "app/techniques/command.h"
#include "app/techniques/workload.h"

#include <vector>

namespace fathom::deep {

const std::vector<Command>& commands();  // command.cpp
const std::vector<Bench>& benches();     // bench/bench.cpp

}  // namespace fathom::deep
