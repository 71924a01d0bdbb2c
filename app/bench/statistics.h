// SPDX-License-Identifier: BSD-3-Clause
// What is kept of the trials of one case.
#pragma once

#include <vector>

namespace fathom::bench {

struct Summary {
  double median = 0, p10 = 0, p90 = 0;  // ms
  int n = 0;                            // trials, the dropped ones not counted
  double least = 0, p25 = 0, p75 = 0;   // ms
};

/// The trials of one case in one round through all benches, in their order.
struct RoundTimes {
  double started = 0;  // seconds since 1970, UTC
  std::vector<double> gpuMs, wallMs, cpuMs, paceMs;
};

/// The value below which the share `p` (0..1) of the values lies, between neighbors linearly.
/// 0 for no values.
double percentile(std::vector<double> values, double p);

Summary summarize(const std::vector<double>& values);

/// The median of changes, such as logarithms of ratios, and how far it errs.
struct MedianChange {
  double median = 0;
  double noise = 0;  // standard deviation of the median when nothing has changed, by their spread
};
/// 0 for no values.
MedianChange medianChange(const std::vector<double>& changes);

/// How many times as long one thing takes as another, from pairs measured one after the other:
/// what the machine does meanwhile is done to both.
struct TimeRatio {
  double ratio = 1;  // median of the pairs'
  double noise = 0;  // standard deviation of its logarithm when nothing has changed
};
/// Pairs without two positive times do not count; 1 without any.
TimeRatio ratioOf(const std::vector<double>& times, const std::vector<double>& yardstick);

}  // namespace fathom::bench
