// SPDX-License-Identifier: BSD-3-Clause
// Times of trials and what is computed from them: percentiles, medians of changes and how uncertain
// they are.
#pragma once

namespace fathom::bench {

struct Summary {
  double median = 0, p10 = 0, p90 = 0;  // ms
  int n = 0;                            // trials, without the warm-up; 0: not timed
  double min = 0, p25 = 0, p75 = 0;     // ms
};

/// The trials of one case in one round through all benches, in their order.
struct RoundTimes {
  double started = 0;  // seconds since 1970, UTC
  std::vector<double> gpuMs, wallMs, cpuMs, paceMs;
};

/// The value below which the share `p` (0..1) of the values lies, interpolated linearly between
/// neighbors. 0 for no values.
double percentile(std::vector<double> values, double p);

Summary summarize(const std::vector<double>& values);

/// The median of changes, such as logarithms of ratios, and its uncertainty.
struct MedianChange {
  double median = 0;
  double noise = 0;  // standard deviation of the median if nothing changed, from their spread
};
/// 0 for no values.
MedianChange medianChange(const std::vector<double>& changes);

/// How many times as long one thing takes as another, from pairs measured one right after the
/// other: whatever disturbs the machine disturbs both.
struct TimeRatio {
  double ratio = 1;  // median of the pairs' ratios
  double noise = 0;  // standard deviation of its logarithm if nothing changed
};
/// Pairs without two positive times do not count; 1 without any.
TimeRatio ratioOf(const std::vector<double>& times, const std::vector<double>& baseline);

}  // namespace fathom::bench
