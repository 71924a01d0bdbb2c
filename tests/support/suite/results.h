// SPDX-License-Identifier: BSD-3-Clause
// The results of all tests of one test program: written once by the runner, then read by each test
// of ctest. The file holds a line per test ("STATUS MS BYTES NAME") followed by what the test
// printed.
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

}  // namespace fathom::test
