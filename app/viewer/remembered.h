// SPDX-License-Identifier: BSD-3-Clause
// What of the window outlives a run, as a session: settings of the techniques, display, layout,
// recent files; and for a session that was saved by hand also inputs, camera and view.
#pragma once

#include "app/io/session.h"
#include "app/viewer/workspace.h"

namespace fathom::viewer {

/// Everything as it is now.
Session remembered(Workspace& workspace);
/// Display, layout and recent files; with `whole` also pinned pixel and comparison. Sections that
/// do not fit are reported as messages and passed over.
void restore(Workspace& workspace, const Session& session, bool whole);
/// The settings of one technique; called when it is made.
void restoreSettings(const Info& info, Technique& technique, const Session& session);
/// The camera, once the scene is there.
void restoreCamera(Technique& technique, const Session& session);
/// Zoom and place, once the picture's size is known.
void restoreView(PictureView& view, const Session& session);
/// The technique that showed the inputs; empty when the session does not say.
std::string techniqueOf(const Session& session);
std::vector<std::string> inputsOf(const Session& session);
std::optional<glm::ivec2> windowSizeOf(const Session& session);

}  // namespace fathom::viewer
