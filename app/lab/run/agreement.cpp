// SPDX-License-Identifier: BSD-3-Clause
// The tolerances of GPU sum against wall clock, and the line that a row carries when they disagree.
#include "app/lab/run/agreement.h"

#include "app/lab/statistics.h"

#include <fmt/format.h>

namespace fathom::bench {
namespace {

constexpr double kSumShare = 0.05, kSumMs = 0.05;
constexpr double kRestShare = 0.25, kRestMs = 0.5;

bool sumExceedsClock(const TrialTimes& t) { return t.gpuMs > t.wallMs * (1 + kSumShare) + kSumMs; }

bool clockIsUnexplained(const TrialTimes& t) {
  return t.wallMs > t.gpuMs + t.hostMs + t.wallMs * kRestShare + kRestMs;
}

}  // namespace

bool disagree(const TrialTimes& t, bool software) {
  if (t.gpuMs <= 0) return false;
  return sumExceedsClock(t) || (!software && clockIsUnexplained(t));
}

std::string disagreement(const std::vector<TrialTimes>& trials, bool software) {
  std::vector<double> gpuMs, wallMs, hostMs;
  for (const TrialTimes& trial : trials) {
    if (!disagree(trial, software)) continue;
    gpuMs.push_back(trial.gpuMs);
    wallMs.push_back(trial.wallMs);
    hostMs.push_back(trial.hostMs);
  }
  if (gpuMs.size() * 2 <= trials.size()) return "";
  return fmt::format(
      "sum of GPU times {:.3f} ms, wall clock {:.3f} ms, the host's work {:.3f} ms, in {} of {} "
      "trials",
      percentile(gpuMs, 0.5), percentile(wallMs, 0.5), percentile(hostMs, 0.5), gpuMs.size(),
      trials.size());
}

}  // namespace fathom::bench
