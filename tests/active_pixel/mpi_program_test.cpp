// SPDX-License-Identifier: BSD-3-Clause
// The program under mpirun, as a user starts it: the same picture in every mode and without MPI,
// and whatever happens to one rank, the run ends soon, with one line and a code other than 0.
#include "app/engine/active_pixel/distribute/compositor.h"
#include "tests/support/program.h"

#include <unistd.h>

namespace fathom::test {
namespace {

using Arguments = std::vector<std::string>;

class MpiProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (!active_pixel::icetAvailable()) GTEST_SKIP() << active_pixel::icetMissing();
  }

  struct Ended {
    Outcome outcome;
    double seconds = 0;
  };
  /// `odd` is run by a shell as the last rank, in place of the program; there "$@" is the program.
  Ended mpirun(int ranks, const Arguments& arguments, const std::string& odd = {},
               RunOptions options = {}) {
    Arguments command = {FATHOM_MPIRUN, "--oversubscribe", "--bind-to", "none", "-q"};
    if (geteuid() == 0) command.push_back("--allow-run-as-root");
    Arguments program = {FATHOM_PROGRAM, "active-pixel", "composite"};
    program.insert(program.end(), arguments.begin(), arguments.end());
    const auto add = [&](int count, const Arguments& what) {
      command.insert(command.end(), {"-n", std::to_string(count)});
      command.insert(command.end(), what.begin(), what.end());
    };
    add(odd.empty() ? ranks : ranks - 1, program);
    if (!odd.empty()) {
      command.push_back(":");
      Arguments last = {"sh", "-c", odd, "sh"};
      last.insert(last.end(), program.begin(), program.end());
      add(1, last);
    }
    const auto start = std::chrono::steady_clock::now();
    Ended ended{runProgram(command, options)};
    ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return ended;
  }
  static void expectOneLine(const Ended& ended, const std::string& text) {
    EXPECT_NE(ended.outcome.code, 0);
    EXPECT_LT(ended.seconds, 15.0);  // 10 on a machine that has nothing else to do
    int lines = 0;
    std::istringstream said(ended.outcome.err);
    for (std::string line; std::getline(said, line);) lines += line.rfind("fathom: ", 0) == 0;
    EXPECT_EQ(lines, 1) << ended.outcome.err;
    EXPECT_THAT(ended.outcome.err, HasSubstr(text));
  }

  TempFolder folder;
};

TEST_F(MpiProgram, EveryModeGivesThePictureOfOneProcess) {
  const std::string alone = folder.file("alone.png");
  outputOf(
      {"active-pixel", "composite", "station", "--parts", "3", "--size", "160x100", "-o", alone});
  for (const std::string mode : {"generic", "roi", "gpu"}) {
    const std::string file = folder.file(mode + ".png");
    const Ended run = mpirun(3, {"station", "--mode", mode, "--size", "160x100", "-o", file});
    ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
    EXPECT_TRUE(readText(file) == readText(alone)) << mode;
  }
}

TEST_F(MpiProgram, TilesMakeTheSamePictureAndFiguresHaveARowForEachFrameAndRank) {
  const std::string whole = folder.file("whole.png"), tiled = folder.file("tiled.png"),
                    figures = folder.file("figures.csv");
  const Arguments common = {"station", "--size", "160x100", "--frames", "2"};
  Arguments first = common, second = common;
  first.insert(first.end(), {"-o", whole});
  second.insert(second.end(), {"--tiles", "3x2", "--figures", figures, "-o", tiled});
  ASSERT_EQ(mpirun(4, first).outcome.code, 0);
  const Ended run = mpirun(4, second);
  ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
  EXPECT_TRUE(readText(whole) == readText(tiled));
  const std::string csv = readText(figures);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 4) << csv;
  EXPECT_THAT(csv, HasSubstr(",sent_bytes\n"));
  EXPECT_NE(csv[csv.size() - 3], ',') << csv;  // rank 3 has sent more than "0"
}

TEST_F(MpiProgram, ASceneThatOneRankCannotOpenEndsTheRun) {
  const std::string scene = folder.file("scene");
  std::filesystem::create_directory(scene);
  std::ofstream(scene + "/a.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  // The last rank looks for it elsewhere.
  const Ended run =
      mpirun(3, {"scene", "--size", "64x48"}, "cd / && exec \"$@\"", {.folder = folder.path()});
  expectOneLine(run, "rank 2: scene");
}

TEST_F(MpiProgram, ARankThatDiffersEndsTheRunBeforeAnyWork) {
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  for (const std::string name : {"one", "other"})
    std::filesystem::create_directory(folder.file(name));
  folder.write("one/a.obj", triangle);
  folder.write("other/a.obj", "v 0.5 0 0\n" + triangle.substr(8));
  const RunOptions options{.folder = folder.file("one")};
  const Arguments scene = {"a.obj", "--size", "64x48", "-o", folder.file("mixed.png")};
  expectOneLine(mpirun(2, scene, "cd ../other && exec \"$@\"", options),
                "rank 1: a.obj: expected what rank 0 has (scene of checksum ");
  const std::pair<const char*, const char*> differing[] = {
      {"--strategy tree", "(--strategy automatic), found --strategy tree"},
      {"--show parts", "(--show picture), found --show parts"},
      {"--frames 3", "(--frames 1), found --frames 3"}};
  for (const auto& [flag, said] : differing)
    expectOneLine(mpirun(2, scene, fmt::format("exec \"$@\" {}", flag), options), said);
  EXPECT_FALSE(std::filesystem::exists(folder.file("mixed.png")));
}

TEST_F(MpiProgram, ARankThatNeverStartsEndsTheRun) {
  expectOneLine(mpirun(2, {"station", "--size", "64x48"}, "exec sleep 30",
                       {.environment = {"FATHOM_RANKS_START=2"}}),
                "expected all ranks to meet within 2 s");
}

#ifdef FATHOM_WRONG_RANK
TEST_F(MpiProgram, ARankThatCannotBeEndsTheRun) {
  const auto found = [&](int turn, const char* apart, const std::string& text) {
    expectOneLine(
        mpirun(2, {"station", "--size", "64x48"}, "LD_PRELOAD='" FATHOM_WRONG_RANK "' exec \"$@\"",
               {.environment = {apart, fmt::format("TURN={}", turn)}}),
        text);
  };
  const std::string here = "expected the ranks of this machine, found rank 1";
  found(0, "FATHOM_RANKS_APART", here + "073741825 as process ");
  found(1, "FATHOM_RANKS_APART", here + " as process 1");
  found(0, "FATHOM_RANKS_APART=1",
        "expected the first ranks of the machines, found rank 1073741825");
}
#endif

TEST_F(MpiProgram, AnUnwritableOutputEndsTheRun) {
  expectOneLine(mpirun(3, {"station", "--size", "64x48", "-o", folder.file("no/where.png")}),
                "where.png");
}

TEST_F(MpiProgram, AnOutputThatCannotBeWrittenInTheEndEndsTheRun) {
  const std::string gone = folder.file("gone");
  std::filesystem::create_directory(gone);
  const Ended run =
      mpirun(3, {"station", "--size", "64x48", "--frames", "200", "-o", gone + "/picture.png"},
             fmt::format("rm -r '{}' & exec \"$@\"", gone));
  expectOneLine(run, "picture.png");
}

TEST_F(MpiProgram, CtrlCEndsTheRun) {
  // mpirun gets it once the ranks share their page, which is when they have met.
  const Ended run = mpirun(3, {"station", "--size", "64x48", "--frames", "100000"},
                           "(until grep -q osc_sm /proc/$$/maps; do sleep 0.1; done; sleep 0.5; "
                           "kill -INT $PPID) & exec \"$@\"");
  expectOneLine(run, "interrupted");
}

TEST_F(MpiProgram, AWrongCommandLineIsSaidOnce) {
  const Ended run = mpirun(3, {"station", "--frames", "none"});
  expectOneLine(run, "--frames");
}

}  // namespace
}  // namespace fathom::test
