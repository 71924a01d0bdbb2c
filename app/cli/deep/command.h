// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `fathom deep`, for the entry.
#pragma once

#include "app/cli/command.h"

namespace fathom::deep {

const std::vector<Command>& commands();  // command_table.cpp

}  // namespace fathom::deep
