// SPDX-License-Identifier: BSD-3-Clause
// What is open: the inputs being read (Loader), the technique that shows them (ActiveTechnique) and
// its picture (PictureMaker). Inputs are adopted between two frames; whatever fails leaves the old
// picture and a message.
#pragma once

#include "app/window/document/active_technique.h"
#include "app/window/document/loader.h"
#include "app/window/document/picture_maker.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::viewer {

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
  bool unsaved() const { return active_.editing() && active_.editing()->unsaved(); }

  const gpu::Texture* picture() const { return pictures_.picture(); }
  bool hasPicture() const { return picture() != nullptr; }
  bool complete() const { return active_ && !pictures_.busy() && !loader_.loading(); }
  void rebuild() { pictures_.rebuild(); }
  void rebuildInFull() { pictures_.rebuildInFull(); }
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
