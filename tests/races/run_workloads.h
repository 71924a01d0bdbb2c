// SPDX-License-Identifier: BSD-3-Clause
// Runs commands of the program, each in a process of its own, with instrumented shaders, and
// gathers what was found.
#pragma once

#include "tests/races/watch.h"

#include <filesystem>
#include <string>
#include <vector>

namespace fathom::races {

struct Workload {
  std::vector<std::string>
      arguments;  // of `fathom`; {folder} in them is a folder for what it writes
  std::vector<std::string> environment = {};  // NAME=VALUE
  bool isPrimitives = false;                  // primitives.h instead
};

/// Lines of a file: `[NAME=VALUE ...] fathom ...` or `primitives`, comments with #.
std::vector<Workload> readWorkloads(const std::filesystem::path& file);

struct RunResult {
  WatchResult all;
  std::vector<std::string> failures;  // commands that did not end with 0
};

/// `jobs` at a time. In the order of the list; `progress` hears of each when it ends.
RunResult runWorkloads(const std::vector<Workload>& workloads, const WatchOptions& options,
                       int jobs, bool verbose);

}  // namespace fathom::races
