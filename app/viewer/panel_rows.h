// SPDX-License-Identifier: BSD-3-Clause
// Settings as rows of a panel: slider, segments, list or switch, whatever describe() declares. The
// panel knows no setting by name.
#pragma once

#include "app/core/fields.h"

#include <vector>

namespace fathom::viewer {

/// Draws a whole table of settings and applies what the user does to them. `defaults` is what a
/// right click on a label returns to (may be empty); `group` keeps the names of two tables apart.
void drawRows(const char* group, const Describe& describe, const std::vector<FieldValue>& defaults);

}  // namespace fathom::viewer
