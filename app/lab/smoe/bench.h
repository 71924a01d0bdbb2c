// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of SMoE: the paper's Tables 1 to 4, what our lists and fits cost, and a whole
// picture against decoders on one core. A function per benchmark, in the order of the printed list.
#pragma once

#include "app/lab/workload.h"

#include <vector>

namespace fathom::smoe {

const std::vector<Bench>& benches();

Bench precisionBench();  // bench_precision.cpp
Bench blockBench();      // bench_block.cpp
Bench wholeBench();      // bench_whole.cpp
Bench listsBench();      // bench_lists.cpp
Bench frameBench();      // bench_frame.cpp
Bench fitBench();        // bench_fit.cpp
Bench rateBench();       // rate.cpp

}  // namespace fathom::smoe
