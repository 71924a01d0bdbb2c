// SPDX-License-Identifier: BSD-3-Clause
// Linear refit of the experts: with the gates fixed, colors and slopes minimize a least-squares
// problem, solved by conjugate gradients on its normal equations, preconditioned by their diagonal.
// A product with the normal equations is a decode against black and its gradient. Images only.
#pragma once

#include "app/engine/smoe/fit/passes.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/packed.h"

namespace fathom::smoe {

/// Which slopes of experts may change: all, all three channels by the same (luma of RGB), or those
/// of the first channel (of YCbCr).
enum class Slopes { Free, Luma, First };

/// Conjugate gradients over the experts of one picture.
class ExpertSolver {
 public:
  /// The regions have lists. Starts from these components and is drawn toward them; with Colors,
  /// slopes stay.
  ExpertSolver(FitPasses& passes, std::span<FitRegion* const> regions,
               std::vector<Component> components, Refit what = Refit::Experts,
               Slopes slopes = Slopes::Free);

  /// One iteration; false when there is nothing left to gain.
  bool step();
  /// The components with the experts so far; uploads them.
  std::vector<Component> finish();

 private:
  /// Nine numbers per component: color, H, or their gradient.
  using Vector = std::vector<double>;
  /// With `experts` in place of the components' own: E's gradient along the experts.
  Vector gradientAt(const Vector& experts, float targetScale);
  Vector diagonal();
  void hold(Vector& gradient) const;
  std::vector<Component> withExperts(const Vector& experts) const;

  FitPasses& passes_;
  Slopes slopes_;
  std::vector<FitRegion*> regions_;
  std::vector<Component> components_;
  Vector start_, change_;                // experts = start + change
  Vector residual_, direction_, scale_;  // scale: one over the diagonal
  double square_ = 0, firstSquare_ = 0;  // residual . scale residual
};

class FitAdam;

/// What a packer asks for, step by step, of a picture or of its alpha. Images only.
class PackingRefit {
 public:
  PackingRefit(gpu::Context& gpu, const SharedTraining& training, const Model& model, Refit what);
  ~PackingRefit();
  /// False when there is nothing left to do.
  bool step();
  std::vector<Component> finish();

 private:
  bool descend();

  FitAreas areas_;
  FitPasses passes_;
  std::vector<Component> components_;
  Slopes slopes_;
  Refit what_;
  std::unique_ptr<FitAdam> adam_;        // of Refit::Gates
  std::unique_ptr<ExpertSolver> refit_;  // of the others
  int steps_ = 0;
};

/// What errors of a model's picture, or of its alpha, are those against.
std::span<const glm::vec4> packingSource(const TrainingSet& training, const Model& model);
/// For Packer: refits to the picture that the model was fitted to, on the thread of `gpu`. None for
/// views and frames.
Refitter refitterFor(gpu::Context& gpu, SharedTraining training);

}  // namespace fathom::smoe
