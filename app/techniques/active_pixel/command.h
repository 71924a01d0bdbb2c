// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `fathom active-pixel` and its benchmarks, for the entry.
#pragma once

#include "app/techniques/command.h"
#include "app/techniques/workload.h"

#include <vector>

namespace fathom::active_pixel {

const std::vector<Command>& commands();
const std::vector<Bench>& benches();  // bench/bench.cpp

Command compositeCommand();  // command_composite.cpp; alone or under mpirun

}  // namespace fathom::active_pixel
