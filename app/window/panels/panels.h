// SPDX-License-Identifier: BSD-3-Clause
// The fixed parts around the picture, a function each over the workspace: top bar, settings,
// strips, status line, progress of reading, the question about unsaved edits.
#pragma once

#include "app/window/workspace/workspace.h"

namespace fathom::viewer {

void drawTopBar(Workspace& workspace, const Area& area);
/// The list of all actions with a field that searches it, while it is open.
void drawPalette(Workspace& workspace);
/// The help window, every key and gesture, while it is open.
void drawHelp(Workspace& workspace);
/// How the picture is displayed, zoom and comparison.
void drawToolbar(Workspace& workspace, const Area& area);
/// Techniques, samples and recent files, in place of the picture.
void drawStartPage(Workspace& workspace, const Area& area);
void drawSidePanel(Workspace& workspace, const Area& area);
/// The technique's own strip; only while Workspace::stripShown().
void drawTechniqueStrip(Workspace& workspace, const Area& area);
void drawBottomStrip(Workspace& workspace, const Area& area);
void drawStatusLine(Workspace& workspace, const Area& area, std::optional<glm::ivec2> hovered);
/// Over the picture while inputs are read: phase, progress bar, Cancel.
void drawProgress(Workspace& workspace, const Area& area);
/// Resizes panels by dragging their borders.
void dragBorders(PanelLayout& layout, const Areas& areas);
/// The question about edits that an earlier run could not save.
void drawRecovery(Workspace& workspace);
/// The question about unsaved edits (save, don't save, cancel), while an action waits for it.
void drawUnsaved(Workspace& workspace);
/// The question about a file that is being written (keep, when it is done, cancel it), likewise.
void drawLeaving(Workspace& workspace);

}  // namespace fathom::viewer
