// SPDX-License-Identifier: BSD-3-Clause
// fathom tune: what it refuses. Finding variants is tested with the tuner (tests/lab).
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace fathom {
namespace {

using test::Outcome;
using test::runFathom;
using test::TempFolder;

TEST(Tune, ShowsAnEmptyProfile) {
  const TempFolder folder;
  const Outcome outcome = runFathom({"tune", "--show", "--profile", folder.file("none.json")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("nothing tuned yet"), std::string::npos) << outcome.out;
}

TEST(Tune, NamesTheClassesThatThereAre) {
  const Outcome outcome = runFathom({"tune", "dof", "--workload", "r7", "--no-profile"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("expected r8, r16, r32, r64, r8-coverage"), std::string::npos)
      << outcome.err;
}

TEST(Tune, SaysWhereThereIsNothingToTune) {
  const Outcome outcome = runFathom({"tune", "smoe"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("\"smoe\" cannot be tuned, only deep and dof"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace fathom
