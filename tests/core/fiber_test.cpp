// SPDX-License-Identifier: BSD-3-Clause
// A function goes on where it was left, however deep that was; what was left in its middle unwinds;
// exceptions reach who resumes.
#include "app/system/fiber.h"

namespace fathom {
namespace {

/// Leaves in each of its calls, on the way down and on the way up.
void descend(int depth, std::string& log) {
  const std::string own = std::to_string(depth);  // lives through leaving
  log += own;
  system::Fiber::leave();
  if (depth < 2) descend(depth + 1, log);
  log += own;
  system::Fiber::leave();
}

TEST(FiberTest, GoesOnWhereItWasLeft) {
  std::string log;
  system::Fiber fiber([&] { descend(0, log); });
  int resumed = 1;
  for (; !fiber.resume(); ++resumed) log += '.';
  EXPECT_EQ(log, "0.1.2.2.1.0.");
  EXPECT_EQ(resumed, 7);
}

TEST(FiberTest, TwoTakeTurns) {
  std::string log;
  system::Fiber first([&] { log += 'a', system::Fiber::leave(), log += 'b'; });
  system::Fiber second([&] { log += 'A', system::Fiber::leave(), log += 'B'; });
  EXPECT_FALSE(first.resume());
  EXPECT_FALSE(second.resume());
  EXPECT_TRUE(first.resume());
  EXPECT_TRUE(second.resume());
  EXPECT_EQ(log, "aAbB");
}

TEST(FiberTest, PassesOnWhatIsThrown) {
  system::Fiber fiber([] {
    system::Fiber::leave();
    throw std::runtime_error("after a while");
  });
  EXPECT_FALSE(fiber.resume());
  EXPECT_THROW(fiber.resume(), std::runtime_error);
}

TEST(FiberTest, WhatIsAbandonedUnwinds) {
  std::string log;
  struct Note {
    std::string& log;
    ~Note() { log += system::Fiber::canLeave() ? "may leave" : "unwound"; }
  };
  {
    system::Fiber fiber([&] {
      const Note note{log};
      try {
        system::Fiber::leave();
      } catch (const std::exception&) {
        log += "taken for an error";
      }
      log += "went on";
    });
    EXPECT_FALSE(fiber.resume());
  }
  EXPECT_EQ(log, "unwound");
  {
    const system::Fiber never([&] { log += "began"; });
  }
  EXPECT_EQ(log, "unwound");
}

TEST(FiberTest, CannotBeLeftOutsideOrWhileAnErrorIsHandled) {
  EXPECT_FALSE(system::Fiber::canLeave());
  bool inside = false, handling = true;
  system::Fiber fiber([&] {
    inside = system::Fiber::canLeave();
    try {
      throw 1;
    } catch (int) {
      handling = system::Fiber::canLeave();
    }
  });
  EXPECT_TRUE(fiber.resume());
  EXPECT_TRUE(inside);
  EXPECT_FALSE(handling);
}

}  // namespace
}  // namespace fathom
