// SPDX-License-Identifier: BSD-3-Clause
// The technique that shows what is open: its engine, its parts in the window, and how the engine is
// run in slices of a few milliseconds, so that the window stays responsive.
#pragma once

#include "app/engine/engine.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/scene/camera.h"
#include "app/window/parts.h"

namespace fathom::viewer {

/// What the user moves while an engine works: its settings and its camera.
struct EngineState {
  std::vector<FieldValue> values;
  std::optional<Camera> camera;
  bool operator==(const EngineState&) const = default;
};

EngineState stateOf(Engine& engine);
/// The values by their names. Throws Error.
void setState(Engine& engine, const EngineState& state);

/// While one lives, the engine has another state; then its own is restored. Values and camera are
/// those of this engine, from stateOf(). Throws Error.
class ScopedState {
 public:
  ScopedState(Engine& engine, const EngineState& other);
  ~ScopedState();
  ScopedState(const ScopedState&) = delete;
  ScopedState& operator=(const ScopedState&) = delete;

 private:
  Engine& engine_;
  std::optional<EngineState> own_;  // none: both are equal
};

/// Null until the first inputs have been read.
class ActiveTechnique {
 public:
  explicit operator bool() const { return engine_ != nullptr; }
  Engine* engine() { return engine_.get(); }
  const Engine* engine() const { return engine_.get(); }
  const TechniqueEntry* entry() const { return entry_; }
  bool hasCamera() const { return engine_ && engine_->camera() != nullptr; }
  /// The settings as they were when the engine was made.
  const std::vector<FieldValue>& defaults() const { return defaults_; }

  /// What it adds to the window; nothing when there is none.
  WindowParts& parts() const { return *parts_; }

  /// Hands inputs to the engine, or to a new one when `entry` is another technique's; true when one
  /// was made. The same inputs read again are seen from the same camera. Throws what the engine
  /// throws; everything stays as it was then.
  bool adopt(const TechniqueEntry& entry, const std::vector<std::string>& names,
             std::unique_ptr<LoadedInputs> inputs);

  /// Long work of the parts, else of the engine. There is an engine.
  std::optional<Engine::Working> working();

 private:
  const TechniqueEntry* entry_ = nullptr;
  std::unique_ptr<Engine> engine_;
  /// Of the engine, and gone before it.
  std::unique_ptr<WindowParts> parts_ = std::make_unique<WindowParts>();
  std::vector<FieldValue> defaults_;
};

/// Runs an engine in slices, one at a time. Software renderers take seconds for what a GPU does in
/// milliseconds: there the engine runs on a fiber and is suspended wherever a slice ends.
class EngineSlices {
 public:
  explicit EngineSlices(gpu::Context& gpu) : gpu_(gpu) {}

  /// The GPU time that one slice should take.
  double sliceMs() const;

  /// Engine::step(), or more of it. `begunWith`: a whole picture without a budget of its own, made
  /// of this state, whatever moves meanwhile; null: of what the engine has. Passes on what it
  /// throws.
  Frame step(Engine& engine, const EngineState* begunWith = nullptr);
  /// The engine was left in the middle of its work: it must not be used until that is resumed or
  /// abandoned.
  bool suspended() const { return slice_.pending(); }
  /// Drops suspended work, and what runs in the background.
  void abandon() { slice_.abandon(), background_ = nullptr; }

  /// Other work with the engine than its picture: the next stepBackground() begins it.
  void startBackground(std::function<void()> work) { background_ = std::move(work); }
  bool hasBackground() const { return background_ != nullptr; }
  /// One slice of it. Passes on what it throws, which ends it.
  void stepBackground();

 private:
  gpu::Context& gpu_;
  gpu::SlicedWork slice_;
  Frame frame_;  // of the last step that ended
  std::function<void()> background_;
};

}  // namespace fathom::viewer
