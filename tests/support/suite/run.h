// SPDX-License-Identifier: BSD-3-Clause
// Runs all tests of a test program in one process, and in another one what a crash left over; and
// keeps what became of each in a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fathom::test {

struct TestRecord {
  std::string name;    // Suite.Name
  std::string status;  // ok, failed or skipped
  long milliseconds = 0;
  std::string output;
};

/// Complete or not at all: several runs may write the same file at once.
void writeResults(const std::filesystem::path& file, const std::vector<TestRecord>& records);
std::optional<TestRecord> findResult(const std::filesystem::path& file, const std::string& name);

/// Becomes this program; FATHOM_TEST_LAUNCHER runs those of another system.
[[noreturn]] void become(std::vector<std::string> words);

struct SuiteRun {
  std::vector<TestRecord> records;  // in the order in which they ended
  std::string problem;              // what went wrong outside of all tests, empty when nothing did
};

/// A test that takes longer than `limitSeconds` is killed and has failed. `scratch` + a suffix are
/// files for the time of the run.
SuiteRun runSuite(const std::filesystem::path& program, const std::string& scratch,
                  int limitSeconds);

}  // namespace fathom::test
