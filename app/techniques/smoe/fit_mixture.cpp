// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/fit_mixture.h"

#include "app/techniques/smoe/disparity.h"

#include <algorithm>
#include <optional>

namespace fathom::smoe {
namespace {

constexpr std::size_t kFramesPerStart = 8;

/// Mean and variance of the leading coordinates of these pictures.
struct Spread {
  glm::dvec2 mean{0}, variance{0};
};

Spread spreadOf(const TrainingSet& training, const std::vector<std::size_t>& pictures) {
  Spread spread;
  const auto count = double(pictures.size());
  for (const std::size_t i : pictures) spread.mean += training.coordinatesOf(i) / count;
  for (const std::size_t i : pictures) {
    const glm::dvec2 d = training.coordinatesOf(i) - spread.mean;
    spread.variance += d * d / count;
  }
  spread.variance += kLeadVariance;
  return spread;
}

/// With a independent of where the content lies in the middle view, s = s_0 + d (a - a_0), and of
/// its color: R_sa = d R_aa, R_ss grows by d^2 R_aa, R_Ya = 0.
Gaussian lifted(const Gaussian& flat, int dims, const Spread& spread, double disparity,
                glm::dvec2 at) {
  const auto q = std::size_t(dims - 2);
  Gaussian g;
  g.prior = flat.prior;
  for (std::size_t i = 0; i < 5; ++i) {
    g.mean[q + i] = flat.mean[i];
    for (std::size_t k = 0; k < 5; ++k) g.covariance[q + i][q + k] = flat.covariance[i][k];
  }
  for (std::size_t k = 0; k < q; ++k) {
    const double variance = spread.variance[int(k)];
    g.mean[k] = spread.mean[int(k)];
    g.covariance[k][k] = variance;
    if (q != 2) continue;
    g.mean[q + k] += disparity * (g.mean[k] - at[int(k)]);
    g.covariance[k][q + k] = g.covariance[q + k][k] = disparity * variance;
    g.covariance[q + k][q + k] += disparity * disparity * variance;
  }
  return g;
}

/// The leaves of one picture, standing for these pictures.
void addLeaves(std::vector<Gaussian>& mixture, const TrainingSet& training, std::size_t picture,
               const std::vector<std::size_t>& standsFor, int count) {
  const std::vector<PixelBox> boxes = cutPicture(training.pictures[picture], count);
  std::optional<DisparitySweep> sweep;
  if (training.dims == 4) sweep.emplace(training);
  const Spread spread = spreadOf(training, standsFor);
  for (const PixelBox& box : boxes) {
    const Gaussian flat = leafGaussian(training.pictures[picture], box);
    const double disparity =
        sweep ? sweep->over({box.low.x, box.low.y, box.size().x, box.size().y}) : 0;
    mixture.push_back(training.dims == 2 ? flat
                                         : lifted(flat, training.dims, spread, disparity,
                                                  training.coordinatesOf(picture)));
  }
}

}  // namespace

std::vector<Gaussian> startMixture(const TrainingSet& training, int count) {
  std::vector<Gaussian> mixture;
  const std::vector<std::size_t> fitted = training.fitted();
  if (training.dims != 3) {
    addLeaves(mixture, training, training.middle(), fitted, count);
    return mixture;
  }
  // No more stretches of frames than components.
  const std::size_t stretches =
      std::min((fitted.size() + kFramesPerStart - 1) / kFramesPerStart, std::size_t(count));
  for (std::size_t k = 0; k < stretches; ++k) {
    const auto begin = fitted.begin() + std::ptrdiff_t(k * fitted.size() / stretches);
    const auto end = fitted.begin() + std::ptrdiff_t((k + 1) * fitted.size() / stretches);
    const std::vector<std::size_t> frames(begin, end);
    const std::size_t share =
        (k + 1) * std::size_t(count) / stretches - k * std::size_t(count) / stretches;
    addLeaves(mixture, training, frames[frames.size() / 2], frames, int(share));
  }
  return mixture;
}

}  // namespace fathom::smoe
