// SPDX-License-Identifier: BSD-3-Clause
// The bench of all variants: the paper's figure 9 as a table.
#pragma once

#include "app/lab/workload.h"

namespace fathom::dof {

/// "dof.variants"; bench.cpp lists it.
Bench variantsBench();

}  // namespace fathom::dof
