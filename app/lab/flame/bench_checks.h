// SPDX-License-Identifier: BSD-3-Clause
// What benches and the tuner hold a drawn histogram against.
#pragma once

#include "app/engine/flame/render/sampler.h"
#include "app/lab/workload.h"

namespace fathom::flame {

/// Whole hits, as most genomes have.
HistogramShape benchShape(const Genome& genome);

/// The share of samples in the picture, as the reference has it. Noise: trajectories of random
/// genomes mix slowly at times.
CheckResult checkShare(const Sampler& sampler, const Genome& genome);

}  // namespace fathom::flame
