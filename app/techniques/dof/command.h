// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `fathom dof` and its benchmarks, for the entry.
#pragma once

#include "app/techniques/command.h"
#include "app/techniques/workload.h"

#include <vector>

namespace fathom::dof {

const std::vector<Command>& commands();  // command.cpp
const std::vector<Bench>& benches();     // bench.cpp

}  // namespace fathom::dof
