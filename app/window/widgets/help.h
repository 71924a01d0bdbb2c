// SPDX-License-Identifier: BSD-3-Clause
// The help window: every key and gesture, from the table that dispatches them.
#pragma once

#include "app/window/platform/shortcuts.h"

#include <vector>

namespace fathom::viewer {

/// `open` becomes false when it is closed.
void drawHelp(const std::vector<Shortcut>& shortcuts, bool& open);

}  // namespace fathom::viewer
