// SPDX-License-Identifier: BSD-3-Clause
// Results for people (a table per bench) and for programs (the bench file, CSV).
#pragma once

#include "app/bench/machine.h"
#include "app/bench/runner.h"

#include <string>
#include <vector>

namespace fathom::bench {

/// What a result has to show in a cell of a paper's table, in the table's unit (paper_table.h); NaN
/// for nothing. The unit is a time ("ms", "s", "us", "us/pixel"), "MiB", or a rate ("M keys/s",
/// "frames/s"); cells that name a value of the check show that.
double valueIn(const PaperTable& table, const PaperCell& cell, const Result& result);

/// A table per bench and workload: times, throughput, how far from the fastest row, and the same
/// ratio in the paper.
std::string tables(const std::vector<Result>& results);

/// "fathom.bench/1" (docs/command-line.md).
std::string benchFile(const Machine& machine, const std::vector<Result>& results);

/// One line per result with a heading; settings as one column "layout=bia method=rbm".
std::string csv(const Machine& machine, const std::vector<Result>& results);

}  // namespace fathom::bench
