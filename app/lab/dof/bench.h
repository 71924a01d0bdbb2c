// SPDX-License-Identifier: BSD-3-Clause
// What the laboratory has of depth of field.
#pragma once

#include "app/engine/tuning.h"
#include "app/lab/workload.h"

namespace fathom::dof {

const std::vector<Bench>& benches();
/// For `fathom tune`.
const std::vector<Tunable>& tunables();

}  // namespace fathom::dof
