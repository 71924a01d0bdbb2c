// SPDX-License-Identifier: BSD-3-Clause
// Expectation maximization of a mixture over coordinates and color, local to the lists of tiles.
// The E step runs on the GPU region by region in float32, relative to the means; totals and the M
// step are float64 on the CPU. Views of a light field are sliced: the sums of their joint
// coordinates follow from those of the slice.
#pragma once

#include "app/engine/smoe/fit/passes.h"

#include <vector>

namespace fathom::smoe {

class FitEm {
 public:
  /// `frame` gives dimensions and fraction bits; its components are not read.
  FitEm(FitPasses& passes, const Model& frame, std::vector<Gaussian> start);

  /// Uploads the mixture as it is, for the lists and the E steps of one iteration.
  void begin();
  /// The E step of one region, with lists made for the records of begin().
  void add(const FitRegion& region);
  /// The M step: components that nothing is left for keep what they were.
  void finish();

  /// The records that begin() uploaded, rounded as they were.
  const std::vector<Record>& records() const { return records_; }
  const std::vector<Component>& components() const { return components_; }
  /// As the last M step left it.
  const std::vector<Gaussian>& mixture() const { return mixture_; }
  /// Mean ln likelihood per pixel under the mixture that the last iteration began with, but for
  /// constants; must rise.
  double logLikelihood() const { return logLikelihood_; }

 private:
  FitPasses& passes_;
  const Model& frame_;
  std::vector<Gaussian> mixture_;
  std::vector<Component> components_;
  std::vector<Record> records_;
  std::vector<shared::FitFactor> factors_;
  /// Sums of r, r v and r v v^T with v relative to the record's mean; in p + 3 coordinates.
  struct Totals {
    double n = 0;
    std::array<double, 7> first{};
    std::array<std::array<double, 7>, 7> second{};
  };
  std::vector<Totals> totals_;
  double logSum_ = 0, logLikelihood_ = 0;
};

/// The whitening of the colors' conditional covariance R_YY - H H^T of a component.
shared::FitFactor colorFactor(const Gaussian& gaussian, const Record& record, int dims);

}  // namespace fathom::smoe
