// SPDX-License-Identifier: BSD-3-Clause
// Keys and mouse gestures as one table: it dispatches the keys and draws the help.
#pragma once

#include "app/techniques/technique.h"
#include "app/viewer/window.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::viewer {

struct Shortcut {
  std::string group;      // "Picture"
  std::string text;       // "Fit the picture in the window"
  int key = 0, mods = 0;  // GLFW's numbers; 0: a gesture of the mouse, listed only
  std::function<void()> action;
  std::string gesture = {};  // "Wheel"; what the help shows when there is no key
};

/// "Ctrl+Shift+S", "F12", "Space".
std::string keyText(int key, int mods);

/// What keyText() would write this way; key 0 when it is no key.
KeyPress keyNamed(const std::string& text);

/// The technique's own keys and gestures in the same form.
std::vector<Shortcut> shortcutsOf(PictureTools* tools);

/// Runs the action of the shortcut that a key press matches; false when there is none.
bool dispatch(const std::vector<Shortcut>& shortcuts, const KeyPress& press);

/// The help window; `open` becomes false when it is closed.
void drawHelp(const std::vector<Shortcut>& shortcuts, bool& open);

}  // namespace fathom::viewer
