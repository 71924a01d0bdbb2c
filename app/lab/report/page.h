// SPDX-License-Identifier: BSD-3-Clause
// `fathom report`: bench files as one HTML page that needs neither network nor other files.
// "Report" means this page throughout the project.
#pragma once

#include "app/lab/bench_file.h"
#include "app/lab/report/compare.h"

#include <string>
#include <vector>

namespace fathom::bench {

/// Gives each run a unique name: the device, then what distinguishes the runs (scale, date, commit,
/// file).
void nameRuns(std::vector<BenchFile>& runs);

/// The page, which is also well-formed XML. It names every table and figure of the papers, measured
/// or not, and begins with the comparison where there is one.
std::string reportPage(const std::vector<BenchFile>& runs, const Comparison* comparison = nullptr);

}  // namespace fathom::bench
