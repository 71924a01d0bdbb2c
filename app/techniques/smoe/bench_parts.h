// SPDX-License-Identifier: BSD-3-Clause
// Who has benchmarks: a function per file, listed here in the order of the printed list.
#pragma once

#include "app/techniques/workload.h"

#include <vector>

namespace fathom::smoe {

Bench precisionBench();  // bench_precision.cpp
Bench blockBench();      // bench_block.cpp
Bench wholeBench();      // bench_whole.cpp
Bench listsBench();      // bench_lists.cpp
Bench frameBench();      // bench_frame.cpp
Bench fitBench();        // bench_fit.cpp

}  // namespace fathom::smoe
