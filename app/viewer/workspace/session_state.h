// SPDX-License-Identifier: BSD-3-Clause
// The state of the window as a session file: settings of the techniques, display, layout, recent
// files; sessions saved by the user also restore inputs, camera and view.
#pragma once

#include "app/io/session.h"
#include "app/viewer/workspace/workspace.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::viewer {

/// The complete current state.
Session captureSession(Workspace& workspace);
/// Display, layout and recent files; with `whole` also pinned pixel, camera path and comparison.
/// Sections that do not fit are reported as messages and skipped.
void restoreSession(Workspace& workspace, const Session& session, bool whole);
/// The settings of one technique; called when it is made.
void restoreSettings(const Info& info, Technique& technique, const Session& session);
/// The camera, once the scene is there.
void restoreCamera(Technique& technique, const Session& session);
/// Zoom and position, once the picture's size is known.
void restoreView(PictureView& view, const Session& session);
/// The technique that showed the inputs; empty when the session does not say.
std::string techniqueOf(const Session& session);
std::vector<std::string> inputsOf(const Session& session);
std::optional<glm::ivec2> windowSizeOf(const Session& session);

}  // namespace fathom::viewer
