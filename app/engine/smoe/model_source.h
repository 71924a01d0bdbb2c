// SPDX-License-Identifier: BSD-3-Clause
// What the current model is compared with and fitted to: what the settings name, else what the
// model itself names as its source. It is read without keeping the window waiting: files on a
// thread, scenes loaded on a thread and drawn view by view.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/gpu/context.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model_store.h"

namespace fathom::smoe {

class ModelSource {
 public:
  ModelSource(const Settings& settings, const ModelStore& models)
      : settings_(settings), models_(models) {}
  ~ModelSource();

  /// A picture, a folder of views or frames, or a scene; empty: nothing is named.
  std::string name() const;
  /// The views to be taken when it is a scene.
  CaptureRequest& capture() { return capture_; }

  /// Starts reading what is named now, unless that is there or on its way; false when nothing is.
  bool ask();
  /// Like ask(), but tries once more what could not be read before.
  bool askAgain();
  /// Forgets what was asked for.
  void drop();
  /// Reads it now. Throws Error: nothing is named, it is unreadable, or it does not match.
  void readNow(gpu::Context& gpu, Progress& progress);
  /// One slice of reading; true when the source has become ready. Throws Error when it cannot be
  /// read; asking again for it then changes nothing before drop().
  bool work(gpu::Context& gpu);

  bool busy() const { return wanted_ && !ready_ && !failed_; }
  const Progress* progress() const { return progress_.get(); }
  /// What was asked for last; null until it is there.
  const std::shared_ptr<const TrainingSet>& ready() const { return ready_; }
  /// Its file, folder or scene.
  const std::string& readyName() const { return asked_.input; }
  /// A source is there, and of the size and dimensions of the current model.
  bool matches() const;
  /// Throws Error when the source that is there does not match.
  void expectMatch() const;

 private:
  struct Request {
    std::string input;
    CaptureRequest capture;  // of scenes
  };
  bool isAsked(const Request& wanted) const;
  void startReading();
  void startCapture(gpu::Context& gpu);
  void captureOne();
  void fail();

  const Settings& settings_;
  const ModelStore& models_;
  CaptureRequest capture_;

  Request asked_;
  bool wanted_ = false, failed_ = false;
  std::shared_ptr<const TrainingSet> ready_;
  std::shared_ptr<Progress> progress_;
  std::shared_ptr<const Scene> scene_;  // loaded, not drawn yet
  std::unique_ptr<ViewCapture> drawing_;
  std::shared_ptr<TrainingSet> drawn_;  // as far as it is drawn
  JobQueue jobs_;
};

}  // namespace fathom::smoe
