// SPDX-License-Identifier: BSD-3-Clause
// Tests that suite_test.cpp has run: each ends in another way. They are no tests of ctest's.
#include <unistd.h>

TEST(Sample, Passes) { std::puts("said by one that passes"); }

TEST(Sample, Fails) { EXPECT_EQ(1 + 1, 3) << "said by one that fails"; }

TEST(Sample, Skips) { GTEST_SKIP() << "said by one that skips"; }

TEST(Sample, Aborts) {
  std::fputs("said by one that aborts\n", stderr);
  std::abort();
}

TEST(Sample, Exits) { std::exit(0); }

TEST(Sample, Hangs) {
  if (std::getenv("FATHOM_SAMPLE_HANGS")) sleep(600);
}

TEST(Sample, ChangesTheProcess) {
  setenv("FATHOM_SAMPLE", "changed", 1);
  unsetenv("PATH");
  std::filesystem::current_path("/");
}

TEST(Sample, FindsTheProcessAsItWas) {
  EXPECT_EQ(getenv("FATHOM_SAMPLE"), nullptr);
  EXPECT_NE(getenv("PATH"), nullptr);
  EXPECT_NE(std::filesystem::current_path(), "/");
}

TEST(Sample, DiesAsItShould) { EXPECT_DEATH(std::abort(), ""); }

class SampleOf : public ::testing::TestWithParam<int> {};
TEST_P(SampleOf, IsEven) { EXPECT_EQ(GetParam() % 2, 0); }
INSTANTIATE_TEST_SUITE_P(Numbers, SampleOf, ::testing::Values(2, 3));

// Asked for by the environment: a program that goes down when its tests are through.
class EndsBadly : public ::testing::Environment {
  void TearDown() override {
    if (std::getenv("FATHOM_SAMPLE_ENDS_BADLY")) _exit(23);
  }
};
[[maybe_unused]] const auto* const endsBadly = ::testing::AddGlobalTestEnvironment(new EndsBadly);
