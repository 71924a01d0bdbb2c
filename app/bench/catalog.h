// SPDX-License-Identifier: BSD-3-Clause
// Every bench of the program by name: the GPU primitives' and the techniques'.
#pragma once

#include "app/techniques/workload.h"

namespace fathom::bench {

std::vector<const Bench*> allBenches();

/// Those whose name is `name` or begins with it: "deep", "deep.composite"; none given: all. Each
/// once, in the catalog's order. Throws UsageError for a name that matches nothing.
std::vector<const Bench*> benchesNamed(const std::vector<std::string>& names);

/// The paper's table of this name; null for none.
const PaperTable* paperTableNamed(const std::string& name);

}  // namespace fathom::bench
