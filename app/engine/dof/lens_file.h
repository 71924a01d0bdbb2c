// SPDX-License-Identifier: BSD-3-Clause
// Lenses as files: the settings of lens and faults by their names, in JSON. Examples are in
// assets/lenses.
#pragma once

#include "app/engine/dof/settings.h"

#include <string>

namespace fathom::dof {

/// {"name": "...", "f-number": 1.5, "blades": 5, ...}. Settings that are not at their defaults stay
/// as they are: what is set beside a lens has the last word. A bokeh picture is looked for beside
/// the file. Throws Error.
void applyLens(const std::string& file, Settings& settings);

}  // namespace fathom::dof
