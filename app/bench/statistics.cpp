// SPDX-License-Identifier: BSD-3-Clause
// Percentiles of few values, by sorting.
#include "app/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fathom::bench {

double percentile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = p * double(values.size() - 1);
  const std::size_t low = std::size_t(std::floor(at));
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - double(low));
}

Summary summarize(const std::vector<double>& values) {
  return {percentile(values, 0.5), percentile(values, 0.1), percentile(values, 0.9),
          int(values.size()),      percentile(values, 0),   percentile(values, 0.25),
          percentile(values, 0.75)};
}

}  // namespace fathom::bench
