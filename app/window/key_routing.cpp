// SPDX-License-Identifier: BSD-3-Clause
// ImGui says who has the keyboard; what it leaves goes to the technique first.
#include "app/window/key_routing.h"

#include "app/window/platform/shortcuts.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <utility>

namespace fathom::viewer {
namespace {

constexpr int kMark = GLFW_KEY_PAUSE;

/// In a text field: keys that edit the text are its own, others are commands.
bool typesText(const KeyPress& press) {
  const bool ctrl = press.mods & GLFW_MOD_CONTROL, shift = press.mods & GLFW_MOD_SHIFT;
  if (!ctrl) return press.key < GLFW_KEY_F1 || press.key > GLFW_KEY_F25;
  const int key = press.key;
  const bool edits = key == GLFW_KEY_C || key == GLFW_KEY_V || key == GLFW_KEY_X ||
                     key == GLFW_KEY_A || key == GLFW_KEY_Z || key == GLFW_KEY_Y;
  return edits && !shift;
}

/// Keys that move the focus between controls while it is visible.
bool movesFocus(int key) {
  return key == GLFW_KEY_SPACE || key == GLFW_KEY_ENTER || key == GLFW_KEY_TAB ||
         (key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP);
}

}  // namespace

/// By a control or a question: no shortcut.
bool KeyRouting::taken(const Workspace& w, const KeyPress& press) const {
  const ImGuiIO& io = ImGui::GetIO();
  const bool escape = press.key == GLFW_KEY_ESCAPE;
  if (escape && popupOpen_) return true;  // it closes what has popped up
  if (escape || press.key == GLFW_KEY_F12) return false;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Right)) return true;  // the camera flies
  if (io.WantTextInput && typesText(press)) return true;
  const bool asks = w.pendingAction || w.recovered || (w.leavingAction && !w.leaveWhenDone);
  if (asks) return true;  // first the answer
  return io.NavVisible && movesFocus(press.key) && !(press.mods & GLFW_MOD_CONTROL);
}

int KeyRouting::route(Workspace& w, Window& window) {
  int marks = 0;
  for (const KeyPress& press : window.takeKeys()) {
    marks += press.key == kMark;
    if (taken(w, press)) continue;
    if (press.key == GLFW_KEY_SPACE && press.mods == 0) {
      if (!press.repeat) spacePress_ = press;
      continue;
    }
    if (w.startPage || !dispatch(w.techniqueActions, press)) dispatch(w.actions, press);
  }
  // Space is a key of its own only when nothing was dragged while it was held.
  if (ImGui::IsAnyMouseDown()) spacePress_.reset();
  if (spacePress_ && !window.keyHeld(GLFW_KEY_SPACE))
    dispatch(w.techniqueActions, *std::exchange(spacePress_, std::nullopt));
  return marks;
}

}  // namespace fathom::viewer
