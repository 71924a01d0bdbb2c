// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of each technique.
#pragma once

#include "app/cli/command.h"

#include <string>
#include <vector>

namespace fathom {

/// The subcommands of the technique of this name ("deep"), in the order of the manual; empty: none.
const std::vector<Command>& commandsOf(const std::string& technique);

}  // namespace fathom
