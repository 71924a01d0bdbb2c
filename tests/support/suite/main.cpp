// SPDX-License-Identifier: BSD-3-Clause
// The main function of every test program. Where FATHOM_TEST_EVENTS names a file, it notes there
// when each test begins and ends, so that whoever started it (run.cpp) knows the result of every
// test even when a later one crashes. Tests share the process, so each begins with the environment
// and the working folder that the process was started with.
#include "tests/support/system.h"

using namespace fathom::test;

namespace {

/// Undoes what a test did to the process.
class Restore : public ::testing::EmptyTestEventListener {
  void OnTestEnd(const ::testing::TestInfo&) override {
    restoreVariables(variables_);
    std::error_code ignored;
    std::filesystem::current_path(folder_, ignored);
  }

  const std::vector<std::string> variables_ = variables();
  const std::filesystem::path folder_ = std::filesystem::current_path();
};

/// Notes each test together with the place in standard output where its own output begins or ends.
class Events : public ::testing::EmptyTestEventListener {
 public:
  explicit Events(const char* file) : file_(file, std::ios::app | std::ios::binary) {}

 private:
  void OnTestStart(const ::testing::TestInfo& test) override { note("begin", "-", 0, test); }
  void OnTestEnd(const ::testing::TestInfo& test) override {
    const ::testing::TestResult& result = *test.result();
    note("end",
         result.Skipped()  ? "skipped"
         : result.Passed() ? "ok"
                           : "failed",
         result.elapsed_time(), test);
  }
  void OnTestProgramEnd(const ::testing::UnitTest&) override { line("done\n"); }

  void note(const char* event, const char* status, long long milliseconds,
            const ::testing::TestInfo& test) {
    std::fflush(nullptr);
    std::fseek(stdout, 0, SEEK_END);
    const long place = std::ftell(stdout);
    line(std::string(event) + " " + std::to_string(place) + " " + status + " " +
         std::to_string(milliseconds) + " " + test.test_suite_name() + "." + test.name() + "\n");
  }
  // In one write: it is complete, or not there at all.
  void line(const std::string& text) {
    if (!(file_ << text << std::flush)) std::perror("test events");
  }

  std::ofstream file_;
};

}  // namespace

int main(int argc, char** argv) {
  // A death test starts this program again; the runner must not hear of that one.
  bool insideDeathTest = false;
  for (int i = 1; i < argc; ++i)
    insideDeathTest |= std::string_view(argv[i]).starts_with("--gtest_internal_run_death_test");
  ::testing::InitGoogleTest(&argc, argv);
  // Drivers and jobs have threads, which a plain fork would lose.
  GTEST_FLAG_SET(death_test_style, "threadsafe");

  ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
  listeners.Append(new Restore);
  const char* events = std::getenv("FATHOM_TEST_EVENTS");
  if (events && !insideDeathTest) {
    // The first to hear of a begin is the last to hear of an end: the printer's lines lie in
    // between.
    ::testing::TestEventListener* printer = listeners.Release(listeners.default_result_printer());
    listeners.Append(new Events(events));
    listeners.Append(printer);
    removeVariable("FATHOM_TEST_EVENTS");
  }
  return RUN_ALL_TESTS();
}
