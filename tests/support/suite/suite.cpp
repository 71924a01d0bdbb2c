// SPDX-License-Identifier: BSD-3-Clause
// Lets the tests of a program run in one process, with one OpenGL context, while ctest lists each:
//   suite run RESULTS SECONDS PROGRAM             runs all, before ctest asks for any of them
//   suite read RESULTS PROGRAM --gtest_filter=X   prints what test X said, fails as it did
//   suite all RESULTS SECONDS PROGRAM             fails with any: a run in another environment, of
//                                                 the tests that FATHOM_TEST_FILTER names
// Other arguments after PROGRAM are passed to it: so the program lists its tests itself.
#include "tests/support/suite/run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace {

using namespace fathom::test;
namespace fs = std::filesystem;

int run(const char* results, int limitSeconds, const char* program) {
  std::error_code ignored;
  fs::remove(results, ignored);
  SuiteRun suite = runSuite(program, results + ("." + std::to_string(getpid())), limitSeconds);
  writeResults(results, suite.records);

  const auto count = [&](const char* status) {
    return std::ranges::count(suite.records, status, &TestRecord::status);
  };
  std::printf("%zu tests: %td ok, %td failed, %td skipped. The slowest:\n", suite.records.size(),
              count("ok"), count("failed"), count("skipped"));
  std::ranges::stable_sort(suite.records, std::ranges::greater(), &TestRecord::milliseconds);
  for (std::size_t i = 0; i < std::min<std::size_t>(10, suite.records.size()); ++i)
    std::printf("%7ld ms  %s\n", suite.records[i].milliseconds, suite.records[i].name.c_str());
  std::fputs(suite.problem.c_str(), stdout);
  return suite.problem.empty() ? 0 : 1;
}

/// Leaves one line beside the results: "125 ok 0 failed 3 skipped".
int all(const char* results, int limitSeconds, const char* program) {
  const SuiteRun suite =
      runSuite(program, results + ("." + std::to_string(getpid())), limitSeconds);
  int ok = 0, failed = 0, skipped = 0;
  for (const TestRecord& record : suite.records) {
    ++(record.status == "ok" ? ok : record.status == "failed" ? failed : skipped);
    if (record.status == "failed") std::fputs(record.output.c_str(), stdout);
  }
  std::printf("%d ok %d failed %d skipped\n%s", ok, failed, skipped, suite.problem.c_str());
  if (std::FILE* file = std::fopen(results, "w")) {
    std::fprintf(file, "%d ok %d failed %d skipped\n", ok, failed, skipped);
    std::fclose(file);
  }
  // Nothing is no success: a filter that fits no test.
  return failed == 0 && ok > 0 && suite.problem.empty() ? 0 : 1;
}

int read(const char* results, const char* program, const std::string& test) {
  std::error_code absent;
  const auto written = fs::last_write_time(results, absent);
  const auto record = absent ? std::nullopt : findResult(results, test);
  if (!record || written < fs::last_write_time(program)) {
    std::printf("[  FAILED  ] %s: %s has no result of it\n", test.c_str(), results);
    return 1;
  }
  std::fputs(record->output.c_str(), stdout);
  return record->status == "failed" ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) try {
  constexpr std::string_view kFilter = "--gtest_filter=";
  const std::string_view action = argc > 1 ? argv[1] : "";
  if (action == "run" && argc == 5) return run(argv[2], std::atoi(argv[3]), argv[4]);
  if (action == "all" && argc == 5) return all(argv[2], std::atoi(argv[3]), argv[4]);
  if (action != "read" || argc < 5) {
    std::fputs("suite run|all RESULTS SECONDS PROGRAM | suite read RESULTS PROGRAM ARGUMENTS\n",
               stderr);
    return 2;
  }
  const std::string_view argument = argv[4];
  if (argument.starts_with(kFilter))
    return read(argv[2], argv[3], std::string(argument.substr(kFilter.size())));
  become({argv + 3, argv + argc});
} catch (const std::exception& error) {
  std::fprintf(stderr, "suite: %s\n", error.what());
  return 1;
}
