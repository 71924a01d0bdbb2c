// SPDX-License-Identifier: BSD-3-Clause
// The fixed parts around the picture: top bar, settings, strip with tabs, status line, progress of
// reading.
#pragma once

#include "app/viewer/workspace.h"

namespace fathom::viewer {

void drawTopBar(Workspace& workspace, const Area& area);
void drawSidePanel(Workspace& workspace, const Area& area);
/// Whether the technique's own strip is to be seen, and its height in units of the design.
bool stripShown(const Workspace& workspace);
float stripHeight(const Workspace& workspace);
void drawTechniqueStrip(Workspace& workspace, const Area& area);
void drawBottomStrip(Workspace& workspace, const Area& area);
void drawStatusLine(Workspace& workspace, const Area& area, std::optional<glm::ivec2> hovered);
/// Over the picture while inputs are read: phase, bar, button to cancel.
void drawProgress(Workspace& workspace, const Area& area);
/// Drags of the borders between picture and panels.
void dragBorders(PanelLayout& layout, const Areas& areas);

/// Controls that record timings into a bench file, on one line (recorder_panel.cpp).
void drawRecorder(Workspace& w);

}  // namespace fathom::viewer
