// SPDX-License-Identifier: BSD-3-Clause
// The rule of what is a race, on accesses made by hand.
#include "tests/races/word_history.h"

namespace fathom::races {
namespace {

constexpr std::uint32_t kGroupSize = 4;

Access access(AccessKind kind, std::uint32_t invocation, std::uint32_t phase = 0,
              std::int64_t pass = 1) {
  return {pass, invocation, invocation / kGroupSize, phase, 0, kind};
}
Access read(std::uint32_t invocation, std::uint32_t phase = 0, std::int64_t pass = 1) {
  return access(AccessKind::Read, invocation, phase, pass);
}
Access write(std::uint32_t invocation, std::uint32_t phase = 0, std::int64_t pass = 1) {
  return access(AccessKind::Write, invocation, phase, pass);
}
Access change(std::uint32_t invocation, std::uint32_t phase = 0, std::int64_t pass = 1) {
  return access(AccessKind::Atomic, invocation, phase, pass);
}

/// How many of the accesses meet an earlier one. Passes before 1 are visible.
int races(std::initializer_list<Access> accesses, std::int64_t visible = 1) {
  WordHistory word;
  int count = 0;
  for (const Access& one : accesses) count += word.add(one, visible).has_value();
  return count;
}

TEST(WordHistory, KnowsWhatOrdersTwoAccesses) {
  // A barrier orders a group.
  EXPECT_EQ(races({write(0), read(1)}), 1);
  EXPECT_EQ(races({write(0), read(1, 1)}), 0);
  EXPECT_EQ(races({read(0), write(1)}), 1);
  EXPECT_EQ(races({read(0), write(1, 1)}), 0);
  EXPECT_EQ(races({write(0), write(1)}), 1);
  EXPECT_EQ(races({write(0), write(1, 1)}), 0);
  // One invocation needs no barrier.
  EXPECT_EQ(races({write(2), read(2), write(2), change(2)}), 0);
  EXPECT_EQ(races({read(0), read(1), read(2)}), 0);
  // Nothing orders groups.
  EXPECT_EQ(races({write(0), read(4, 1)}), 1);
  EXPECT_EQ(races({read(4), read(0), read(1), write(1, 1)}), 1)
      << "the reader of another group is kept";
  // Atomics need no order among themselves.
  EXPECT_EQ(races({change(0), change(5)}), 0);
  EXPECT_EQ(races({change(0), read(1)}), 1);
  EXPECT_EQ(races({write(0), change(1)}), 1);
  EXPECT_EQ(races({write(0), change(0), change(1)}), 1) << "the plain write is not forgotten";
  // Of two readers the other is remembered.
  EXPECT_EQ(races({read(0), read(1), write(1)}), 1);
  EXPECT_EQ(races({read(0), read(1), read(0), write(0)}), 1);
  // A memory barrier orders passes.
  EXPECT_EQ(races({write(0, 0, 1), read(0, 0, 2)}, 2), 0);
  EXPECT_EQ(races({write(0, 0, 1), read(0, 0, 2)}, 1), 1) << "also for one invocation's number";
  EXPECT_EQ(races({read(0, 0, 1), write(3, 0, 2)}, 1), 1);
  EXPECT_EQ(races({change(0, 0, 1), change(3, 0, 2)}, 1), 0);
}

TEST(WordHistory, OneConstantByManyDoesNoHarm) {
  Access one = write(0), two = write(1), other = write(2);
  one.constant = two.constant = 7;
  other.constant = 8;
  EXPECT_EQ(races({one, two}), 0);
  EXPECT_EQ(races({one, other}), 1);
  EXPECT_EQ(races({one, read(1)}), 1);
  Access first = write(0);
  first.constant = 8;
  EXPECT_EQ(races({first, one, two}), 1) << "another value came before";
}

TEST(GroupOrder, WhatOneAtomicHandsOnTheNextReceives) {
  GroupOrder order;
  order.atomic(0, 7, change(0, 1));  // group 0, after a barrier
  order.atomic(0, 7, change(4, 0));  // group 1
  EXPECT_TRUE(order.isOrdered(write(1, 0), read(5, 1)));
  EXPECT_FALSE(order.isOrdered(write(1, 1), read(5, 1))) << "written beside the atomic";
  EXPECT_FALSE(order.isOrdered(write(5, 0), read(1, 1))) << "the earlier one receives nothing";
  order.atomic(0, 9, change(8, 0));
  EXPECT_FALSE(order.isOrdered(write(1, 0), read(8, 1))) << "another word";
}

TEST(GroupOrder, BeforeItsBarrierAGroupHasNotHeard) {
  GroupOrder order;
  order.atomic(0, 7, change(0, 1));
  order.atomic(0, 7, change(4, 0));
  EXPECT_FALSE(order.isOrdered(write(1, 0), read(5, 0)));
  GroupOrder onward;  // through a third group
  onward.atomic(0, 7, change(0, 1));
  onward.atomic(0, 7, change(4, 0));
  onward.atomic(0, 8, change(5, 1));
  onward.atomic(0, 8, change(8, 0));
  EXPECT_TRUE(onward.isOrdered(write(1, 0), read(9, 1)));
}

TEST(MemoryHistory, ForgetsWhatWasWrittenOtherwise) {
  MemoryHistory memory;
  memory.add(3, write(0), 1);
  memory.add(9, write(0), 1);
  memory.forget(0, 4);
  EXPECT_FALSE(memory.add(3, read(1), 1));
  EXPECT_TRUE(memory.add(9, read(1), 1));
}

}  // namespace
}  // namespace fathom::races
