// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of SMoE: fathom smoe fit, render and capture.
#pragma once

#include "app/cli/command.h"

#include <vector>

namespace fathom::smoe {

const std::vector<Command>& commands();

}  // namespace fathom::smoe
