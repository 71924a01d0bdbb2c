// SPDX-License-Identifier: BSD-3-Clause
// The first two stages of a fit, as mixtures over coordinates and color. Where it begins: a kd-tree
// cuts the picture where colors are not linear in the coordinates, and each leaf becomes a
// component. Then expectation maximization, local to the lists of tiles.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/smoe/fit/passes.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/component_lists.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe {

/// What keeps covariances away from zero, everywhere in a fit: the variance of a unit pixel (px^2),
/// of the leading coordinates (steps^2), and of encoded colors.
inline constexpr double kPixelVariance = 1.0 / 12;
inline constexpr double kLeadVariance = 0.02;
inline constexpr double kColorVariance = 1e-3;

/// The leaves of the tree, `count` of them, in the order of the cuts. They cover the picture
/// without overlap unless `count` exceeds the pixels: then single pixels occur again.
std::vector<PixelBox> cutPicture(const Image& picture, int count);

/// Mean and covariance of the pixels of a box, regularized; two-dimensional.
Gaussian leafGaussian(const Image& picture, const PixelBox& box);

/// Exactly `count` components. Images: the leaves as they are. Light fields: those of the middle
/// view, each moving with the disparity that matches it best in its neighbors. Video: those of one
/// frame per few, each standing still.
std::vector<Gaussian> startMixture(const TrainingSet& training, int count);

/// How far what the middle view shows moves from view to view: block matching against neighbors in
/// the grid. It seeds M, which a fit cannot find from 0 where structures are finer than what they
/// move by.
///
/// Tries every disparity of kLowest, kLowest + kStep .. -kLowest px per view step, against the
/// views two steps to each side (or one, in small grids); held-out views are not looked at. Of each
/// pair of opposite views the better match counts: at an edge one of them sees behind it.
class DisparitySweep {
 public:
  static constexpr double kLowest = -2, kStep = 0.1;
  static constexpr int kCount = 41;

  /// `training` is a light field; the sweep looks from its middle view.
  explicit DisparitySweep(const TrainingSet& training);

  /// Of what a box of pixels of the middle view shows; boxes below 7 px a side are judged with
  /// their surroundings. 0 when there are no neighbors, or nothing to tell disparities apart by.
  double over(const Rect& box) const;

 private:
  glm::ivec2 size_;
  /// float[kCount][height][width]: sums of absolute differences over the three channels.
  std::vector<float> costs_;
};

/// Expectation maximization. The E step runs on the GPU region by region in float32, relative to
/// the means; totals and the M step are float64 on the CPU. Views of a light field are sliced: the
/// sums of their joint coordinates follow from those of the slice.
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
