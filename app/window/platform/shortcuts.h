// SPDX-License-Identifier: BSD-3-Clause
// What the user can do, keys and mouse gestures as one table: it dispatches the keys and is shown
// as menus, as the command palette and as the help.
#pragma once

#include "app/window/parts.h"
#include "app/window/platform/window.h"

namespace fathom::viewer {

inline bool possibleNow(const Shortcut& shortcut) {
  return shortcut.action && (!shortcut.possible || shortcut.possible());
}

/// Runs the action of the shortcut that a key press matches; false when there is none.
bool dispatch(const std::vector<Shortcut>& shortcuts, const KeyPress& press);

}  // namespace fathom::viewer
