// SPDX-License-Identifier: BSD-3-Clause
// Random models and mixtures, and single components with closed-form answers.
#include "tests/smoe/model/models.h"

#include "app/engine/core/random.h"

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

/// A symmetric, positive definite R of n x n: A A^T of a random lower triangle with this diagonal.
void fillCovariance(Random& random, Gaussian& g, const std::vector<double>& diagonal) {
  const std::size_t n = diagonal.size();
  double a[7][7] = {};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      a[i][j] = i == j ? diagonal[i] : diagonal[i] * double(random.uniform(-0.4f, 0.4f));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k <= std::min(i, j); ++k) g.covariance[i][j] += a[i][k] * a[j][k];
}

}  // namespace

Record disc(glm::dvec2 center, double sigma, glm::dvec3 color) {
  Record r;
  r.center = center;
  r.w11 = r.w22 = 1 / sigma;
  r.color = color;
  r.c = 2 * std::log(1 / sigma);
  return r;
}

Model modelOf(std::span<const Record> records, glm::ivec2 size, int dims) {
  Model model;
  model.dims = dims;
  model.width = size.x, model.height = size.y;
  if (dims == 3) model.frames = 10;
  if (dims == 4) model.views = {9, 9}, model.viewOrigin = {4, 4};
  model.centerFractionBits = fractionBitsFor(size.x, size.y);
  for (const Record& record : records) model.components.push_back(rounded(record, model));
  return model;
}

std::vector<Gaussian> randomMixture(std::uint64_t seed, int dims, int count, glm::ivec2 size) {
  Random random(seed);
  const double sigma = 0.5 * std::sqrt(double(size.x) * size.y / count);
  std::vector<Gaussian> mixture(static_cast<std::size_t>(count));
  double total = 0;
  for (Gaussian& g : mixture) {
    total += g.prior = double(random.uniform(0.2f, 1));
    std::vector<double> diagonal;
    int i = 0;
    if (dims == 3) g.mean[i++] = double(random.uniform(0, 10)), diagonal.push_back(3);
    if (dims == 4)
      for (int k = 0; k < 2; ++k)
        g.mean[i++] = double(random.uniform(-4, 4)), diagonal.push_back(2.5);
    for (int k = 0; k < 2; ++k) {
      g.mean[i++] = (double(random.uniform()) * 1.1 - 0.05) * size[k];
      diagonal.push_back(sigma * double(random.uniform(0.5f, 2)));
    }
    for (int k = 0; k < 3; ++k) g.mean[i++] = double(random.uniform()), diagonal.push_back(0.15);
    fillCovariance(random, g, diagonal);
  }
  for (Gaussian& g : mixture) g.prior /= total;
  return mixture;
}

Model randomModel(std::uint64_t seed, int dims, int count, glm::ivec2 size) {
  std::vector<Record> records;
  for (const Gaussian& g : randomMixture(seed, dims, count, size))
    records.push_back(whiten(g, dims, "random"));
  return modelOf(records, size, dims);
}

double largestDifference(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const double difference = std::abs(a[i][k] - b[i][k]);
      largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
  return largest;
}

double reachOf(std::span<const glm::dvec3> colors) {
  double reach = 0.6;
  for (const glm::dvec3& color : colors)
    for (int k = 0; k < 3; ++k) reach = std::max(reach, std::abs(color[k] - 0.5));
  return reach;
}

}  // namespace fathom::smoe
