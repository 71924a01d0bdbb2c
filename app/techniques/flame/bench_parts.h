// SPDX-License-Identifier: BSD-3-Clause
// Who has benchmarks: a function per part, listed here in the order of the printed list.
#pragma once

#include "app/techniques/workload.h"

#include <vector>

namespace fathom::flame {

std::vector<Bench> filterBenches();   // bench_filter.cpp
std::vector<Bench> iterateBenches();  // bench_iterate.cpp
std::vector<Bench> sortBenches();     // bench_sort.cpp

using BenchPart = std::vector<Bench> (*)();
inline const std::vector<BenchPart> kBenchParts{iterateBenches, filterBenches, sortBenches};

}  // namespace fathom::flame
