// SPDX-License-Identifier: BSD-3-Clause
// A fit beside the picture: it starts when its source has been read, its model takes the place of
// the one that is shown every now and then, and its error becomes a heat map.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/smoe/fit/session.h"
#include "app/window/smoe/brush.h"
#include "app/engine/smoe/checks.h"
#include "app/window/smoe/error_views.h"
#include "app/engine/smoe/model_source.h"
#include "app/engine/smoe/model_store.h"

#include <cstdint>
#include <string>
#include <utility>

namespace fathom::smoe {

class FitControl {
 public:
  /// What the fit page asks for beside the settings.
  struct Form {
    int seed = 1;
    int moreSteps = 500;  // when a finished fit continues
    int added = 200;      // components, when some are added
  };

  /// `checks` are dropped when a fit starts: they are of another model.
  FitControl(Settings& settings, ModelStore& models, ModelSource& source, Checks& checks)
      : settings_(settings), models_(models), source_(source), checks_(checks) {}

  Form& form() { return form_; }
  /// Paints where the fit gets more components.
  FitBrush& brush() { return brush_; }
  /// Strokes that this fit has been given.
  int strokes() const { return strokes_; }
  /// Fits a new model to the source, or continues with the one that is open.
  void start(bool fromModel);
  /// Stops the fit, or the reading of its source.
  void stop();
  void resume() { session_.resume(); }
  void continueFurther() { session_.continueFor(form_.moreSteps); }
  void addComponents();
  /// Forgets the fit: another model was opened.
  void drop();

  /// One slice of reading and fitting. Throws Error, also what the buttons above could not do.
  void work(gpu::Context& gpu, double budgetMs);

  const FitSession& session() const { return session_; }
  /// A start waits for its source.
  bool waiting() const { return waiting_; }
  const ErrorHeat& heat() const { return heat_; }
  Effect takeChange() { return std::exchange(change_, Effect::None); }

 private:
  void readSource(gpu::Context& gpu);
  void begin();
  void showModel(gpu::Context& gpu);
  void followBrush();
  bool showingIsDue() const;

  Settings& settings_;
  ModelStore& models_;
  ModelSource& source_;
  Checks& checks_;
  Form form_;
  FitSession session_;
  FitBrush brush_;
  int strokes_ = 0;
  bool waiting_ = false, fromModel_ = false;
  std::string error_;  // of a button; thrown by the next work()
  ErrorHeat heat_;
  Effect change_ = Effect::None;

  std::uint64_t shown_ = 0;  // the session's generation whose model is shown
  Stopwatch sinceShown_;
  double showingMs_ = 0;  // what showing it took
};

}  // namespace fathom::smoe
