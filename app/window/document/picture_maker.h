// SPDX-License-Identifier: BSD-3-Clause
// Renders the picture of the active technique, one slice of GPU work per frame. While the user
// moves something, scenes are rendered as previews at a reduced resolution that keeps the window
// responsive. While a new picture is rendered, or if it fails, the last complete one stays visible.
// Where previews take several frames, each is made of what it was begun with, and what moves
// meanwhile comes into the next one.
#pragma once

#include "app/engine/gpu/texture.h"
#include "app/window/document/active_technique.h"
#include "app/window/document/engine_slices.h"
#include "app/window/document/kept_picture.h"
#include "app/window/document/previews.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::viewer {

using Clock = std::chrono::steady_clock;

class PictureMaker {
 public:
  PictureMaker(gpu::Context& gpu, ActiveTechnique& active);
  ~PictureMaker() { abandon(); }

  // Reasons for a new picture, besides changed settings and the technique's own changes.
  /// The window pixels that a scene fills.
  void setViewSize(glm::ivec2 size) { viewSize_ = size; }
  /// The camera was changed through the engine's camera().
  void cameraMoved();
  /// Everything is to be rebuilt (shaders were reloaded).
  void rebuild() { requested_ = Effect::Rebuild; }
  /// The same, at full resolution at once, without a preview first.
  void rebuildInFull() { requested_ = Effect::Rebuild, inFull_ = true; }
  /// Other inputs were adopted.
  void inputsChanged();
  /// Copies the picture, if it is complete, before the engine changes it.
  void keep();

  /// One slice of work; true when the picture, its size or its settings changed. Once per frame,
  /// while there is a technique.
  bool step();
  /// A picture that refines stays as it is, until something changes.
  void stop() { abandon(), slicing_ = false; }
  /// What the engine was left in the middle of is given up: it may be changed or go. The next step
  /// begins that again.
  void abandon() { slices_.abandon(), previews_.giveUp(); }
  /// The engine was left in the middle of its work: nobody but step() may let it do other work.
  bool inTheMiddle() const { return slices_.inTheMiddle(); }
  /// More steps are needed to complete the picture.
  bool busy() const;
  /// When step() has to be called again without any event: to replace a preview by the full
  /// picture, or for the next frame of a film.
  std::optional<Clock::time_point> dueAt() const;
  /// The error since the last call, if any.
  std::optional<std::string> takeError() { return std::exchange(error_, std::nullopt); }

  /// The latest picture that can be shown; null at first. It may be coarser than size().
  const gpu::Texture* picture() const;
  glm::ivec2 size() const { return size_; }                        // as the user sees it
  double scale() const { return previews_.resolution().scale(); }  // below 1: a preview is shown
  /// Counts pictures, complete and partial ones.
  std::uint64_t generation() const { return generation_; }
  /// Counts changes of camera and size, which outdate earlier results of startOther().
  std::uint64_t viewGeneration() const { return viewGeneration_; }

  /// Renders the picture with other settings, in slices of later steps, and measures its GPU time.
  /// The settings that the user sees stay what they are; afterwards their own picture is rebuilt,
  /// so that both times are comparable. Whatever changes meanwhile ends it without a result.
  void startOther(std::vector<FieldValue> values);
  bool makingOther() const { return other_.has_value(); }
  struct Other {
    gpu::Texture picture;
    double gpuMs = 0;
    std::string error;  // not empty: it could not be made
  };
  /// The result, once.
  std::optional<Other> takeOther() { return std::exchange(otherDone_, std::nullopt); }

  /// Does `work` with the engine, in slices of later steps, once the picture is complete; whatever
  /// changes meanwhile ends it in its middle. It may come from another picture than the shown one.
  void startAside(std::function<void()> work) { slices_.startAside(std::move(work)); }
  bool workingAside() const { return slices_.hasAside(); }

  /// The GPU time that one slice should take.
  double sliceMs() const { return slices_.sliceMs(); }
  /// Programs are compiled while the old picture stays; by default where compiling takes long by
  /// itself, that is, not on software renderers, which do it when a program runs first.
  void setCompilesBeside(bool on) { compilesBeside_ = on; }

 private:
  Effect takeRequests();
  /// What plays, panels and tools have changed; `moved`: in settings and camera alone.
  Effect takeEngineChange(bool& moved);
  void begin(Effect effect, bool preview);
  void run(Effect effect);
  void stepOther();
  void stepAside();
  /// Keeps the picture, also a partial one, unless one is kept already.
  void keepShown();
  void setSize(glm::ivec2 size);

  gpu::Context& gpu_;
  ActiveTechnique& active_;

  // Pending.
  Effect requested_ = Effect::None;
  bool inFull_ = false;          // render the requested picture without a preview
  bool cameraMoved_ = false;     // since the last step
  bool slicing_ = false;         // update() wants to be called again
  Effect retry_ = Effect::None;  // what update() was called for when programs were missing
  bool compilesBeside_;
  bool failed_ = false;  // update() threw: the kept picture is shown until something changes
  Previews previews_;
  Effect waiting_ = Effect::None;  // for the preview after the one that is being made
  EngineSlices slices_;
  bool opening_ = false;  // the first picture of inputs is on its way

  // Visible.
  glm::ivec2 viewSize_{1280, 720}, renderedFor_{0}, size_{0};
  KeptPicture kept_;
  struct OtherTask {
    std::vector<FieldValue> values;
    bool begun = false;
  };
  std::optional<OtherTask> other_;
  std::optional<Other> otherDone_;
  std::uint64_t generation_ = 0, viewGeneration_ = 0;
  std::optional<std::string> error_;
};

}  // namespace fathom::viewer
