// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of SMoE: the paper's Tables 1 to 4, what our lists and fits cost, and a whole
// picture against decoders on one core. A function per benchmark.
#pragma once

#include "app/lab/workload.h"

namespace fathom::smoe {

const std::vector<Bench>& benches();

// paper_benches.cpp
Bench precisionBench();
Bench blockBench();
Bench wholeBench();
Bench frameBench();
// bench.cpp
Bench listsBench();
Bench fitBench();
// rate.cpp
Bench rateBench();

}  // namespace fathom::smoe
