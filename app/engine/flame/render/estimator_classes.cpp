// SPDX-License-Identifier: BSD-3-Clause
// How few classes stand for all kernels: which widths they have, and how each kernel is mixed of
// two.
#include "app/engine/flame/render/estimator_classes.h"

#include "shaders/flame/tone/tone_shared.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom::flame {
namespace {

/// Ratio of neighboring classes' variances. A mixture of two has the right variance, and an excess
/// kurtosis of at most 3 ((r - 1) / (r + 1))^2.
constexpr double kRatio = 2;
/// Cells are used for Gaussians whose standard deviation is at least this many cells.
constexpr double kMaxCells = 1;
/// Keeps the ratios finite where neither filter nor kernel blurs.
constexpr double kMinVariance = 0.1;
constexpr int kMaxBlocks = 25, kMaxFastSupersample = 8;

double sumOf(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// Row sums of the kernel, from -r to r; of sum 1.
std::vector<double> marginal(double width) {
  std::vector<double> kernel = estimatorKernel(width);
  const double whole = sumOf(kernel);
  for (double& w : kernel) w /= whole;
  const std::size_t n = 2 * std::size_t(width) + 1;
  std::vector<double> sums(n);
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x) sums[y] += kernel[y * n + x];
  return sums;
}

double variance(const std::vector<double>& weights) {
  const double center = (double(weights.size()) - 1) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * (double(i) - center) * (double(i) - center);
  return sum;
}

/// The width between two others whose kernel has this variance.
double widthOf(double wanted, double low, double high) {
  for (int i = 0; i < 20; ++i) {
    const double middle = (low + high) / 2;
    (variance(marginal(middle)) < wanted ? low : high) = middle;
  }
  return high;
}

/// `count` + 1 numbers from a to b with one ratio, after adding `offset`.
std::vector<double> geometric(double a, double b, double offset) {
  const double ratio = (b + offset) / (a + offset);
  const int count = std::max(1, int(std::ceil(std::log(ratio) / std::log(kRatio) - 1e-9)));
  std::vector<double> nodes{a};
  for (int i = 1; i < count; ++i)
    nodes.push_back((a + offset) * std::pow(ratio, double(i) / count) - offset);
  nodes.push_back(b);
  return nodes;
}

double coordinateOf(double value, const std::vector<double>& nodes) {
  std::size_t i = 0;
  while (i + 2 < nodes.size() && nodes[i + 1] <= value) ++i;
  return double(i) + std::clamp((value - nodes[i]) / (nodes[i + 1] - nodes[i]), 0.0, 1.0);
}

/// Taps of estimator and filter in one, about the middle of `blocks` pixels.
std::vector<double> narrowTaps(const std::vector<double>& kernel, const SpatialFilter& filter,
                               int blocks, int supersample) {
  std::vector<double> taps(std::size_t(blocks * supersample));
  const int first = blocks / 2 * supersample - filter.gutter - int(kernel.size()) / 2;
  for (std::size_t i = 0; i < kernel.size(); ++i)
    for (std::size_t j = 0; j < filter.taps.size(); ++j)
      taps[std::size_t(first) + i + j] += kernel[i] * filter.taps[j];
  return taps;
}

/// Cells and blurs of classes with these variances (in buckets^2).
std::vector<EstimatorClasses::Wide> wideClasses(const std::vector<double>& variances,
                                                int supersample) {
  std::vector<EstimatorClasses::Wide> wide;
  for (const double wanted : variances) {
    EstimatorClasses::Wide w;
    while (std::sqrt(wanted) >= kMaxCells * 2 * w.cellScale * supersample) w.cellScale *= 2;
    const double cell = double(w.cellScale) * supersample;
    // Buckets move to the middles of their cells; reading between cells of twice the size blurs by
    // 3/4 of the smaller cell squared.
    double blurred = wanted - (cell * cell - 1) / 12;
    for (double c = cell / 2; c >= supersample; c /= 2) blurred -= 0.75 * c * c;
    w.blur = std::max(0.0, blurred / (cell * cell));
    wide.push_back(w);
  }
  return wide;
}

}  // namespace

SplineBlur blurOf(double variance) {
  const auto moments = [](double width) {
    double sum = 0.75, second = 0;
    for (int i = 1; i < 1.5 * width; ++i) {
      const double a = i / width, w = a < 0.5 ? 0.75 - a * a : 0.5 * (1.5 - a) * (1.5 - a);
      sum += 2 * w, second += 2 * w * i * i;
    }
    return std::pair(sum, second / sum);
  };
  if (variance < 1e-6) return {};
  double low = 0.1, high = 4 * std::sqrt(variance) + 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (moments(middle).second < variance ? low : high) = middle;
  }
  return {int(1.5 * high), 1 / high, 1 / moments(high).first};
}

std::optional<EstimatorClasses> estimatorClasses(const SpatialFilter& filter,
                                                 const EstimatorTable& table, int supersample) {
  if (supersample > kMaxFastSupersample) return {};
  // With one bucket per pixel nothing softens the outline of the kernels afterwards: a square one
  // shows around bright buckets in the dark.
  if (supersample == 1 && !table.empty()) return {};
  const double filterVariance = variance(filter.taps);
  std::vector<std::vector<double>> kernels{{1}};
  std::vector<double> wideVariances;
  EstimatorClasses classes;
  if (!table.empty()) {
    std::vector<double> variances;
    for (const double width : table.widths) variances.push_back(variance(marginal(width)));
    const double narrowest = variances.back(), widest = variances.front();
    const double split = kMaxCells * kMaxCells * supersample * supersample - filterVariance;
    const double offset = std::max(0.0, filterVariance) + kMinVariance;

    std::vector<double> nodes;
    if (widest <= split * kRatio) {
      nodes = geometric(narrowest, widest, offset);
    } else {
      const double firstWide = std::max(split, narrowest + 0.01 * (widest - narrowest));
      nodes = geometric(narrowest, firstWide, offset);
      wideVariances = geometric(firstWide, widest, offset);
      nodes.pop_back();
    }
    kernels.clear();
    for (const double node : nodes)
      kernels.push_back(marginal(widthOf(node, table.widths.back(), table.widths.front())));
    nodes.insert(nodes.end(), wideVariances.begin(), wideVariances.end());
    for (const double v : variances) classes.coordinates.push_back(coordinateOf(v, nodes));
    classes.narrowestSum = sumOf(estimatorKernel(table.widths.back()));
  }

  const int reach = filter.gutter + int(kernels.back().size()) / 2;
  classes.blocks = 1 + 2 * ((reach + supersample - 1) / supersample);
  const int tapCount = int(kernels.size()) * classes.blocks * supersample;
  if (classes.blocks > kMaxBlocks || tapCount > FLAME_TONE_MAX_TAPS) return {};
  for (const std::vector<double>& kernel : kernels)
    classes.narrow.push_back(narrowTaps(kernel, filter, classes.blocks, supersample));

  for (double& v : wideVariances) v += filterVariance;
  classes.wide = wideClasses(wideVariances, supersample);
  if (!classes.wide.empty()) {
    classes.largestCell = classes.wide.back().cellScale;
    const int reached = int(std::ceil(table.widths.front() / supersample)) + 1;
    classes.margin =
        (reached + classes.largestCell - 1) / classes.largestCell * classes.largestCell;
  }
  return classes;
}

}  // namespace fathom::flame
