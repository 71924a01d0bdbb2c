// SPDX-License-Identifier: BSD-3-Clause
// fathom tune: what it refuses. Finding variants is tested with the tuner (tests/lab).
#include "tests/support/program.h"

namespace fathom {
namespace {

TEST(Tune, ShowsAnEmptyProfile) {
  const TempFolder folder;
  EXPECT_THAT(outputOf({"tune", "--show", "--profile", folder.file("none.json")}),
              HasSubstr("nothing tuned yet"));
}

TEST(Tune, NamesTheClassesThatThereAre) {
  EXPECT_THAT(refusalOf({"tune", "dof", "--workload", "r7", "--no-profile"}, 2),
              HasSubstr("expected r8, r16, r32, r64, r8-coverage"));
}

}  // namespace
}  // namespace fathom
