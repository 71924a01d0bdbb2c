// SPDX-License-Identifier: BSD-3-Clause
// Settings are kept by their texts, as sessions keep them.
#include "app/window/workspace/undo.h"

namespace fathom::viewer {
namespace {

/// Without what a film or a pull of focus sets by itself.
EngineState withoutMoving(EngineState state, const Document& document) {
  if (const Playing* const playing = document.active().parts().playing)
    std::erase_if(state.values,
                  [&](const FieldValue& value) { return playing->moves(value.name); });
  return state;
}

EngineState stateToKeep(Document& document) {
  return withoutMoving(stateOf(*document.technique()), document);
}

using Time = Editing::Time;

Time editTime(const Document& document, Time (Editing::*when)() const) {
  const Editing* const editing = document.active().parts().editing;
  return editing ? (editing->*when)() : std::nullopt;
}

}  // namespace

void UndoSteps::reset(Document& document) { set_.reset(stateToKeep(document)); }

void UndoSteps::update(Document& document, bool held) {
  if (!document.technique()) return;
  const EngineState now = stateToKeep(document);
  const std::size_t count = std::exchange(kept_, now.values.size());
  if (document.active().parts().animated() ||
      count != kept_)  // a pull of focus has got its first key, or lost its last
    set_.follow(now);
  else
    set_.update(now, held);
}

bool UndoSteps::canUndo(const Document& document) const {
  return set_.backTime() || editTime(document, &Editing::undoTime);
}

bool UndoSteps::canRedo(const Document& document) const {
  return set_.forwardTime() || editTime(document, &Editing::redoTime);
}

void UndoSteps::undo(Document& document) {
  const Time edit = editTime(document, &Editing::undoTime), set = set_.backTime();
  if (edit && (!set || *edit > *set)) {
    document.active().parts().editing->undo();
    set_.follow(stateToKeep(document));
  } else if (set) {
    show(document, set_.back());
  }
}

void UndoSteps::redo(Document& document) {
  const Time edit = editTime(document, &Editing::redoTime), set = set_.forwardTime();
  if (edit && (!set || *edit < *set)) {
    document.active().parts().editing->redo();
    set_.follow(stateToKeep(document));
  } else if (set) {
    show(document, set_.forward());
  }
}

void UndoSteps::show(Document& document, const EngineState& state) {
  Engine& engine = *document.technique();
  const bool turns = engine.camera() && state.camera && *engine.camera() != *state.camera;
  setState(engine, withoutMoving(state, document));
  if (turns) document.pictures().cameraMoved();
  set_.follow(stateToKeep(document));
}

// ---- Views

ViewPoint viewPointOf(const PictureView& view, Document& document) {
  ViewPoint point;
  point.fitted = view.fitted();
  if (!point.fitted) {
    constexpr float kSteps = 16;  // of a pixel: finer is rounding of the window's size
    point.zoom = view.zoom();
    point.middle = glm::round(view.middle() * kSteps) / kSteps;
  }
  if (document.hasCamera()) point.camera = *document.technique()->camera();
  return point;
}

void showViewPoint(const ViewPoint& point, PictureView& view, Document& document) {
  if (point.fitted)
    view.fit();
  else
    view.show(point.zoom, point.middle);
  if (!point.camera || !document.hasCamera()) return;
  *document.technique()->camera() = *point.camera;
  document.pictures().cameraMoved();
}

}  // namespace fathom::viewer
