// SPDX-License-Identifier: BSD-3-Clause
// The question before edits would be lost: save them, lose them, or stay.
#pragma once

#include "app/viewer/workspace.h"

namespace fathom::viewer {

/// Draws the question while something waits for its answer.
void drawUnsaved(Workspace& workspace);

}  // namespace fathom::viewer
