// SPDX-License-Identifier: BSD-3-Clause
// A fit of a whole picture, which steps: it starts, stops, continues and grows, and the current
// model can be taken at any time. A picture with alpha is fitted as two: its alpha as a gray
// picture first, then its premultiplied colors, each by components of its own, so that what is
// hidden costs nothing.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/fit/training.h"

namespace fathom::smoe {

// Alpha
// -------------------------------------------------------------------------------------------------

/// How many of the components alpha takes: as large a share as it is of what no plane through 4 x 4
/// pixels describes, at least 1 and at most half. 0 for an opaque picture.
int alphaComponents(const TrainingSet& training, int components);

/// The request of a whole fit, divided between both; its time like its components.
struct DividedRequest {
  FitRequest alpha, colors;
};
DividedRequest divided(const TrainingSet& training, const FitRequest& whole);

/// What a fit to the alpha has come to, as it belongs to the colors' model.
std::shared_ptr<const Model> alphaModel(const Fitter& fitter);

// The session
// -------------------------------------------------------------------------------------------------

class FitSession {
 public:
  enum class State { None, Running, Stopped, Done };

  /// Forgets the previous fit. `from`: the model to continue from; null: a new one.
  void start(std::shared_ptr<const TrainingSet> training, const FitRequest& request,
             std::shared_ptr<const Model> from);
  void stop();
  void resume();
  /// Splits `count` components where the error is, then takes more steps.
  void addComponents(int count, int moreSteps);
  void continueFor(int moreSteps);
  void drop();

  /// One slice; true while more is to be done. An exception ends the fit.
  bool work(gpu::Context& gpu, double budgetMs);

  State state() const { return state_; }
  bool running() const { return state_ == State::Running; }
  /// Of the colors. None before the first slice of it.
  const Fitter* fitter() const { return fitter_.get(); }
  /// Alpha is fitted first, and adding components and more steps are of the colors.
  bool fittingAlpha() const { return alphaFitter_ != nullptr; }
  /// As far as it is, alpha included; there is a fitter.
  Model model() const;
  const gpu::Texture* errorMap() { return fitter_ ? &fitter_->errorMap() : nullptr; }
  const FitRequest& request() const { return request_; }
  const std::shared_ptr<const TrainingSet>& training() const { return training_; }
  const Progress& progress() const { return *progress_; }
  /// Counts up with every slice.
  std::uint64_t generation() const { return generation_; }

 private:
  std::shared_ptr<const TrainingSet> training_;
  std::shared_ptr<const Model> from_;
  FitRequest request_;
  std::unique_ptr<Fitter> begun(gpu::Context& gpu,
                                const std::shared_ptr<const TrainingSet>& training,
                                const FitRequest& request, const Model* from) const;
  bool workAlpha(gpu::Context& gpu, double budgetMs);

  std::unique_ptr<Fitter> fitter_, alphaFitter_;
  std::shared_ptr<const Model> alpha_;  // once it is fitted
  std::unique_ptr<Progress> progress_ = std::make_unique<Progress>();
  State state_ = State::None;
  std::uint64_t generation_ = 0;
};

}  // namespace fathom::smoe
