// SPDX-License-Identifier: BSD-3-Clause
// What the user can do, keys and mouse gestures as one table: it dispatches the keys and is shown
// as menus, as the command palette and as the help.
#pragma once

#include "app/window/platform/window.h"

namespace fathom {
class PictureTools;
}

namespace fathom::viewer {

struct Shortcut {
  std::string group;      // "Picture"
  std::string text;       // "Fit the picture in the window"
  int key = 0, mods = 0;  // GLFW's numbers; 0: a gesture of the mouse, listed only
  std::function<void()> action;
  std::string gesture = {};             // "Wheel"; what the help shows when there is no key
  std::function<bool()> on = {};        // a switch: whether it is on now
  std::function<bool()> possible = {};  // null: always
};

/// The key of a shortcut, or its gesture, as text; empty when it has neither.
std::string keysOf(const Shortcut& shortcut);
inline bool possibleNow(const Shortcut& shortcut) {
  return shortcut.action && (!shortcut.possible || shortcut.possible());
}

/// "Ctrl+Shift+S", "F12", "Space".
std::string keyText(int key, int mods);

/// The technique's own keys and gestures in the same form.
std::vector<Shortcut> shortcutsOf(PictureTools* tools);

/// Runs the action of the shortcut that a key press matches; false when there is none.
bool dispatch(const std::vector<Shortcut>& shortcuts, const KeyPress& press);

}  // namespace fathom::viewer
