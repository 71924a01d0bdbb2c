// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of flames: a function per part, put together for the registry.
#pragma once

#include "app/lab/workload.h"

#include <vector>

namespace fathom::flame {

const std::vector<Bench>& benches();

std::vector<Bench> iterateBenches();  // bench_iterate.cpp
std::vector<Bench> filterBenches();   // bench_filter.cpp
std::vector<Bench> sortBenches();     // bench_sort.cpp

}  // namespace fathom::flame
