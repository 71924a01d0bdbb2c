// SPDX-License-Identifier: BSD-3-Clause
// What a model is fitted to and compared with, read without keeping the window waiting: files
// are read on a thread, scenes loaded on a thread and drawn view by view.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/gpu/context.h"
#include "app/engine/smoe/fit/capture_views.h"
#include "app/engine/smoe/fit/training.h"

#include <memory>
#include <string>

namespace fathom::smoe {

/// A picture, a folder of views or frames, or a scene with the views to be taken of it.
struct SourceRequest {
  std::string input;
  ColorSpace space = ColorSpace::Srgb;
  CaptureRequest capture;  // of scenes
  bool operator==(const SourceRequest& other) const;
};

/// The picture whose view or frame is nearest.
std::size_t nearestPicture(const TrainingSet& source, ViewCoordinates at);

class FitSource {
 public:
  FitSource() = default;
  ~FitSource();

  /// Asks for this source; nothing happens when it is the one that is there or on its way.
  void ask(const SourceRequest& request);
  /// Forgets what was asked for.
  void drop();
  bool busy() const { return wanted_ && !ready_ && !failed_; }
  /// It could not be read; asking again for the same changes nothing before drop().
  bool failed() const { return failed_; }
  /// Of what was asked for last; null until it is there.
  const std::shared_ptr<const TrainingSet>& ready() const { return ready_; }
  const SourceRequest& request() const { return request_; }
  const Progress* progress() const { return progress_.get(); }

  /// One slice of the work. Throws Error when the source cannot be read; then it has failed().
  void work(gpu::Context& gpu);

 private:
  void startReading();
  void startCapture(gpu::Context& gpu);
  void captureOne();
  void fail();

  SourceRequest request_;
  bool wanted_ = false, failed_ = false;
  std::shared_ptr<const TrainingSet> ready_;
  std::shared_ptr<Progress> progress_;
  std::shared_ptr<const Scene> scene_;  // loaded, not drawn yet
  std::unique_ptr<ViewCapture> capture_;
  std::shared_ptr<TrainingSet> captured_;  // as far as it is drawn
  JobQueue jobs_;
};

}  // namespace fathom::smoe
