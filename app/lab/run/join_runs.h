// SPDX-License-Identifier: BSD-3-Clause
// Joins runs of one program on one machine into one bench file: `fathom bench --append`.
#pragma once

#include "app/lab/bench_file.h"

namespace fathom::bench {

/// Refuses a file of another device, program or scale, or one that does not keep its rounds; needs
/// no rows of `now`, so it can be called before anything is measured.
/// Throws Error: `FILE: expected ..., found ...`.
void checkJoins(const BenchFile& now, const BenchFile& before);

/// Puts the rounds of `before` in front of those of `now` and summarizes all of them. Both must
/// hold the same rows. Throws Error like checkJoins().
void joinRuns(BenchFile& now, const BenchFile& before);

}  // namespace fathom::bench
