// SPDX-License-Identifier: BSD-3-Clause
// `fathom report`: bench files as one HTML page that needs neither network nor other files. It
// holds the rows as JSON, from which its script (page.js) builds tables and charts. "Report" means
// this page throughout the project.
#pragma once

#include "app/lab/bench_file.h"
#include "app/lab/report/compare.h"

namespace fathom::bench {

/// Gives each run a unique name: the device, then what distinguishes the runs (scale, date, commit,
/// file).
void nameRuns(std::vector<BenchFile>& runs);

/// What the page's script reads, as JSON that is safe inside a script element: runs with their
/// rows, benches with the papers' tables, measured or not, the sections, and the comparison where
/// there is one. Throws Error when files add too many rows and columns to a table.
std::string pageData(const std::vector<BenchFile>& runs, const Comparison* comparison = nullptr);

/// The page, which is also well-formed XML. It names every table and figure of the papers, measured
/// or not, and begins with the comparison where there is one. Throws Error as pageData() does.
std::string reportPage(const std::vector<BenchFile>& runs, const Comparison* comparison = nullptr);

// Written at build time (third_party/cmake/embed_file.cmake).
extern const std::string_view kPageCss, kPageJs, kChartJs, kChartLicense;

}  // namespace fathom::bench
