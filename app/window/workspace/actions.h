// SPDX-License-Identifier: BSD-3-Clause
// What the user can do to the workspace: all keys and gestures as the one table that shortcuts.h
// describes, and the actions that buttons share with them.
#pragma once

#include "app/window/platform/shortcuts.h"
#include "app/window/workspace/workspace.h"

namespace fathom::viewer {

std::vector<Shortcut> makeShortcuts(Workspace& workspace);
/// The technique's actions and the window's, in this order: what menus, palette and help show.
std::vector<Shortcut> allActions(const Workspace& workspace);

/// Opens the file browser to save what is edited, or else the picture.
void askForFile(Workspace& workspace);
/// The complete picture becomes B; while it is being made, a note says so.
void setReference(Workspace& workspace);
/// Shows the current inputs with another technique, after the question about unsaved edits.
void useTechnique(Workspace& workspace, const TechniqueEntry& entry);
/// Opens the sheet that writes the picture, or what the technique writes by itself.
void openExport(Workspace& workspace);
/// What the sheet says, on other threads or in slices; how it ends is a message. Throws Error.
void startExport(Workspace& workspace);
void cancelExport(Workspace& workspace);
void cancelRecording(Workspace& workspace);
/// The picture as it is shown to the clipboard, and one from there opened.
void copyImage(Workspace& workspace);
void pasteImage(Workspace& workspace);
/// Opens, adds or saves, whatever the browser was opened for.
void fileChosen(Workspace& workspace, const std::vector<std::string>& paths);
/// Shows a panel by the name that --open-panel takes; another name does nothing.
void openPanel(Workspace& workspace, const std::string& name);
/// Shows a page or the strip of the technique; false when it has none of this name.
bool openPage(Workspace& workspace, const std::string& name);
/// A file name for a screenshot that is not in use yet: "fathom-window-3.png".
std::string freeScreenshotName();

}  // namespace fathom::viewer
