// SPDX-License-Identifier: BSD-3-Clause
// The window, as commands and tests start it.
#pragma once

#include "app/engine/engine.h"
#include "app/window/document/flat_picture.h"
#include "app/window/view_options.h"

#include <vector>

namespace fathom::viewer {

/// Opens the window and returns when it is closed: 0, or 1 when a script's inputs could not be
/// shown. Throws UsageError (settings, panel), NoDeviceError, Error (session file, screenshot).
int run(const ViewOptions& options, const std::vector<TechniqueEntry>& available);
inline int run(const ViewOptions& options) { return run(options, windowTechniques()); }

}  // namespace fathom::viewer
