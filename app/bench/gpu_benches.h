// SPDX-License-Identifier: BSD-3-Clause
// Benches of the shared GPU primitives, and the copy bandwidth that the others are set against.
#pragma once

#include "app/techniques/workload.h"

namespace fathom::bench {

/// Bytes read plus bytes written per second by the best of a few buffer copies.
double measureCopyBandwidth(gpu::Context& gpu, BenchScale scale);

/// gpu.copy, gpu.scan, gpu.sort, gpu.reduce-by-key.
const std::vector<Bench>& gpuBenches();

}  // namespace fathom::bench
