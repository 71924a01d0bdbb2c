// SPDX-License-Identifier: BSD-3-Clause
// The runner on tests that pass, fail, skip, crash, leave and hang (sample.cpp): none is lost, and
// each says what happened.
#include "tests/support/temp_folder.h"

#include <sys/wait.h>

namespace fathom::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Said {
  int code = 0;
  std::string out;
};

Said shell(const std::string& command) {
  Said said;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) said.out += char(c);
  said.code = WEXITSTATUS(pclose(pipe));
  return said;
}

class Suite : public ::testing::Test {
 protected:
  Said run() { return shell(FATHOM_SUITE " run " + results_ + " 1 " FATHOM_SAMPLE); }
  Said read(const std::string& test) {
    return shell(FATHOM_SUITE " read " + results_ + " " FATHOM_SAMPLE " --gtest_filter=" + test +
                 " --gtest_also_run_disabled_tests");
  }

  const TempFolder folder_;
  const std::string results_ = folder_.file("results");
};

TEST_F(Suite, GivesEachTestItsResultAndItsOutput) {
  const Said suite = run();
  EXPECT_EQ(suite.code, 0) << suite.out;
  EXPECT_THAT(suite.out, HasSubstr("11 tests: 6 ok, 4 failed, 1 skipped"));

  const Said passes = read("Sample.Passes");
  EXPECT_EQ(passes.code, 0);
  EXPECT_THAT(passes.out, HasSubstr("said by one that passes"));
  EXPECT_THAT(passes.out, Not(HasSubstr("fails")));

  const Said fails = read("Sample.Fails");
  EXPECT_EQ(fails.code, 1);
  EXPECT_THAT(fails.out, HasSubstr("said by one that fails"));
  EXPECT_THAT(fails.out, HasSubstr("[  FAILED  ] Sample.Fails"));

  const Said skips = read("Sample.Skips");
  EXPECT_EQ(skips.code, 0);
  EXPECT_THAT(skips.out, HasSubstr("[  SKIPPED ]"));  // what ctest looks for
  EXPECT_THAT(skips.out, HasSubstr("said by one that skips"));

  EXPECT_EQ(read("Sample.DiesAsItShould").code, 0);
  EXPECT_EQ(read("Numbers/SampleOf.IsEven/0").code, 0);
  EXPECT_EQ(read("Numbers/SampleOf.IsEven/1").code, 1);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"results"});
}

TEST_F(Suite, ContinuesAfterATestThatEndedTheProcess) {
  setenv("FATHOM_SAMPLE_HANGS", "1", 1);
  run();
  const Said aborts = read("Sample.Aborts");
  EXPECT_EQ(aborts.code, 1);
  EXPECT_THAT(aborts.out, HasSubstr("said by one that aborts"));
  EXPECT_THAT(aborts.out, HasSubstr("the process ended, killed by signal 6, Aborted"));
  EXPECT_THAT(read("Sample.Exits").out, HasSubstr("the process ended, exit code 0"));
  EXPECT_THAT(read("Sample.Hangs").out, HasSubstr("the process ended, killed after 1 s"));
  EXPECT_EQ(read("Sample.FindsTheProcessAsItWas").code, 0);
}

TEST_F(Suite, FailsWhenTheProgramDoesOutsideOfATest) {
  setenv("FATHOM_SAMPLE_ENDS_BADLY", "1", 1);
  const Said suite = run();
  EXPECT_EQ(suite.code, 1);
  EXPECT_THAT(suite.out, HasSubstr("outside of a test: exit code 23"));
  EXPECT_EQ(read("Sample.Passes").code, 0);
  EXPECT_NE(shell(FATHOM_SUITE " run " + results_ + " 1 /nonexistent").code, 0);
}

TEST_F(Suite, ASecondRunFailsWithAnyOfItsTests) {
  setenv("FATHOM_TEST_FILTER", "Sample.Passes:Sample.Skips:Sample.DiesAsItShould", 1);
  const Said good = shell(FATHOM_SUITE " all " + results_ + " 1 " FATHOM_SAMPLE);
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_THAT(good.out, HasSubstr("2 ok 0 failed 1 skipped"));
  setenv("FATHOM_TEST_FILTER", "Sample.Passes:Sample.Fails", 1);
  const Said bad = shell(FATHOM_SUITE " all " + results_ + " 1 " FATHOM_SAMPLE);
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, HasSubstr("said by one that fails"));
  setenv("FATHOM_TEST_FILTER", "Nobody.*", 1);
  EXPECT_EQ(shell(FATHOM_SUITE " all " + results_ + " 1 " FATHOM_SAMPLE).code, 1);
}

TEST_F(Suite, AResultThatIsMissingOrOldIsAFailure) {
  EXPECT_THAT(read("Sample.Passes").out, HasSubstr("has no result of it"));
  run();
  EXPECT_EQ(read("Sample.Nobody").code, 1);
  std::filesystem::last_write_time(
      results_, std::filesystem::last_write_time(FATHOM_SAMPLE) - std::chrono::seconds(1));
  EXPECT_EQ(read("Sample.Passes").code, 1);
}

}  // namespace
}  // namespace fathom::test
