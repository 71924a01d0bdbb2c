// SPDX-License-Identifier: BSD-3-Clause
// What is settled before the window opens: whether the options name things that exist, which
// session is restored, what is shown first.
#pragma once

#include "app/io/session.h"
#include "app/viewer/display.h"
#include "app/viewer/viewer.h"

namespace fathom::viewer {

/// --technique and --open-panel. Throws UsageError.
void checkNames(const ViewOptions& options, const std::vector<TechniqueEntry>& available);

/// --set, with the technique that will show these inputs. Throws UsageError, Error.
void checkSettings(const ViewOptions& options, const std::vector<std::string>& inputs,
                   const std::vector<TechniqueEntry>& available);

/// The file that the options name, or the user's own unless this is a script. Throws Error when the
/// named one cannot be read.
Session initialSession(const ViewOptions& options);

/// Those of the options, else of a named session, else the default scene.
std::vector<std::string> initialInputs(const ViewOptions& options, const Session& session,
                                       const std::vector<TechniqueEntry>& available);

/// Assigns to the display where it knows the name, else to the technique.
void assignSetting(Technique& technique, DisplaySettings& display, const std::string& name,
                   const std::string& text);

}  // namespace fathom::viewer
