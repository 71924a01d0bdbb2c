// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of deep images, for the entry.
#pragma once

#include "app/lab/workload.h"

namespace fathom::deep {

const std::vector<Bench>& benches();

}  // namespace fathom::deep
