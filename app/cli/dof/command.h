// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `fathom dof`, for the entry.
#pragma once

#include "app/cli/command.h"

namespace fathom::dof {

const std::vector<Command>& commands();  // command.cpp

}  // namespace fathom::dof
