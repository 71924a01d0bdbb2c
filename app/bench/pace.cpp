// SPDX-License-Identifier: BSD-3-Clause
#include "app/bench/pace.h"

#include "app/gpu/pass.h"
#include "app/gpu/timings.h"
#include "shaders/bench/shared.h"

#include <ctime>
#include <vector>

namespace fathom::bench {
namespace {

// Words are more than the caches next to a core hold.
constexpr std::uint32_t kWords = 1u << 18, kInvocations = 1u << 13, kRounds = 8;

}  // namespace

double processorMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

Pace::Pace(gpu::Context& gpu)
    : gpu_(gpu),
      words_(gpu, "pace words", std::vector<glm::vec4>(kWords, glm::vec4(0.25f))),
      found_(gpu, "pace found", kInvocations) {
  measure();  // compiles
}

double Pace::measure() {
  const gpu::Timings::Pause notOfTheTrial(gpu_.timings());
  gpu_.finish();
  const double start = processorMs();
  gpu::Pass& pass = gpu_.pass({"pace", "shaders/bench/pace.comp", {}});
  pass.storage(PACE_BIND_WORDS, words_)
      .storage(PACE_BIND_FOUND, found_)
      .params(PACE_BIND_PARAMS, shared::PaceParams{kWords, kRounds, 0, 0});
  pass.dispatchGroups(kInvocations / PACE_SIZE);
  gpu_.finish();
  return processorMs() - start;
}

}  // namespace fathom::bench
