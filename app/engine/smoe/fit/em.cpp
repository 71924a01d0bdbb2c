// SPDX-License-Identifier: BSD-3-Clause
// Sums of the E step, moved from a slice to the joint coordinates; means and covariances of the M
// step.
#include "app/engine/smoe/fit/em.h"

#include "app/engine/core/jobs.h"
#include "app/engine/smoe/fit/start.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <cmath>

namespace fathom::smoe {
namespace {

constexpr double kMinPixels = 1e-3;  // pixels that a component must be responsible for

/// Where fit_moments.comp puts the second moments of (x, y, red, green, blue).
constexpr int kSecond[5][5] = {{6, 7, 9, 10, 11},
                               {7, 8, 12, 13, 14},
                               {9, 12, 15, 16, 17},
                               {10, 13, 16, 18, 19},
                               {11, 14, 17, 19, 20}};
constexpr int kLogSum = 21;

double regularization(int coordinate, int leading) {
  if (coordinate < leading) return kLeadVariance;
  return coordinate < leading + 2 ? kPixelVariance : kColorVariance;
}

}  // namespace

shared::FitFactor colorFactor(const Gaussian& gaussian, const Record& record, int dims) {
  const auto p = std::size_t(dims);
  // S = R_YY - H H^T - H_a H_a^T, then its Cholesky factor in place, lower triangle.
  double s[3][3];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double explained = glm::dot(record.h[i], record.h[j]);
      for (int k = 0; k < dims - 2; ++k) explained += record.leadH[i][k] * record.leadH[j][k];
      s[i][j] = gaussian.covariance[p + i][p + j] - explained;
      for (std::size_t k = 0; k < j; ++k) s[i][j] -= s[i][k] * s[j][k];
      s[i][j] = i == j ? std::sqrt(std::max(s[i][j], 1e-6)) : s[i][j] / s[j][j];
    }
  // F = L^-1 by substitution; ln det F is the constant of the density.
  const double f11 = 1 / s[0][0], f22 = 1 / s[1][1], f33 = 1 / s[2][2];
  const double f21 = -s[1][0] * f11 * f22, f32 = -s[2][1] * f22 * f33;
  const double f31 = -(s[2][0] * f11 + s[2][1] * f21) * f33;
  return {float(f11),
          float(f21),
          float(f22),
          float(f31),
          float(f32),
          float(f33),
          float(std::log(f11 * f22 * f33)),
          0};
}

FitEm::FitEm(FitPasses& passes, const Model& frame, std::vector<Gaussian> start)
    : passes_(passes), frame_(frame), mixture_(std::move(start)) {
  begin();
}

void FitEm::begin() {
  const std::size_t count = mixture_.size();
  components_.resize(count);
  records_.resize(count);
  factors_.resize(count);
  totals_.assign(count, {});
  logSum_ = 0;
  parallelFor(count, 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t j = first; j < last; ++j) {
      const Record record = whiten(mixture_[j], frame_.dims, fmt::format("component {}", j));
      factors_[j] = colorFactor(mixture_[j], record, frame_.dims);
      components_[j] = rounded(record, frame_);
      records_[j] = exact(components_[j], frame_);
    }
  });
  passes_.upload(components_);
}

void FitEm::add(const FitRegion& region) {
  passes_.moments(region, factors_);
  const auto sums = passes_.downloadSums<FIT_ROWS_LIKELIHOOD>();
  const auto q = std::size_t(frame_.leading());
  parallelFor(sums.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const auto& sum = sums[j];
      const double n = double(sum[0]);
      if (!(n > 0)) continue;
      // v = t + u: t is what slicing moved the means by, known; u is what was summed.
      const Record view = slice(records_[j], int(q), region.view());
      std::array<double, 7> t{}, u{};
      for (std::size_t k = 0; k < q; ++k)
        t[k] = region.view()[int(k)] - records_[j].leadCenter[int(k)];
      for (int k = 0; k < 2; ++k) t[q + std::size_t(k)] = view.center[k] - records_[j].center[k];
      for (int k = 0; k < 3; ++k) t[q + 2 + std::size_t(k)] = view.color[k] - records_[j].color[k];
      for (std::size_t k = 0; k < 5; ++k) u[q + k] = double(sum[1 + k]);

      Totals& total = totals_[j];
      total.n += n;
      for (std::size_t i = 0; i < q + 5; ++i) {
        total.first[i] += u[i] + n * t[i];
        for (std::size_t k = 0; k < q + 5; ++k) {
          const double square =
              i < q || k < q ? 0 : double(sum[std::size_t(kSecond[i - q][k - q])]);
          total.second[i][k] += square + t[i] * u[k] + u[i] * t[k] + n * t[i] * t[k];
        }
      }
    }
  });
  for (const auto& sum : sums) logSum_ += double(sum[kLogSum]);
}

void FitEm::finish() {
  double all = 0;
  for (const Totals& total : totals_) all += total.n;
  logLikelihood_ = all > 0 ? logSum_ / all : 0;
  const auto size = std::size_t(frame_.dims + 3), p = std::size_t(frame_.dims);
  for (std::size_t j = 0; j < mixture_.size(); ++j) {
    const Totals& total = totals_[j];
    if (!(total.n >= kMinPixels)) continue;
    // Prior, mean and covariance of what the component is responsible for (M step); sums are
    // relative to the mean that it had.
    Gaussian& g = mixture_[j];
    g.prior = total.n / all;
    const Record& record = records_[j];
    for (std::size_t i = 0; i < size; ++i) {
      const double old = i + 2 < p ? record.leadCenter[int(i)]
                         : i < p   ? record.center[int(i + 2 - p)]
                                   : record.color[int(i - p)];
      g.mean[i] = old + total.first[i] / total.n;
      for (std::size_t k = 0; k < size; ++k)
        g.covariance[i][k] =
            (total.second[i][k] - total.first[i] * total.first[k] / total.n) / total.n;
      g.covariance[i][i] += regularization(int(i), frame_.leading());
    }
  }
}

}  // namespace fathom::smoe
