// SPDX-License-Identifier: BSD-3-Clause
// Runs all tests of a test program in one process, and in another one what a crash left over.
#pragma once

#include "tests/support/suite/results.h"

#include <filesystem>
#include <string>
#include <vector>

namespace fathom::test {

struct SuiteRun {
  std::vector<TestRecord> records;  // in the order in which they ended
  std::string problem;              // what went wrong outside of all tests, empty when nothing did
};

/// A test that takes longer than `limitSeconds` is killed and has failed. `scratch` + a suffix are
/// files for the time of the run.
SuiteRun runSuite(const std::filesystem::path& program, const std::string& scratch,
                  int limitSeconds);

}  // namespace fathom::test
