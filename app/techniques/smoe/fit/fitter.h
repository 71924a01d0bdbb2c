// SPDX-License-Identifier: BSD-3-Clause
// Fits a model on the GPU in five stages: residual-driven kd-tree, local EM, linear refit of the
// experts, Adam on the whole record, relocation of components. Deterministic: same training set,
// request and device, same bytes. Work comes in steps, so that a window can show the model as it
// grows.
#pragma once

#include "app/core/progress.h"
#include "app/gpu/context.h"
#include "app/gpu/texture.h"
#include "app/techniques/smoe/fit/training.h"
#include "app/techniques/smoe/model/model.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fathom::smoe {

struct FitRequest {
  int components = 2000;
  int emIterations = 20;
  int refitIterations = 30;  // of conjugate gradients; images only
  int steps = 1000;          // of Adam, half of them in rounds with relocation
  bool relocate = true;
  std::uint64_t seed = 1;
  /// Descent is over by then, however many steps are left; 0: no limit. Not reproducible.
  double maxSeconds = 0;
};

/// A point of the curve.
struct FitPoint {
  int iteration = 0;
  double seconds = 0, psnr = 0;
  std::string stage;  // "start", "em", "refit", "adam", "relocate"
};

class Fitter {
 public:
  Fitter(gpu::Context& gpu, std::shared_ptr<const TrainingSet> training, const FitRequest& request);
  /// Continues from a model of the same shape: no kd-tree and no EM.
  Fitter(gpu::Context& gpu, std::shared_ptr<const TrainingSet> training, const FitRequest& request,
         const Model& from);
  ~Fitter();

  /// Works for about budgetMs (infinite: to the end); true when all is done. Reports to `progress`
  /// how far the stage has come. Throws Cancelled, between two units of work: step() may be called
  /// again.
  bool step(double budgetMs, Progress& progress);
  bool done() const;

  /// The current model; always finite and valid. Without components before the first step().
  Model model() const;
  int iteration() const;
  /// dB over RGB (or the model's own three channels) in 0..1, clamped, not rounded, over the
  /// pictures that are fitted; taken every few steps, stage by stage.
  const std::vector<FitPoint>& curve() const;
  /// |error| per pixel of the picture (of the view at the origin): Rgba32f, for show().
  const gpu::Texture& errorMap();

  /// Splits `count` components where the error is, then takes more gradient steps.
  void addComponents(int count, int moreSteps);
  void continueFor(int moreSteps);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::smoe
