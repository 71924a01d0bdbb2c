// SPDX-License-Identifier: BSD-3-Clause
// Words of SMoE on the command line: fathom smoe fit | render | capture.
#pragma once

#include "app/techniques/command.h"

#include <vector>

namespace fathom::smoe {

const std::vector<Command>& commands();

}  // namespace fathom::smoe
