// SPDX-License-Identifier: BSD-3-Clause
// A fit beside the picture: it starts when its source has been read, and its model takes the place
// of the one that is shown every now and then.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/smoe/fit/session.h"
#include "app/engine/smoe/open_model.h"

namespace fathom::smoe {

class FitJob {
 public:
  FitJob(Settings& settings, ModelStore& models, ModelSource& source)
      : settings_(settings), models_(models), source_(source) {}

  /// Fits a new model to the source, or continues with the one that is open.
  void start(bool fromModel, std::uint64_t seed = 1);
  /// Stops the fit, or the reading of its source.
  void stop();
  void resume() { session_.resume(); }
  void continueFor(int moreSteps) { session_.continueFor(moreSteps); }
  void addComponents(int count, int moreSteps);
  /// Forgets the fit: another model was opened.
  void drop();

  /// One slice of reading and fitting. Throws Error, also what start() and addComponents() could
  /// not do.
  void work(gpu::Context& gpu, double budgetMs);

  const FitSession& session() const { return session_; }
  /// A start waits for its source.
  bool waiting() const { return waiting_; }
  /// Fits that have begun.
  int begun() const { return begun_; }
  /// The session's generation whose model is shown; 0: none yet.
  std::uint64_t shown() const { return shown_; }
  /// Of the session, null before its first slice; see Fitter::errorMap().
  const gpu::Texture* errorMap() { return session_.errorMap(); }

 private:
  void readSource(gpu::Context& gpu);
  void begin();
  void showModel();
  bool showingIsDue() const;

  Settings& settings_;
  ModelStore& models_;
  ModelSource& source_;
  FitSession session_;
  bool waiting_ = false, fromModel_ = false;
  std::uint64_t seed_ = 1;
  int begun_ = 0;
  std::string error_;  // thrown by the next work()

  std::uint64_t shown_ = 0;
  Stopwatch sinceShown_;
  double showingMs_ = 0;  // what showing it took
};

}  // namespace fathom::smoe
