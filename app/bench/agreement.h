// SPDX-License-Identifier: BSD-3-Clause
// The sum of a trial's GPU times against the wall clock: two witnesses of one thing.
#pragma once

#include <string>
#include <vector>

namespace fathom::bench {

/// Of one trial, in ms.
struct TrialTimes {
  double gpuMs = 0;   // sum of its passes
  double wallMs = 0;  // from the first command to the device being done
  double hostMs = 0;  // processor time until the last command was given; waiting is not part of it
};

/// The rule, trial by trial. Passes follow each other, so their sum cannot exceed the wall clock by
/// more than 5 % and 0.05 ms, on any device. On GPUs the rest of the wall clock is the host's work
/// (hostMs); what is left beyond 25 % of the wall clock and 0.5 ms ran outside of every pass, or
/// the device did something else. Software renderers are spared that second half: there the rest is
/// whatever other programs do.
bool disagree(const TrialTimes& trial, bool software);

/// Of the trials of one case: a line that says how far sum and clock are apart when they disagree
/// in more than half of them, else empty. Trials without passes have no sum and agree.
std::string disagreement(const std::vector<TrialTimes>& trials, bool software);

}  // namespace fathom::bench
