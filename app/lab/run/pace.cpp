// SPDX-License-Identifier: BSD-3-Clause
// A fixed compute pass, timed by the processor time that it takes.
#include "app/lab/run/pace.h"

#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/timings.h"
#include "shaders/bench/shared.h"

namespace fathom::bench {
namespace {

// More samples than the caches next to a core hold.
constexpr std::uint32_t kPaceSamples = 1u << 18, kPaceInvocations = 1u << 13, kPaceRounds = 8;

}  // namespace

Pace::Pace(gpu::Context& gpu)
    : gpu_(gpu),
      samples_(gpu, "pace samples", std::vector<glm::vec4>(kPaceSamples, glm::vec4(0.25f))),
      results_(gpu, "pace results", kPaceInvocations) {
  measure();  // compiles the shader
}

double Pace::measure() {
  const gpu::Timings::Pause pause(gpu_.timings());
  gpu_.finish();
  const double start = processorMs();
  gpu::Pass& pass = gpu_.pass({"pace", "shaders/bench/pace.comp", {}});
  pass.storage(PACE_BIND_SAMPLES, samples_)
      .storage(PACE_BIND_RESULTS, results_)
      .params(PACE_BIND_PARAMS, shared::PaceParams{kPaceSamples, kPaceRounds, 0, 0});
  gpu::dispatchGroups(pass, kPaceInvocations / PACE_SIZE, gpu::Each{4.0 * kPaceRounds});
  gpu::barrier(gpu::Access::Storage);  // the next measurement
  gpu_.finish();
  return processorMs() - start;
}

}  // namespace fathom::bench
