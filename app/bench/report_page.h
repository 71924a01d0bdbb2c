// SPDX-License-Identifier: BSD-3-Clause
// `fathom report`: bench files as one page that needs nothing else, neither network nor files.
#pragma once

#include "app/bench/report_compare.h"
#include "app/bench/report_file.h"

#include <string>
#include <vector>

namespace fathom::bench {

/// The page as HTML that is well-formed XML too. Every table and figure of the papers is in it by
/// name, measured or not. `comparison`: a section about it comes first; null: none.
std::string reportPage(const std::vector<RunFile>& runs, const Comparison* comparison = nullptr);

}  // namespace fathom::bench
