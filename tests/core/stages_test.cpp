// SPDX-License-Identifier: BSD-3-Clause
// Which stages run again when something changes, and how a budget cuts them into slices.
#include "app/engine/core/stages.h"

namespace fathom {
namespace {

// Three stages "a", "b", "c" that read one number each and write their letter when they complete.
class StagesTest : public ::testing::Test {
 protected:
  StagesTest() {
    stages_.add(
        "a", [this] { return a_; }, [this](double) { return write('a'); });
    stages_.add(
        "b", [this] { return std::tuple(a_, b_); },
        [this](double) {
          if (failing_) throw std::runtime_error("no b");
          return ++steps_ % stepsOfB_ == 0 && write('b');
        },
        [this] { steps_ = 0, ++beginnings_; });
    stages_.add(
        "c", [this] { return c_; }, [this](double) { return write('c'); });
  }
  bool write(char letter) {
    log_ += letter;
    return true;
  }

  int a_ = 1, b_ = 1, c_ = 1;
  int steps_ = 0, stepsOfB_ = 1, beginnings_ = 0;
  bool failing_ = false;
  std::string log_;
  Stages stages_;
};

TEST_F(StagesTest, RunInOrder) {
  EXPECT_TRUE(stages_.run(TimeBudget::kUnlimited));
  EXPECT_EQ(log_, "abc");
  EXPECT_TRUE(stages_.complete());
  EXPECT_EQ(stages_.current(), "");
}

TEST_F(StagesTest, NothingRunsAgainWhenNothingChanged) {
  stages_.run(TimeBudget::kUnlimited);
  EXPECT_TRUE(stages_.run(TimeBudget::kUnlimited));
  EXPECT_EQ(log_, "abc");
}

TEST_F(StagesTest, AChangedKeyRunsItsStageAndThoseAfter) {
  stages_.run(TimeBudget::kUnlimited);
  b_ = 2;
  EXPECT_FALSE(stages_.complete());
  EXPECT_EQ(stages_.current(), "b");
  stages_.run(TimeBudget::kUnlimited);
  EXPECT_EQ(log_, "abcbc");
  c_ = 2;
  stages_.run(TimeBudget::kUnlimited);
  EXPECT_EQ(log_, "abcbcc");
}

TEST_F(StagesTest, ABudgetEndsBetweenSteps) {
  stepsOfB_ = 3;
  int settled = 0;
  const auto slice = [&] { return stages_.run(0, [&] { ++settled; }); };
  EXPECT_FALSE(slice());  // a
  EXPECT_FALSE(slice());  // b, first step
  EXPECT_FALSE(slice());
  EXPECT_EQ(log_, "a");
  EXPECT_FALSE(slice());
  EXPECT_EQ(log_, "ab");
  EXPECT_TRUE(slice());
  EXPECT_EQ(log_, "abc");
  EXPECT_EQ(settled, 4);  // not after the last step
  EXPECT_EQ(beginnings_, 1);
}

TEST_F(StagesTest, AKeyThatChangesWhileItsStageIsInProgressStartsItAgain) {
  stepsOfB_ = 3;
  stages_.run(0);  // a
  stages_.run(0);  // b, first step
  b_ = 2;
  stages_.run(0);
  EXPECT_EQ(beginnings_, 2);
  EXPECT_EQ(steps_, 1);
}

TEST_F(StagesTest, WhatFailsIsTriedAgain) {
  failing_ = true;
  EXPECT_THROW(stages_.run(TimeBudget::kUnlimited), std::runtime_error);
  EXPECT_EQ(stages_.current(), "b");
  failing_ = false;
  EXPECT_TRUE(stages_.run(TimeBudget::kUnlimited));
  EXPECT_EQ(log_, "abc");
  EXPECT_EQ(beginnings_, 2);
}

TEST_F(StagesTest, InvalidatedStagesRunWithTheSameKey) {
  stages_.run(TimeBudget::kUnlimited);
  stages_.invalidate("b");
  stages_.run(TimeBudget::kUnlimited);
  EXPECT_EQ(log_, "abcbc");
  stages_.invalidateAll();
  stages_.run(TimeBudget::kUnlimited);
  EXPECT_EQ(log_, "abcbcabc");
}

TEST_F(StagesTest, InvalidatingALaterStageLeavesTheOneInProgress) {
  stepsOfB_ = 2;
  stages_.run(0);
  stages_.run(0);
  stages_.invalidate("c");
  stages_.run(TimeBudget::kUnlimited);
  EXPECT_EQ(log_, "abc");
  EXPECT_EQ(beginnings_, 1);
}

}  // namespace
}  // namespace fathom
