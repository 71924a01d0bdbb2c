// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of deep images, for the entry.
#pragma once

#include "app/lab/workload.h"

#include <vector>

namespace fathom::deep {

const std::vector<Bench>& benches();

}  // namespace fathom::deep
