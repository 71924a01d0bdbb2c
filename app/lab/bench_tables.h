// SPDX-License-Identifier: BSD-3-Clause
// Rows as text: a table per bench for people, CSV for spreadsheets.
#pragma once

#include "app/lab/bench_file.h"

namespace fathom::bench {

/// A table per bench and workload: times, throughput, each row relative to the fastest, and the
/// same ratio in the paper.
std::string textTables(const std::vector<BenchRow>& rows);

/// One line per row below a heading; settings in one column, "layout=bia method=rbm".
std::string csv(const BenchFile& file);

}  // namespace fathom::bench
