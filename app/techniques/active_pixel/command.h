// SPDX-License-Identifier: BSD-3-Clause
// The words and benches of active pixels.
#pragma once

#include "app/techniques/command.h"
#include "app/techniques/workload.h"

#include <vector>

namespace fathom::active_pixel {

const std::vector<Command>& commands();
const std::vector<Bench>& benches();

}  // namespace fathom::active_pixel
