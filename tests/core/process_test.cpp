// SPDX-License-Identifier: BSD-3-Clause
// What other programs print is taken only from those that end well and in time.
#include "app/system/process.h"

namespace fathom {
namespace {

using std::chrono::milliseconds;

TEST(ProgramOutput, IsEmptyWhereAProgramIsMissingFailsOrHangs) {
  EXPECT_EQ(system::outputOf({"sh", "-c", "echo 1, 2"}, milliseconds(5000)), "1, 2\n");
  EXPECT_EQ(system::outputOf({"no-such-program-anywhere"}, milliseconds(5000)), "");
  EXPECT_EQ(system::outputOf({"sh", "-c", "echo 1; exit 9"}, milliseconds(5000)), "");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(system::outputOf({"sh", "-c", "echo 1; exec sleep 60"}, milliseconds(100)), "");
  EXPECT_EQ(system::outputOf({"sh", "-c", "exec >&-; exec sleep 60"}, milliseconds(100)), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace fathom
