// SPDX-License-Identifier: BSD-3-Clause
// PCG32 against its published numbers, and the ranges of what is derived from it.
#include "app/engine/core/random.h"

namespace fathom {
namespace {

// The first numbers of O'Neill's pcg32-demo: seed 42, stream 54.
TEST(Random, GivesThePublishedNumbers) {
  Random random(42, 54);
  for (const std::uint32_t expected :
       {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u, 0x83d2f293u, 0xbfa4784bu, 0xcbed606eu})
    EXPECT_EQ(random.next(), expected);
}

TEST(Random, UniformStaysBelowOne) {
  Random random(1);
  for (int i = 0; i < 100000; ++i) {
    const float u = random.uniform();
    ASSERT_GE(u, 0.0f);
    ASSERT_LT(u, 1.0f);
  }
}

TEST(Random, StreamsDiffer) { EXPECT_NE(Random(1, 0).next(), Random(1, 1).next()); }

}  // namespace
}  // namespace fathom
