// SPDX-License-Identifier: BSD-3-Clause
// Percentiles of a few values, by sorting them.
#include "app/lab/statistics.h"

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

MedianChange medianChange(const std::vector<double>& changes) {
  if (changes.empty()) return {};
  const Summary s = summarize(changes);
  // Of a normal distribution, 80 % lie within 2.563 standard deviations, and the median of n values
  // errs by 1.2533 of what their mean does. Quartiles of 20 values would be too uncertain.
  return {s.median, 1.2533 * (s.p90 - s.p10) / 2.563 / std::sqrt(double(s.n))};
}

TimeRatio ratioOf(const std::vector<double>& times, const std::vector<double>& baseline) {
  std::vector<double> changes;
  for (std::size_t i = 0; i < std::min(times.size(), baseline.size()); ++i)
    if (times[i] > 0 && baseline[i] > 0) changes.push_back(std::log(times[i] / baseline[i]));
  const MedianChange change = medianChange(changes);
  return {std::exp(change.median), change.noise};
}

}  // namespace fathom::bench
