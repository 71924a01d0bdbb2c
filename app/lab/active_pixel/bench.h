// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of active pixels, for the entry.
#pragma once

#include "app/lab/workload.h"

#include <vector>

namespace fathom::active_pixel {

const std::vector<Bench>& benches();

}  // namespace fathom::active_pixel
