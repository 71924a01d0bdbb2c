// SPDX-License-Identifier: BSD-3-Clause
// A fit as the window steers it: it starts, stops, goes on and grows; the model of now can be taken
// at any time.
#pragma once

#include "app/core/progress.h"
#include "app/techniques/smoe/fit/fitter.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::smoe {

class FitSession {
 public:
  enum class State { None, Running, Stopped, Done };

  /// Forgets the fit before. `from`: the model to go on from; null: a new one.
  void start(std::shared_ptr<const TrainingSet> training, const FitRequest& request,
             std::shared_ptr<const Model> from);
  void stop();
  void resume();
  /// Splits so many components where the error is, then takes more steps.
  void addComponents(int count, int moreSteps);
  void continueFor(int moreSteps);
  void drop();

  /// A slice; true while more is to be done. What it throws ends the fit.
  bool work(gpu::Context& gpu, double budgetMs);

  State state() const { return state_; }
  bool running() const { return state_ == State::Running; }
  /// None before the first slice.
  const Fitter* fitter() const { return fitter_.get(); }
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
  std::unique_ptr<Fitter> fitter_;
  std::unique_ptr<Progress> progress_ = std::make_unique<Progress>();
  State state_ = State::None;
  std::uint64_t generation_ = 0;
};

}  // namespace fathom::smoe
