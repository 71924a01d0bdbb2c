// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of depth of field, for the entry.
#pragma once

#include "app/lab/workload.h"

#include <vector>

namespace fathom::dof {

const std::vector<Bench>& benches();

}  // namespace fathom::dof
