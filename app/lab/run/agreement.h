// SPDX-License-Identifier: BSD-3-Clause
// Do the two clocks of a trial agree? The sum of its passes' GPU times is checked against the wall
// clock.
#pragma once

#include <string>
#include <vector>

namespace fathom::bench {

/// Of one trial, in ms.
struct TrialTimes {
  double gpuMs = 0;   // sum of its passes
  double wallMs = 0;  // from the first command until the device is done
  double hostMs = 0;  // processor time until the last command is issued, without waiting
};

/// The rule for one trial. Passes run one after the other, so on any device their sum cannot exceed
/// the wall clock by more than 5 % and 0.05 ms. On GPUs the rest of the wall clock is the host's
/// work (hostMs); what remains beyond 25 % of the wall clock and 0.5 ms ran outside all passes, or
/// the device did something else. This second half does not apply to software renderers: there
/// other programs take the rest.
bool disagree(const TrialTimes& trial, bool software);

/// A line with both times when they disagree in more than half of the trials of a case, else empty.
/// Trials without passes have no sum and agree.
std::string disagreement(const std::vector<TrialTimes>& trials, bool software);

}  // namespace fathom::bench
