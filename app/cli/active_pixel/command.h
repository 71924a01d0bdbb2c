// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `fathom active-pixel`, for the entry.
#pragma once

#include "app/cli/command.h"

namespace fathom::active_pixel {

const std::vector<Command>& commands();

}  // namespace fathom::active_pixel
