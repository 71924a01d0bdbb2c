// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of flames: a function per part, put together for the registry.
#pragma once

#include "app/engine/flame/render/sampler.h"
#include "app/lab/workload.h"

namespace fathom::flame {

const std::vector<Bench>& benches();

std::vector<Bench> iterateBenches();  // bench_iterate.cpp
std::vector<Bench> filterBenches();   // bench_filter.cpp
std::vector<Bench> sortBenches();     // bench_sort.cpp

/// Whole hits, as most genomes have.
HistogramShape benchShape(const Genome& genome);

/// The share of samples in the picture, as the reference has it. Noise: trajectories of random
/// genomes mix slowly at times.
CheckResult checkShare(const Sampler& sampler, const Genome& genome);

}  // namespace fathom::flame
