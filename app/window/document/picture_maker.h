// SPDX-License-Identifier: BSD-3-Clause
// Renders the picture of the active technique, one slice of GPU work per frame. While the user
// moves something, scenes are rendered as previews at a reduced resolution that keeps the window
// responsive. While a new picture is rendered, or if it fails, the last complete one stays visible.
// Where previews take several frames, each is made of what it was begun with, and what moves
// meanwhile comes into the next one.
#pragma once

#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/gpu/texture.h"
#include "app/window/document/active_technique.h"

namespace fathom::viewer {

using Clock = std::chrono::steady_clock;

/// The resolution at which a scene is rendered: full while it is at rest, reduced while it moves,
/// by as much as the measured times demand.
class Resolution {
 public:
  using Time = Clock::time_point;

  /// `slowDevice`: start low (software rendering) instead of in full.
  explicit Resolution(bool slowDevice)
      : step_(slowDevice ? kFirstSlow : kFull), maxMs_(slowDevice ? kSlowMs : kFastMs) {}

  /// Something moves: the reduced scale holds until it has been at rest for a moment.
  void moved(Time now);
  /// True while the last movement is less than the pause ago.
  bool moving(Time now) const { return restAt_ && now < *restAt_; }
  /// When to render at full resolution; none if that is done.
  std::optional<Time> restAt() const { return restAt_; }
  /// The picture is now rendered at full resolution.
  void rest() { restAt_.reset(), scale_ = 1.0; }
  /// The scale for the next preview; call once per preview.
  double next();
  /// The step of the preview that next() was called for last.
  std::size_t step() const { return previewStep_; }
  /// How long a preview of this step took, from the start until the device was done. Devices work
  /// behind: it may be an earlier one. One that compiled programs says nothing and is left out.
  void measured(std::size_t step, double ms);

  double scale() const { return scale_; }  // of the latest picture; 1: full

 private:
  static constexpr std::array kScales = {0.125, 0.1875, 0.25, 0.375, 0.5, 0.75, 1.0};
  static constexpr std::size_t kFirstSlow = 2, kFull = kScales.size() - 1;
  // Five pictures per second, with time left for the window itself; half of the refreshes of a
  // display, with time left for other pictures on the device.
  static constexpr double kSlowMs = 165, kFastMs = 28;
  std::optional<Time> restAt_;
  std::size_t step_;  // into kScales, for the next preview
  std::size_t previewStep_ = kFull;
  double maxMs_;
  int stayed_ = 0;  // pictures since the step changed
  double scale_ = 1.0;
  std::array<double, kScales.size()> ms_{};  // recent measurements, by step; 0: none
};

/// The preview that is being made, and how long previews take.
class Previews {
 public:
  explicit Previews(gpu::Context& gpu);

  Resolution& resolution() { return resolution_; }
  const Resolution& resolution() const { return resolution_; }

  /// One is begun, of what the engine has now.
  void begin(Engine& engine);
  bool making() const { return made_.has_value(); }
  /// What it was begun with; null: none is being made.
  const EngineState* state() const { return made_ ? &made_->state : nullptr; }
  /// The processor has worked on it.
  void spent(double ms);
  void giveUp() { made_.reset(); }
  /// It is complete; `whole`: without an error, so that its time counts.
  void finish(bool whole, glm::ivec2 size);
  /// Times that have arrived from the device since.
  void collect();

 private:
  struct Preview {
    EngineState state;
    std::uint64_t compiles = 0;
    double ms = 0;
  };
  gpu::Context& gpu_;
  Resolution resolution_;
  gpu::SliceTimer timer_;
  std::optional<Preview> made_;
};

class PictureMaker {
 public:
  PictureMaker(gpu::Context& gpu, ActiveTechnique& active);
  ~PictureMaker() { abandon(); }

  // Reasons for a new picture, besides what the engine itself knows to have changed.
  /// The window pixels that a scene fills.
  void setViewSize(glm::ivec2 size) { viewSize_ = size; }
  /// The camera was changed through the engine's camera().
  void cameraMoved();
  /// Everything is made anew (shaders were reloaded).
  void restart() { requested_ = std::max(requested_, Request::Restart); }
  /// The same, at full resolution at once, without a preview first.
  void restartInFull() { requested_ = Request::RestartInFull; }
  /// Other inputs were adopted.
  void inputsChanged();
  /// Copies the picture, if it is complete, before the engine changes it.
  void keep();

  /// One slice of work; true when the picture or its size changed. Once per frame, while there is a
  /// technique.
  bool step();
  /// A picture that refines stays as it is, until something changes.
  void stop() { abandon(), state_ = State::Complete; }
  /// Drops what the engine was left in the middle of: the engine may be changed or go. The next
  /// step begins that again.
  void abandon();
  /// The engine was left in the middle of its work: nobody but step() may use it for other work.
  bool suspended() const { return slices_.suspended(); }
  /// More steps are needed to complete the picture.
  bool busy() const;
  /// When step() has to be called again without any event: to replace a preview by the full
  /// picture, or for the next frame of a film.
  std::optional<Clock::time_point> dueAt() const;
  /// The error since the last call, if any.
  std::optional<std::string> takeError() { return std::exchange(error_, std::nullopt); }

  /// The latest picture that can be shown; null at first. It may be coarser than size().
  const gpu::Texture* picture() const;
  /// The picture gets better step by step, and can be stopped.
  bool refines() const;
  glm::ivec2 size() const { return size_; }                        // as the user sees it
  double scale() const { return previews_.resolution().scale(); }  // below 1: a preview is shown
  /// Counts pictures, complete and partial ones.
  std::uint64_t generation() const { return generation_; }
  std::uint64_t wholeOnes() const { return wholeOnes_; }  // counts complete ones alone
  /// Counts changes of camera and size, which outdate earlier results of renderB().
  std::uint64_t viewGeneration() const { return viewGeneration_; }
  /// Counts how often the timings were cleared, as they were of other settings or inputs.
  std::uint64_t timesGeneration() const { return timesGeneration_; }

  struct PictureB {
    gpu::Texture picture;
    double gpuMs = 0;
    std::string error;   // not empty: why there is none
    bool ended = false;  // by endB()
  };
  /// Renders the picture with other settings or in another size (0: the same), in slices of later
  /// steps, and measures its GPU time; `done` gets it. What the user sees stays what it is;
  /// afterwards their own picture is made anew, so that both times are comparable.
  void renderB(std::vector<FieldValue> values, glm::ivec2 size, std::function<void(PictureB)> done);
  /// Ends it without a picture, as every change does.
  void endB(const std::string& why);

  /// Does `work` with the engine, in slices of later steps, once the picture is complete; whatever
  /// changes meanwhile ends it in its middle. It may leave the engine with another picture than the
  /// shown one.
  void startBackground(std::function<void()> work) { slices_.startBackground(std::move(work)); }

  /// The GPU time that one slice should take.
  double sliceMs() const { return slices_.sliceMs(); }
  /// Programs are compiled while the old picture stays; by default where compiling takes long by
  /// itself, that is, not on software renderers, which do it when a program runs first.
  void setCompilesBeside(bool on) { compilesBeside_ = on; }

 private:
  /// What was asked for since the last step, besides what the engine knows to have changed.
  enum class Request { None, Restart, RestartInFull };
  /// Where the engine stands with its picture. Failed: it threw, and the kept picture is shown
  /// until something changes. Compiling: its programs are not there yet, and the step is repeated.
  enum class State { Complete, Rendering, Compiling, Failed };

  bool rendering() const { return state_ == State::Rendering || state_ == State::Compiling; }
  /// The engine's picture, or the one in progress, is not of the state that it is to show.
  bool stale() const;
  bool takeRequests();
  void begin(bool preview);
  void timesOf(std::vector<FieldValue> values);
  void run(bool first);
  void stepB();
  void stepBackground();
  void keepShown();
  void setSize(glm::ivec2 size);

  gpu::Context& gpu_;
  ActiveTechnique& active_;

  // Pending.
  Request requested_ = Request::None;
  State state_ = State::Complete;
  Stopwatch sinceCompiling_;  // since the last step that found programs missing
  /// With which settings and camera the engine failed before it took them in.
  std::optional<EngineState> refused_;
  bool compilesBeside_;
  Previews previews_;
  EngineSlices slices_;
  bool opening_ = false;  // the first picture of inputs is on its way
  std::optional<std::vector<FieldValue>>
      timed_;  // settings of the timings; none: other inputs, another size

  // Visible.
  glm::ivec2 viewSize_{1280, 720}, renderedFor_{0}, size_{0};
  gpu::Texture kept_;  // the last complete picture: shown while a new one is made, or if that fails
  bool holding_ = false;  // until the new one is complete, also where partial ones could be shown
  struct TaskB {
    EngineState state;
    glm::ivec2 size{0};
    std::function<void(PictureB)> done;
    std::optional<EngineState> own = {};  // the user's, once it is begun
  };
  std::optional<TaskB> b_;
  std::uint64_t generation_ = 0, wholeOnes_ = 0, viewGeneration_ = 0, timesGeneration_ = 0;
  std::optional<std::string> error_;
};

}  // namespace fathom::viewer
