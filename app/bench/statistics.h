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

/// The value below which the share `p` (0..1) of the values lies, between neighbors linearly.
/// 0 for no values.
double percentile(std::vector<double> values, double p);

Summary summarize(const std::vector<double>& values);

}  // namespace fathom::bench
