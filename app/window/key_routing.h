// SPDX-License-Identifier: BSD-3-Clause
// Who takes a key: a text field, what has popped up, the technique's shortcuts, the window's.
#pragma once

#include "app/window/platform/window.h"
#include "app/window/workspace/workspace.h"

#include <optional>

namespace fathom::viewer {

class KeyRouting {
 public:
  /// Runs the shortcuts of the keys that were pressed since the last frame; within a frame of
  /// ImGui. Returns how many were the key that a script's test sends after other events.
  int route(Workspace& workspace, Window& window);
  /// At the end of a frame: what has popped up takes the next Escape.
  void popupOpen(bool open) { popupOpen_ = open; }

 private:
  bool taken(const Workspace& workspace, const KeyPress& press) const;

  bool popupOpen_ = false;
  std::optional<KeyPress> spacePress_;  // Space acts when it is released, unless something was
                                        // dragged while it was held
};

}  // namespace fathom::viewer
