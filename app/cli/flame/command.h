// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `fathom flame`, for the registry.
#pragma once

#include "app/cli/command.h"

#include <vector>

namespace fathom::flame {

const std::vector<Command>& commands();

}  // namespace fathom::flame
