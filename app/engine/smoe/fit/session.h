// SPDX-License-Identifier: BSD-3-Clause
// A fit under the control of the window: it starts, stops, continues and grows; the current model
// can be taken at any time.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/smoe/fit/fitter.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::smoe {

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
  /// More components where somebody looks; a fit that is done goes on for that, a stopped one does
  /// so when it is resumed.
  void attend(Attention where, int moreSteps);
  void drop();

  /// One slice; true while more is to be done. An exception ends the fit.
  bool work(gpu::Context& gpu, double budgetMs);

  State state() const { return state_; }
  bool running() const { return state_ == State::Running; }
  /// Of the colors. None before the first slice of it.
  const Fitter* fitter() const { return fitter_.get(); }
  /// Alpha is fitted first, and adding components, attending and more steps are of the colors.
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
