// SPDX-License-Identifier: BSD-3-Clause
// The model that is open and whether it has been saved; and its source: what it is compared with
// and fitted to, read without keeping the window waiting (files on a thread, scenes loaded on a
// thread and drawn view by view).
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/gpu/context.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/settings.h"

namespace fathom::smoe {

/// A file that is ready to be written.
struct MeasuredFile {
  std::shared_ptr<const Model> of;
  double loss = 0;  // dB that was asked for
  EncodedModel saved;
};

/// The model that is open. A fit replaces it again and again; everybody else compares generations
/// to see that it is another one.
class ModelStore {
 public:
  /// `settings` say in which encoding models are saved.
  explicit ModelStore(const Settings& settings) : settings_(settings) {}

  /// Makes a model current that was read from `names`, or made elsewhere.
  void open(std::shared_ptr<const Model> model, std::vector<std::string> names);
  /// Makes the model of a fit current: it is not saved yet.
  void replace(std::shared_ptr<const Model> model);
  /// A file that is better than what save() would make of this model: measured, and packed for its
  /// source at this loss.
  void offer(Encoding encoding, std::shared_ptr<const MeasuredFile> file) {
    offered_[std::size_t(encoding)] = std::move(file);
  }
  /// Sets suggestion().
  void suggest(std::string file) { suggestion_ = std::move(file); }

  explicit operator bool() const { return model_ != nullptr; }
  /// Null before the first open().
  const std::shared_ptr<const Model>& current() const { return model_; }
  const Model& operator*() const { return *model_; }
  const Model* operator->() const { return model_.get(); }
  /// Counts models; 0: none yet.
  std::uint64_t generation() const { return generation_; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  /// Bytes of the file that the model came from or was saved to; 0: of none.
  std::uint64_t fileBytes() const { return fileBytes_; }
  /// The encoding of that file; empty: there is none.
  const std::string& fileEncoding() const { return fileEncoding_; }
  /// Size of the file that saving would make; 0 for the packed encoding, which must be made to be
  /// known.
  std::size_t bytesAs(Encoding encoding) const;

  /// A path, or a name in the current folder, for the next save.
  const std::string& suggestion() const { return suggestion_; }
  /// The model is of a fit and in no file yet.
  bool unsaved() const { return unsaved_; }
  /// Writes the model in the encoding of the settings. Throws Error.
  void save(const std::string& file);

 private:
  const Settings& settings_;
  std::shared_ptr<const Model> model_;
  std::uint64_t generation_ = 0;
  std::vector<std::string> inputs_;
  std::string suggestion_;
  bool unsaved_ = false;
  std::array<std::shared_ptr<const MeasuredFile>, kEncodings> offered_;  // by Encoding
  std::uint64_t fileBytes_ = 0;
  std::string fileEncoding_;
  mutable struct {
    std::array<std::size_t, kEncodings> bytes{};  // by Encoding
    std::uint64_t generation = 0;
  } sizes_;  // of the current model, when they have been asked for
};

/// What that model is compared with and fitted to: what the settings name, else what the model
/// itself names as its source.
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
  const SharedTraining& ready() const { return ready_; }
  /// Its file, folder or scene.
  const std::string& readyName() const { return asked_.input; }
  /// A source is there, and of the size and dimensions of the current model.
  bool matches() const;
  /// Throws Error when the source that is there does not match.
  void expectMatch() const;

 private:
  struct Request {
    std::string input;
    CaptureRequest capture;    // of scenes
    std::optional<Coding> as;  // of files: as the model; none: as suits them
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
  SharedTraining ready_;
  std::shared_ptr<Progress> progress_;
  std::shared_ptr<const Scene> scene_;  // loaded, not drawn yet
  std::unique_ptr<ViewCapture> drawing_;
  std::shared_ptr<TrainingSet> drawn_;  // as far as it is drawn
  JobQueue jobs_;
};

}  // namespace fathom::smoe
