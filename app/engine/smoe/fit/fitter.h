// SPDX-License-Identifier: BSD-3-Clause
// Fits a model on the GPU in five stages: residual-driven kd-tree, local EM, linear refit of the
// experts, Adam on the whole record, relocation of components. Deterministic: same training set,
// request and device, same bytes. Work comes in steps, so that a window can show the model as it
// grows.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/smoe/fit/checkpoint.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe {

class Fitter {
 public:
  Fitter(gpu::Context& gpu, SharedTraining training, const FitRequest& request);
  /// Continues from a model of the same shape: no kd-tree and no EM.
  Fitter(gpu::Context& gpu, SharedTraining training, const FitRequest& request, const Model& from);
  /// Goes on as if the fit that the snapshot was taken from had never stopped; `maxSeconds` counts
  /// from here on. Throws Error when the pictures are others.
  Fitter(gpu::Context& gpu, SharedTraining training, const FitSnapshot& from,
         double maxSeconds = 0);
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

  /// The newest state that the fit can go on from; where request.snapshots says so, every 4 rounds
  /// of the mixture and every 20 steps of descent (views: 200). Null before the first.
  const FitSnapshot* snapshot() const;

  /// Splits `count` components where the error is, some at once and the rest round by round, as
  /// what is wrong shows, while it takes more gradient steps.
  void addComponents(int count, int moreSteps);
  /// Takes away as many components as leave it so many dB, those that are missed least first, and
  /// takes more gradient steps.
  void trimTo(double psnr, int moreSteps);
  void continueFor(int moreSteps);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::smoe
