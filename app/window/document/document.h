// SPDX-License-Identifier: BSD-3-Clause
// What is open: its inputs, read on a worker thread, the technique that shows them, and its
// picture. Inputs are adopted between two frames; a failure leaves the old picture and a message.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/core/progress.h"
#include "app/engine/engine.h"
#include "app/window/document/active_technique.h"
#include "app/window/document/picture_maker.h"

namespace fathom::viewer {

/// Reads inputs on a worker thread, one set at a time: asking for another set cancels the one that
/// is being read. The result waits here until the main thread takes it.
class Loader {
 public:
  struct Loaded {
    const TechniqueEntry* entry = nullptr;  // whose read() returned the values
    std::vector<std::string> names;         // as requested
    std::unique_ptr<LoadedInputs> inputs;
  };

  ~Loader() { cancel(); }

  /// Starts entry.read(inputs); cancels what is being read.
  void start(const TechniqueEntry& entry, const std::vector<std::string>& inputs);
  void cancel();

  bool loading() const { return progress_ != nullptr; }
  /// Phase, fraction and questions; null when nothing is being read.
  Progress* progress() { return progress_.get(); }
  /// What is being read, or was read last.
  const std::vector<std::string>& inputs() const { return inputs_; }

  /// Returns finished inputs, once. A failure is added to `errors` instead; cancelled reading
  /// leaves nothing.
  std::optional<Loaded> take(std::vector<std::string>& errors);

 private:
  std::shared_ptr<Progress> progress_;
  std::vector<std::string> inputs_;
  std::optional<Loaded> done_;
  std::vector<std::string> failures_;
  JobQueue jobs_;  // last: its destructor waits for jobs that use the members above
};

class Document {
 public:
  /// `prepare` is called once for each new engine, before its first picture; an Error that it
  /// throws comes out of takeErrors().
  using Prepare = std::function<void(const Info&, Engine&)>;
  Document(gpu::Context& gpu, const std::vector<TechniqueEntry>& available, Prepare prepare);

  /// Called before other inputs, or another technique, take the place of what is open; and after,
  /// with whether the engine is a new one. An Error that they throw comes out of takeErrors().
  void onLeave(std::function<void()> action) { leave_ = std::move(action); }
  void onAdopt(std::function<void(bool made)> action) { adopted_ = std::move(action); }

  /// Opens these instead of the current inputs, with the current technique if it accepts them.
  /// Throws Error when no technique does; failures of reading come out of takeErrors().
  void open(const std::vector<std::string>& inputs);
  void reload();
  /// Shows the current inputs with another technique that accepts them.
  void use(const TechniqueEntry& entry);
  /// The technique to try first at the next open(); empty: the current one.
  void prefer(const std::string& techniqueName) { preferred_ = techniqueName; }
  /// All techniques that accept what is open, in the order of the registry.
  const std::vector<const TechniqueEntry*>& choices() const { return choices_; }

  Loader& loader() { return loader_; }
  const Loader& loader() const { return loader_; }
  ActiveTechnique& active() { return active_; }
  const ActiveTechnique& active() const { return active_; }
  PictureMaker& pictures() { return pictures_; }
  const PictureMaker& pictures() const { return pictures_; }

  /// Null until the first inputs have been read. Settings may be edited through settings() at any
  /// time between steps; step() sees what has changed.
  Engine* technique() { return active_.engine(); }
  const Engine* technique() const { return active_.engine(); }
  /// Only while there is a technique.
  const Info& info() const { return active_.entry()->info; }
  bool hasCamera() const { return active_.hasCamera(); }
  /// Closing would lose edits.
  bool unsaved() const { return active_.parts().editing && active_.parts().editing->unsaved(); }

  const gpu::Texture* picture() const { return pictures_.picture(); }
  bool hasPicture() const { return picture() != nullptr; }
  bool complete() const { return active_ && !pictures_.busy() && !loader_.loading(); }
  void restart() { pictures_.restart(); }
  void restartInFull() { pictures_.restartInFull(); }
  /// Counts how often inputs were adopted.
  std::uint64_t inputGeneration() const { return inputGeneration_; }

  /// Takes in finished reading, then does one slice of work. True when the picture, its size or its
  /// settings changed. Once per frame.
  bool step();
  /// One slice of the technique's work beside its picture; true while more is waiting.
  bool backgroundStep();
  std::vector<std::string> takeErrors() { return std::exchange(errors_, {}); }
  /// What the user should know that is no failure: another technique shows the inputs than wanted.
  std::vector<std::string> takeNotes() { return std::exchange(notes_, {}); }
  const std::vector<TechniqueEntry>& available() const { return available_; }

 private:
  void adopt(Loader::Loaded loaded);
  template <class Do>
  void noteErrors(Do&& action);
  /// Reading failed: the next technique that accepts the inputs, if there is one. True when it is
  /// being tried.
  bool tryNext();

  const std::vector<TechniqueEntry>& available_;
  Prepare prepare_;
  std::function<void()> leave_;
  std::function<void(bool made)> adopted_;
  std::vector<const TechniqueEntry*> untried_;  // that accept what is being read
  std::string firstError_;                      // of the technique that was tried first
  std::vector<std::string> notes_;
  gpu::Context& gpu_;
  std::string preferred_;
  std::vector<const TechniqueEntry*> choices_;
  ActiveTechnique active_;
  PictureMaker pictures_;
  std::uint64_t inputGeneration_ = 0;
  std::optional<std::uint64_t>
      backgroundFailedAt_;  // generation of the picture; not retried until the next one
  std::vector<std::string> errors_;
  Loader loader_;
};

}  // namespace fathom::viewer
