// SPDX-License-Identifier: BSD-3-Clause
// Benches of the shared GPU primitives, and the copy bandwidth to which other benches are compared.
#pragma once

namespace fathom {
struct Bench;
enum class BenchScale;
namespace gpu {
class Context;
}
}  // namespace fathom

namespace fathom::bench {

/// Bytes read plus bytes written per second by the best of a few buffer copies.
double measureCopyBandwidth(gpu::Context& gpu, BenchScale scale);

/// gpu.copy, gpu.scan, gpu.sort, gpu.reduce-by-key.
const std::vector<Bench>& gpuBenches();

}  // namespace fathom::bench
