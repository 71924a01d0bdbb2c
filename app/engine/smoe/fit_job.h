// SPDX-License-Identifier: BSD-3-Clause
// A fit beside the picture, which steps: it starts when its source has been read, stops, continues
// and grows, and its model takes the place of the one that is shown every now and then.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/open_model.h"

namespace fathom::smoe {

class FitJob {
 public:
  enum class State { None, Running, Stopped, Done };

  FitJob(Settings& settings, ModelStore& models, ModelSource& source)
      : settings_(settings), models_(models), source_(source) {}

  /// Fits a new model to the source, or continues with the one that is open.
  void start(bool fromModel, std::uint64_t seed = 1);
  /// Stops the fit, or the reading of its source.
  void stop();
  void resume();
  void continueFor(int moreSteps);
  /// Splits `count` components where the error is, then takes more steps.
  void addComponents(int count, int moreSteps);
  /// Forgets the fit: another model was opened.
  void drop();

  /// One slice of reading and fitting. Throws Error, which ends the fit, also what start() and
  /// addComponents() could not do.
  void work(gpu::Context& gpu, double budgetMs);

  State state() const { return state_; }
  bool running() const { return state_ == State::Running; }
  /// A start waits for its source.
  bool waiting() const { return waiting_; }
  /// Of the colors. None before the first slice of it.
  const Fitter* fitter() const { return fitter_.get(); }
  /// Alpha is fitted first, and adding components and more steps are of the colors.
  bool fittingAlpha() const { return alphaFitter_ != nullptr; }
  const Progress& progress() const { return *progress_; }
  /// Fits that have begun.
  int begun() const { return begun_; }
  /// Counts up with every slice.
  std::uint64_t generation() const { return generation_; }
  /// The generation whose model is shown; 0: none yet.
  std::uint64_t shown() const { return shown_; }
  /// Null before the first slice; see Fitter::errorMap().
  const gpu::Texture* errorMap() { return fitter_ ? &fitter_->errorMap() : nullptr; }

 private:
  void begin();
  void forget();
  void fit(gpu::Context& gpu, double budgetMs);
  bool fitAlpha(gpu::Context& gpu, double budgetMs);
  void showModel();
  bool showingIsDue() const;

  Settings& settings_;
  ModelStore& models_;
  ModelSource& source_;
  bool waiting_ = false, fromModel_ = false;
  std::uint64_t seed_ = 1;
  int begun_ = 0;
  std::string error_;  // thrown by the next work()

  State state_ = State::None;
  SharedTraining training_;
  FitRequest request_;
  std::shared_ptr<const Model> from_;  // null: a new one
  std::unique_ptr<Fitter> fitter_, alphaFitter_;
  std::shared_ptr<const Model> alpha_;  // once it is fitted
  std::unique_ptr<Progress> progress_ = std::make_unique<Progress>();
  std::uint64_t generation_ = 0;

  std::uint64_t shown_ = 0;
  Stopwatch sinceShown_;
  double showingMs_ = 0;  // what showing it took
};

}  // namespace fathom::smoe
