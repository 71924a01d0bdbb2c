// SPDX-License-Identifier: BSD-3-Clause
// Settings as rows of a panel: slider, segments, list or switch, whatever describe() declares. The
// panel knows no setting by name.
#pragma once

#include "app/core/fields.h"

#include <vector>

namespace fathom::viewer {

/// Draws a table of all settings and applies the user's changes. `defaults`: a right click on a
/// label resets to these (may be empty); `group`: the ID of the table.
void drawRows(const char* group, const Describe& describe, const std::vector<FieldValue>& defaults);

}  // namespace fathom::viewer
