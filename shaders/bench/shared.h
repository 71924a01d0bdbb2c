// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and parameters of the pace pass (app/lab/run/runner.h), for C++ and GLSL.
#ifndef SHADERS_BENCH_SHARED_H
#define SHADERS_BENCH_SHARED_H

#define PACE_BIND_SAMPLES 0  // storage  vec4[sampleCount]   host
#define PACE_BIND_RESULTS 1  // storage  vec4[invocations]   pace
#define PACE_BIND_PARAMS 0   // uniform  PaceParams          host
#define PACE_SIZE 64         // invocations per work group

#ifdef __cplusplus
#include <cstdint>
namespace fathom::bench::shared {
using uint = std::uint32_t;
#endif

struct PaceParams {
  uint sampleCount;  // a power of two
  uint rounds;       // per invocation
  uint unused0, unused1;
};

#ifdef __cplusplus
}  // namespace fathom::bench::shared
#endif

#endif  // SHADERS_BENCH_SHARED_H
