// SPDX-License-Identifier: BSD-3-Clause
// The state of the window as session files. The user's own holds layout, display, recent files and
// how each technique computes; a file per set of inputs holds what belongs to those (file_sets.h);
// a session that the user saves holds everything.
#pragma once

#include "app/engine/io/session.h"
#include "app/window/workspace/workspace.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::viewer {

/// The complete current state.
Session captureSession(Workspace& workspace);
/// Brings the user's session up to date; sections of other techniques stay as they are.
void captureUser(Workspace& workspace, Session& session);
/// What belongs to the open files: their technique, its settings of inputs, camera, zoom, pixel.
Session captureSet(Workspace& workspace);
/// Settings that belong to inputs take their defaults, then what `set` says.
void restoreSet(const Info& info, Engine& technique, const std::vector<FieldValue>& defaults,
                const Session& set);
/// Display, layout and recent files; with `whole` also pinned pixel, camera path and comparison.
/// Sections that do not fit are reported as messages and skipped.
void restoreSession(Workspace& workspace, const Session& session, bool whole);
/// The settings of one technique; called when it is made. `whole`: also those that belong to
/// inputs.
void restoreSettings(const Info& info, Engine& technique, const Session& session, bool whole);
/// The camera, once the scene is there.
void restoreCamera(Engine& technique, const Session& session);
/// Zoom and position, once the picture's size is known.
void restoreView(PictureView& view, const Session& session);
/// The technique that showed the inputs; empty when the session does not say.
std::string techniqueOf(const Session& session);
std::vector<std::string> inputsOf(const Session& session);
std::optional<glm::ivec2> windowSizeOf(const Session& session);

}  // namespace fathom::viewer
