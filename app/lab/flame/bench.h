// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of flames, for the laboratory's catalog.
#pragma once

#include "app/lab/workload.h"

namespace fathom::flame {

const std::vector<Bench>& benches();

}  // namespace fathom::flame
