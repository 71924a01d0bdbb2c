// SPDX-License-Identifier: BSD-3-Clause
// Runs commands of the program, each in a process of its own, with instrumented shaders, and
// gathers what was found.
#pragma once

#include "tests/races/watch.h"

namespace fathom::races {

/// Commands one after another in one process, so that one may read what another wrote.
struct Workload {
  /// Arguments of `fathom`, or `primitives` or `parts` alone (primitives.h, parts.h). {folder} in
  /// them is a folder for what they write, {source} that of the sources.
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> environment = {};  // NAME=VALUE
};

struct WorkloadList {
  std::vector<Workload> workloads;
  std::map<std::string, std::string> unreached;  // shaders that none of them runs, and why
};

/// Lines of a file: `[NAME=VALUE ...] fathom ... ; fathom ...`, `primitives` or `unreached SHADER:
/// WHY`, comments with #. A line that ends with a backslash goes on in the next.
WorkloadList readWorkloads(const std::filesystem::path& file);

struct RunResult {
  WatchResult all;
  std::vector<std::string> failures;  // commands that did not end with 0
};

/// `jobs` at a time, in the order of the list. Tells on standard error of each when it ends, with
/// its processor time; `verbose` lets the commands speak.
RunResult runWorkloads(const std::vector<Workload>& workloads, const WatchOptions& options,
                       int jobs, bool verbose);

}  // namespace fathom::races
