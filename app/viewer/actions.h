// SPDX-License-Identifier: BSD-3-Clause
// All keys and gestures of the window with what they do: the one table that shortcuts.h describes.
#pragma once

#include "app/viewer/shortcuts.h"
#include "app/viewer/workspace.h"

namespace fathom::viewer {

std::vector<Shortcut> makeShortcuts(Workspace& workspace);

/// Lets the user choose where to save what is edited.
void askForFile(Workspace& workspace);
/// Shows what is open with another technique, once edits are out of danger.
void useTechnique(Workspace& workspace, const TechniqueEntry& entry);
/// Saves the technique's picture (linear EXR, or 8-bit PNG). Throws Error.
void savePicture(Workspace& workspace, const std::string& file);
/// Opens, adds or saves, whatever the browser was opened for.
void fileChosen(Workspace& workspace, const std::vector<std::string>& paths);
/// A name for a picture of the window that no file here has yet: "fathom-window-3.png".
std::string freeScreenshotName();

}  // namespace fathom::viewer
