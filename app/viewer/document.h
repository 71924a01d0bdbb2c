// SPDX-License-Identifier: BSD-3-Clause
// What is open: the technique, its inputs, and bringing its picture up to date. Files are read on
// another thread; work on the GPU is done in slices; whatever fails leaves the old picture. While
// the user moves something, scenes are rendered at a reduced size that keeps the window fluid.
#pragma once

#include "app/core/jobs.h"
#include "app/techniques/facets.h"
#include "app/techniques/technique.h"
#include "app/viewer/resolution.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::viewer {

using Clock = std::chrono::steady_clock;

class Document {
 public:
  /// `prepare` is called once for each technique that is made, before its first picture; what it
  /// throws becomes an error to take.
  using Prepare = std::function<void(const Info&, Technique&)>;
  Document(gpu::Context& gpu, const std::vector<TechniqueEntry>& available, Prepare prepare);
  ~Document();

  /// Opens these in place of what is open, with the technique that is in use if it accepts them.
  /// Throws Error when no technique does; what goes wrong while reading comes out of takeErrors().
  void open(const std::vector<std::string>& inputs);
  void reload();
  /// Shows the current inputs with another technique that accepts them.
  void use(const TechniqueEntry& entry);
  /// All techniques that accept what is open, in the order of the registry.
  const std::vector<const TechniqueEntry*>& choices() const { return choices_; }
  /// The technique to be tried first at the next open(); empty: the one in use.
  void prefer(const std::string& techniqueName) { preferred_ = techniqueName; }
  bool loading() const { return progress_ != nullptr; }
  Progress* progress() { return progress_.get(); }
  const std::vector<std::string>& loadingInputs() const { return loadingInputs_; }
  void cancelLoading();

  /// Null until the first inputs have been read. Settings may be edited through settings() at any
  /// time between steps; step() sees what has changed.
  Technique* technique() { return technique_.get(); }
  const Technique* technique() const { return technique_.get(); }
  /// What the technique is; only while there is one.
  const Info& info() const { return entry_->info; }
  /// The facets of the technique; null when it has none of this kind, or when there is none.
  Editing* editing() const { return technique_ ? technique_->editing() : nullptr; }
  Playing* playing() const { return technique_ ? technique_->playing() : nullptr; }
  Panels* panels() const { return technique_ ? technique_->panels() : nullptr; }
  PictureTools* tools() const { return technique_ ? technique_->tools() : nullptr; }
  Inspection* inspection() const { return technique_ ? technique_->inspection() : nullptr; }
  Legend* legend() const { return technique_ ? technique_->legend() : nullptr; }
  /// Closing would lose edits.
  bool unsaved() const { return editing() && editing()->unsaved(); }
  bool hasPicture() const { return picture() != nullptr; }
  bool hasCamera() const;
  /// The settings as they were when the technique was made.
  const std::vector<FieldValue>& defaults() const { return defaults_; }
  const std::vector<TechniqueEntry>& available() const { return available_; }

  /// The window pixels that a scene fills.
  void setViewSize(glm::ivec2 size) { viewSize_ = size; }
  /// The camera was changed through technique()->camera().
  void cameraMoved();
  /// Everything is to be made again (shaders were reloaded).
  void rebuild() { asked_ = Effect::Rebuild; }
  /// The same picture, or that of another place, in full at once: none in movement before it.
  void rebuildInFull() { asked_ = Effect::Rebuild, inFull_ = true; }
  /// One slice of the technique's work beside its picture; true while more is waiting.
  bool backgroundStep();
  /// Takes in finished reading, then does one slice of work. True when the picture, its size or its
  /// settings changed. Once per frame.
  bool step();
  /// More steps are needed to complete the picture; false when step() would do nothing.
  bool busy() const;
  /// When step() has to be called again though nothing happens: the picture rests and is to be made
  /// in full, or the next one of a film is due.
  std::optional<Clock::time_point> dueAt() const;
  bool complete() const { return technique_ && !busy() && !loading(); }

  /// The newest picture that is fit to be shown; null at first. It may be coarser than
  /// pictureSize().
  const gpu::Texture* picture() const;
  glm::ivec2 pictureSize() const { return pictureSize_; }  // as the user sees it
  std::uint64_t generation() const { return generation_; }
  double scale() const { return resolution_.scale(); }  // of what is shown now

  /// The picture under other settings, made at once, and what that took on the GPU. The technique
  /// ends as it was, made anew too, so that the times of both compare. Throws Error.
  struct Other {
    gpu::Texture picture;
    double gpuMs = 0;
  };
  Other renderWith(const std::vector<FieldValue>& values);
  /// Counts up when the camera, the size or the inputs change: pictures made by renderWith() before
  /// show something else.
  std::uint64_t viewGeneration() const { return viewGeneration_; }
  std::uint64_t inputGeneration() const { return inputGeneration_; }

  std::vector<std::string> takeErrors() { return std::exchange(errors_, {}); }

 private:
  void read(const TechniqueEntry& entry, const std::vector<std::string>& inputs);
  void adopt(const TechniqueEntry& entry, std::unique_ptr<LoadedInputs> inputs);
  Effect changedSettings();
  void beginUpdate(Effect effect, bool interactive);
  double sliceMs() const;
  void runUpdate(Effect effect, double budgetMs);
  void showSize(glm::ivec2 size);
  void keepPicture();
  void fail(const std::string& message);

  gpu::Context& gpu_;
  const std::vector<TechniqueEntry>& available_;
  Prepare prepare_;
  const TechniqueEntry* entry_ = nullptr;  // of the technique
  std::unique_ptr<Technique> technique_;
  std::vector<FieldValue> defaults_, applied_;
  std::vector<const TechniqueEntry*> choices_;
  std::string preferred_;

  std::shared_ptr<Progress> progress_;
  std::vector<std::string> loadingInputs_;
  JobQueue jobs_;

  Resolution resolution_;
  glm::ivec2 viewSize_{1280, 720}, pictureSize_{0}, askedSize_{0};
  Effect asked_ = Effect::None;
  bool inFull_ = false;                         // what is asked is no movement
  std::optional<std::uint64_t> backgroundFailedAt_;  // generation: not tried again for this picture
  bool slicing_ = false;                        // update() wants to be called again
  bool failed_ = false;  // update() threw: the kept picture is shown until something changes
  bool cameraMoved_ = false;
  gpu::Texture kept_;  // the last complete picture, while a new one is made
  bool keptValid_ = false;
  std::uint64_t generation_ = 0, viewGeneration_ = 0, inputGeneration_ = 0;
  std::vector<std::string> errors_;
};

/// One line that says what went wrong.
std::string messageOf(std::exception_ptr error);

}  // namespace fathom::viewer
