// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/io_mixture.h"

#include "app/core/bytes.h"
#include "app/core/error.h"

#include <cmath>
#include <utility>
#include <vector>

namespace fathom::smoe {
namespace {

/// Row and column of each covariance entry of the file, in its order.
std::vector<std::pair<int, int>> entriesOf(int dims, CovarianceEntries entries) {
  const int p = dims, n = p + 3;
  std::vector<std::pair<int, int>> list;
  if (entries == CovarianceEntries::Selection) {
    for (int i = 0; i < p; ++i)
      for (int j = i; j < p; ++j) list.emplace_back(i, j);
    for (int i = p; i < n; ++i)
      for (int j = 0; j < p; ++j) list.emplace_back(i, j);
    for (int i = p; i < n; ++i) list.emplace_back(i, i);
    return list;
  }
  for (int i = 0; i < n; ++i)
    for (int j = entries == CovarianceEntries::Full ? 0 : i; j < n; ++j) list.emplace_back(i, j);
  return list;
}

/// The payload as arrays of `count` numbers each: prior, means, covariance entries.
class Arrays {
 public:
  Arrays(std::span<const std::byte> payload, const Header& header)
      : at_(payload.data()), count_(header.count), wide_(header.encoding == NumberFormat::F64) {}
  double operator()(std::size_t array, std::size_t component) const {
    const std::size_t i = array * count_ + component;
    return wide_ ? load<double>(at_ + 8 * i) : double(load<float>(at_ + 4 * i));
  }

 private:
  const std::byte* at_;
  std::size_t count_;
  bool wide_;
};

std::string nameOf(std::size_t array, int dims, const std::vector<std::pair<int, int>>& entries) {
  if (array == 0) return "pi";
  const std::size_t n = std::size_t(dims) + 3;
  if (array <= n) return fmt::format("mean[{}]", array - 1);
  const auto [i, j] = entries[array - 1 - n];
  return fmt::format("covariance[{}][{}]", i, j);
}

void expectSymmetric(const Gaussian& g, int n, const std::string& what) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const double a = g.covariance[i][j], b = g.covariance[j][i];
      const double scale = std::sqrt(std::abs(g.covariance[i][i] * g.covariance[j][j]));
      if (!(std::abs(a - b) <= 1e-6 * scale))
        fail("{}: covariance[{}][{}]: expected its mirror {}, found {}", what, i, j, b, a);
    }
}

}  // namespace

void readMixture(std::span<const std::byte> payload, const Header& header, Model& model,
                 const std::string& name, Progress& progress) {
  const int p = model.dims, n = p + 3;
  const Arrays arrays(payload, header);
  const std::vector<std::pair<int, int>> entries = entriesOf(p, header.entries);
  const std::size_t first = 1 + std::size_t(n);  // array of the first covariance entry

  double total = 0;
  for (std::size_t k = 0; k < header.count; ++k) {
    const double prior = arrays(0, k);
    if (!(prior > 0))
      fail("{}: component {}: pi: expected a positive number, found {}", name, k, prior);
    total += prior;
  }
  if (!(std::abs(total - 1) <= 1e-3))
    fail("{}: pi: expected a sum of 1 (to 0.001), found {}", name, total);

  for (std::size_t k = 0; k < header.count; ++k) {
    const std::string what = fmt::format("{}: component {}", name, k);
    for (std::size_t array = 0; array < first + entries.size(); ++array)
      if (!std::isfinite(arrays(array, k)))
        fail("{}: {}: expected a finite number, found {}", what, nameOf(array, p, entries),
             arrays(array, k));
    Gaussian g;
    g.prior = arrays(0, k) / total;
    for (int i = 0; i < n; ++i) g.mean[i] = arrays(1 + std::size_t(i), k);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto [row, column] = entries[i];
      g.covariance[row][column] = arrays(first + i, k);
      if (header.entries != CovarianceEntries::Full)
        g.covariance[column][row] = g.covariance[row][column];
    }
    expectSymmetric(g, n, what);
    model.components[k] = rounded(whiten(g, p, what), model);
    if (k % 4096 == 0) progress.advance(double(std::min<std::size_t>(4096, header.count - k)));
  }
}

}  // namespace fathom::smoe
