// SPDX-License-Identifier: BSD-3-Clause
// What the current model is compared with and fitted to: what the settings name, else what the
// model itself names as its source.
#pragma once

#include "app/engine/smoe/fit/source.h"
#include "app/engine/smoe/model_store.h"

#include <memory>
#include <string>

namespace fathom::smoe {

class ModelSource {
 public:
  ModelSource(const Settings& settings, const ModelStore& models)
      : settings_(settings), models_(models) {}

  /// Empty: nothing is named.
  std::string name() const;
  /// The views to be taken when it is a scene.
  CaptureRequest& capture() { return capture_; }

  /// Starts reading what is named now, unless that is there or on its way; false when nothing is.
  bool ask();
  /// The same, also when it could not be read before.
  bool askAgain();
  void drop() { source_.drop(); }
  /// Reads it now. Throws Error: nothing is named, it is unreadable, or it does not match.
  void readNow(gpu::Context& gpu, Progress& progress);
  /// One slice of reading; true when the source has become ready. Throws Error.
  bool work(gpu::Context& gpu);

  bool busy() const { return source_.busy(); }
  const Progress* progress() const { return source_.progress(); }
  /// What was asked for last; null until it is there.
  const std::shared_ptr<const TrainingSet>& ready() const { return source_.ready(); }
  /// Its file, folder or scene.
  const std::string& readyName() const { return source_.request().input; }
  /// A source is there, and of the size and dimensions of the current model.
  bool matches() const;
  /// Throws Error when the source that is there does not match.
  void expectMatch() const;

 private:
  SourceRequest request() const;

  const Settings& settings_;
  const ModelStore& models_;
  CaptureRequest capture_;
  FitSource source_;
};

}  // namespace fathom::smoe
