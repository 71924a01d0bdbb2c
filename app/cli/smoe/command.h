// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of SMoE: fathom smoe fit, render and capture.
#pragma once

#include "app/cli/command.h"

namespace fathom::smoe {

const std::vector<Command>& commands();

/// "9x9": views along a1 and a2, each 1..64. Throws UsageError.
glm::ivec2 parseGrid(const std::string& text);

}  // namespace fathom::smoe
