// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of SMoE: the paper's Tables 1 to 4, what our lists and fits cost, and a whole
// picture against decoders on one core.
#pragma once

#include "app/techniques/workload.h"

#include <vector>

namespace fathom::smoe {

const std::vector<Bench>& benches();

}  // namespace fathom::smoe
