// SPDX-License-Identifier: BSD-3-Clause
// Runs of one program on one machine joined into one bench file: `fathom bench --append`.
#pragma once

#include "app/bench/machine.h"
#include "app/bench/report_file.h"
#include "app/bench/runner.h"

#include <vector>

namespace fathom::bench {

/// Refuses a file of another device, program or scale, or one that does not keep its rounds: known
/// before anything is measured. Throws Error: `FILE: expected ..., found ...`.
void checkJoins(const Machine& machine, const RunFile& before);

/// Puts the rounds of `before` ahead of those of the results and sums up all of them. Both must
/// hold the same rows. Throws Error like checkJoins().
void joinRuns(Machine& machine, std::vector<Result>& results, const RunFile& before);

}  // namespace fathom::bench
