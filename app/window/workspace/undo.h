// SPDX-License-Identifier: BSD-3-Clause
// Back and forward: through settings, camera and edits (undo), and through views of the picture.
#pragma once

#include "app/window/document/document.h"
#include "app/window/history.h"
#include "app/window/picture/picture_view.h"

namespace fathom::viewer {

/// The history of what changes at any time: a gesture is a step, or what has rested for a moment.
template <class State>
class Trail {
 public:
  void reset(const State& now) { history_ = History<State>(now), last_ = now; }
  /// Once per frame; `held`: a gesture is in progress.
  void update(const State& now, bool held) {
    const bool goesOn = std::exchange(held_, held) && held;
    const bool rested = held || Clock::now() - changedAt_ > kRest;  // a press begins another
    if (rested && !goesOn) history_.settle(last_, changedAt_);
    if (!(last_ == now)) last_ = now, changedAt_ = Clock::now();
  }
  /// What changes by itself is no step.
  void follow(const State& now) { history_.follow(now), last_ = now; }
  /// When the last step was made; none: there is none.
  std::optional<Clock::time_point> backTime() const {
    return history_.pending(last_) ? changedAt_ : history_.undoTime();
  }
  std::optional<Clock::time_point> forwardTime() const {
    return history_.pending(last_) ? std::nullopt : history_.redoTime();
  }
  const State& back() { return history_.settle(last_, changedAt_), last_ = history_.undo(last_); }
  const State& forward() { return last_ = history_.redo(last_); }

 private:
  static constexpr std::chrono::milliseconds kRest{300};
  History<State> history_{State{}};
  State last_{};
  bool held_ = false;
  Clock::time_point changedAt_{};
};

/// Undo: the settings and the camera of the engine, and the technique's own edits; what was done
/// last comes first.
class UndoSteps {
 public:
  /// Other inputs, or another technique.
  void reset(Document& document);
  void update(Document& document, bool held);
  bool canUndo(const Document& document) const;
  bool canRedo(const Document& document) const;
  void undo(Document& document);
  void redo(Document& document);

 private:
  void show(Document& document, const EngineState& state);
  Trail<EngineState> set_;
  std::size_t kept_ = 0;  // values in a state
};

/// What of the picture is seen.
struct ViewPoint {
  bool fitted = true;
  float zoom = 1;
  glm::vec2 middle{0};  // 0 when fitted
  std::optional<Camera> camera;
  bool operator==(const ViewPoint&) const = default;
};
ViewPoint viewPointOf(const PictureView& view, Document& document);
void showViewPoint(const ViewPoint& point, PictureView& view, Document& document);

}  // namespace fathom::viewer
