// SPDX-License-Identifier: BSD-3-Clause
// Startup, before the window opens: validates the options, picks the session to restore and the
// inputs to show first.
#pragma once

#include "app/engine/engine.h"
#include "app/engine/io/session.h"
#include "app/window/picture/display.h"
#include "app/window/viewer.h"

namespace fathom::viewer {

/// --technique and --open-panel. Throws UsageError.
void checkNames(const ViewOptions& options, const std::vector<TechniqueEntry>& available);

/// Names of the techniques to try first, best first: --technique, else the first that knows all
/// settings of --set, else that of a named session.
std::vector<std::string> preferredTechniques(const ViewOptions& options, const Session& session,
                                             const std::vector<std::string>& inputs,
                                             const std::vector<TechniqueEntry>& available);

/// --set, against the technique that will show these inputs. Throws UsageError, Error.
void checkSettings(const ViewOptions& options, const Session& session,
                   const std::vector<std::string>& inputs,
                   const std::vector<TechniqueEntry>& available);

/// The file that the options name, or the user's own unless this is a script. Throws Error when the
/// named one cannot be read.
Session initialSession(const ViewOptions& options);

/// Those of the options, else of a named session, else for a script the default scene. None: the
/// start page.
std::vector<std::string> initialInputs(const ViewOptions& options, const Session& session,
                                       const std::vector<TechniqueEntry>& available);

/// Assigns to the display settings if one has this name, else to the settings of a technique.
void assignSetting(const Describe& settings, DisplaySettings& display, const std::string& name,
                   const std::string& text);

}  // namespace fathom::viewer
