// SPDX-License-Identifier: BSD-3-Clause
// fathom deep composite under mpirun, as a user starts it: the bytes of one process for any number
// of ranks, route, dealing and memory; and whatever happens to one rank, the run ends soon, with
// one line, a code other than 0 and no file.
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/ranks/job.h"
#include "tests/deep/deep_images.h"
#include "tests/support/program.h"

#include <unistd.h>

namespace fathom::test {
namespace {

using Arguments = std::vector<std::string>;

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class DeepRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (!ranks::mpiAvailable()) GTEST_SKIP() << ranks::mpiMissing();
  }
  /// `odd` is run by a shell as the last rank, in place of the program; there "$@" is the program.
  Outcome mpirun(int ranks, const Arguments& arguments, const std::string& odd = {}) {
    Arguments command = {FATHOM_MPIRUN, "--oversubscribe", "--bind-to", "none", "-q"};
    if (geteuid() == 0) command.push_back("--allow-run-as-root");
    const Arguments program = Arguments{FATHOM_PROGRAM, "deep", "composite"} + arguments;
    const int plain = odd.empty() ? ranks : ranks - 1;
    command = command + Arguments{"-n", std::to_string(plain)} + program;
    if (!odd.empty())
      command = command + Arguments{":", "-n", "1", "sh", "-c", odd, "sh"} + program;
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = runProgram(command);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
  }
  void expectOneLine(const Outcome& outcome, const std::string& text, const std::string& file) {
    EXPECT_NE(outcome.code, 0);
    EXPECT_LT(seconds, 15.0);  // 10 on a machine that has nothing else to do
    int lines = 0;
    std::istringstream said(outcome.err);
    for (std::string line; std::getline(said, line);) lines += line.rfind("fathom: ", 0) == 0;
    EXPECT_EQ(lines, 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(text));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      EXPECT_NE(entry.path().filename().string().find(file), 0u) << entry.path();
  }
  /// The files of one process, and of ranks with these flags, are the same bytes.
  void expectAlone(const Arguments& inputs, const std::vector<std::pair<int, Arguments>>& runs,
                   bool deep) {
    const Arguments what = inputs + (deep ? Arguments{"--deep"} : Arguments{"--float"});
    const std::string alone = folder.file("alone.exr");
    outputOf(Arguments{"deep", "composite"} + what + Arguments{"-o", alone});
    for (const auto& [ranks, flags] : runs) {
      const std::string file = folder.file("ranks.exr");
      const Outcome run = mpirun(ranks, what + flags + Arguments{"-o", file});
      ASSERT_EQ(run.code, 0) << ranks << " " << flags.back() << "\n" << run.err;
      EXPECT_TRUE(readText(file) == readText(alone)) << ranks << " " << flags.back();
      std::filesystem::remove(file);
    }
  }

  /// A file of volumes that overlap; windows differ from file to file.
  std::string volumes(const Rect& window, std::uint32_t seed) {
    DeepImage image = randomImage({.window = window,
                                   .seed = seed,
                                   .counts = boundaryCounts(seed),
                                   .colors = Colors::Premultiplied});
    image.hasZBack = true;
    image.displayWindow = {0, 0, 64, 48};
    image.channels.push_back({"ZBack", ChannelType::Float, {}});
    const std::string file = folder.file("volumes" + std::to_string(seed) + ".exr");
    writeDeepExr(file, image);
    return file;
  }

  /// A rank that gets this signal while it works: once it shares a page with the other ranks, since
  /// mpirun alone would tell of one that is lost before they have met.
  static std::string signalled(const std::string& name) {
    return fmt::format(
        "(until grep -q osc_sm /proc/$$/maps; do sleep 0.1; done; sleep 0.5; kill -{} $$) & "
        "exec \"$@\"",
        name);
  }

  TempFolder folder;
  double seconds = 0;
};

const Arguments kHairball = {"hairball:strands=300", "--size", "96x64"};

TEST_F(DeepRanks, InterlockingSharesMergeToTheImageOfOneProcess) {
  expectAlone(kHairball,
              {{1, {"--split", "morton"}},
               {3, {"--split", "morton", "--exchange", "radix-k"}},
               {5, {"--split", "morton", "--exchange", "binary-swap", "--bands", "2"}},
               {4, {"--split", "triangles", "--exchange", "direct-send", "--wire-level", "0"}}},
              true);
}

TEST_F(DeepRanks, PhasesInTurnMakeTheSameAndDoNotOverlap) {
  setenv("FATHOM_RANKS_IN_TURN", "1", 1);
  const std::string figures = folder.file("figures.csv");
  expectAlone(kHairball, {{2, {"--split", "morton", "--figures", figures}}}, true);
  unsetenv("FATHOM_RANKS_IN_TURN");
  std::istringstream rows(readText(figures));
  std::string row;
  std::getline(rows, row);
  ASSERT_EQ(row.find("rank,capture_ms,pack_ms,encode_ms"), 0u);
  ASSERT_TRUE(std::getline(rows, row));
  std::replace(row.begin(), row.end(), ',', ' ');
  std::istringstream numbers(row);
  double rank = 0, capture = 0, pack = 0, encode = 0;
  numbers >> rank >> capture >> pack >> encode;
  EXPECT_GT(capture + pack, 0);  // processor time
}

TEST_F(DeepRanks, PartsWithShadowsCompositeToThePictureOfOneProcess) {
  expectAlone(
      {"powerplant", "--size", "80x48"},
      {{2, {"--exchange", "binary-swap"}}, {8, {"--bands", "1"}}, {3, {"--split", "morton"}}},
      false);
}

TEST_F(DeepRanks, LittleMemoryMakesMoreRegionsAndTheSameBytes) {
  expectAlone({"hairball:strands=3000", "--size", "128x96"}, {{2, {"--rank-memory", "1"}}}, true);
}

TEST_F(DeepRanks, FilesWithVolumesAndHoldOutsEqualOneProcess) {
  const Arguments files = {volumes({3, 2, 60, 40}, 1), volumes({-5, 8, 50, 44}, 2)};
  expectAlone(files, {{3, {"--exchange", "radix-k"}}}, false);
  expectAlone(files + Arguments{"--roles", "add,hold-out"}, {{2, {"--bands", "2"}}}, true);
  expectAlone(files + Arguments{"--tiled"}, {{2, {"--bands", "2"}}}, true);
}

TEST_F(DeepRanks, FilesOfEachRanksOwnEqualOneProcess) {
  const std::string first = volumes({3, 2, 60, 40}, 1), second = volumes({-5, 8, 50, 44}, 2),
                    third = volumes({10, 0, 30, 20}, 3);
  const std::string alone = folder.file("alone.exr"), file = folder.file("own.exr");
  const Arguments own = {first, "--own-inputs", "-o", file};
  const std::string last =
      fmt::format("p=$1; shift 4; exec \"$p\" deep composite '{}' '{}' \"$@\"", second, third);
  for (const std::string what : {"--deep", "--float"}) {
    outputOf({"deep", "composite", first, second, third, what, "-o", alone});
    const Outcome run = mpirun(2, own + Arguments{what}, last);
    ASSERT_EQ(run.code, 0) << what << "\n" << run.err;
    EXPECT_TRUE(readText(file) == readText(alone)) << what;
    std::filesystem::remove(file);
  }
  // A rank that has them as all have.
  expectOneLine(mpirun(2, own, fmt::format("exec \"$1\" \"$2\" \"$3\" '{}' -o '{}'", second, file)),
                second + ": expected what rank 0 has (--own-inputs on), found --own-inputs off",
                "own");
}

TEST_F(DeepRanks, ThinnedListsAreFewerAndTheRecordStatesTheBound) {
  const Arguments thin = {"--thin-sent-error", "1/64", "--json", "-", "-o", folder.file("t.exr")};
  const Outcome run = mpirun(2, kHairball + Arguments{"--capture-format", "half"} + thin);
  ASSERT_EQ(run.code, 0) << run.err;
  for (const char* figure : {"\"sent_error\"", "\"picture_error\"", "\"bytes_sent\""})
    EXPECT_THAT(run.out, HasSubstr(figure));
  const Arguments bytes = {"--capture-format", "rgba8"};
  expectOneLine(mpirun(2, kHairball + bytes + thin), "expected --capture-format half", "t.exr.");
}

TEST_F(DeepRanks, AResultThinnedWithinABoundEqualsThatOfOneProcess) {
  expectAlone(kHairball + Arguments{"--thin-error", "1/64"},
              {{3, {"--split", "morton"}}, {2, {"--rank-memory", "1"}}}, true);
}

TEST_F(DeepRanks, AKilledRankEndsTheRun) {
  const Outcome run = mpirun(3, {"hairball", "--size", "1600x1200", "-o", folder.file("gone.exr")},
                             signalled("KILL"));
  expectOneLine(run, "rank 2: expected to work to the end, found it gone", "gone");
}

TEST_F(DeepRanks, AStoppedRankEndsTheRun) {
  const Outcome run = mpirun(3, {"hairball", "--size", "1600x1200", "-o", folder.file("still.exr")},
                             signalled("STOP"));
  expectOneLine(run, "rank 2: expected a sign of life within 5 s", "still");
}

TEST_F(DeepRanks, AStoppedRankAloneOnItsMachineEndsTheRun) {
  setenv("FATHOM_RANKS_APART", "1", 1);
  const Outcome run = mpirun(3, {"hairball", "--size", "1600x1200", "-o", folder.file("apart.exr")},
                             signalled("STOP"));
  const Outcome well = mpirun(3, kHairball + Arguments{"-o", folder.file("well.exr")});
  unsetenv("FATHOM_RANKS_APART");
  expectOneLine(run, "rank 2: expected a sign of life within 5 s", "apart");
  EXPECT_EQ(well.code, 0) << well.err;
}

TEST_F(DeepRanks, ARankWithOtherInputsEndsTheRun) {
  const Outcome run = mpirun(3, kHairball + Arguments{"-o", folder.file("other.exr")},
                             "exec \"$1\" \"$2\" \"$3\" \"$4\" --size 97x64 -o \"$8\"");
  expectOneLine(run, "rank 2: hairball:strands=300: expected what rank 0 has", "other");
}

TEST_F(DeepRanks, ARankThatReadsSomethingElseOfTheSameNameEndsTheRun) {
  expectOneLine(
      mpirun(2, kHairball + Arguments{"-o", folder.file("seed.exr")},
             "p=$1; shift 4; exec \"$p\" deep composite hairball:strands=300,seed=2 \"$@\""),
      "rank 1: hairball:strands=300,seed=2: expected what rank 0 has (hairball:strands=300), "
      "found hairball:strands=300,seed=2",
      "seed");
  for (const std::string name : {"one", "other"})
    std::filesystem::create_directory(folder.file(name));
  const std::string obj = "mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  DeepImage image = randomImage({.window = {0, 0, 30, 20}, .seed = 1});
  for (const std::string name : {"one/", "other/"}) {
    folder.write(name + "a.obj", obj);
    folder.write(name + "a.mtl", name == "one/" ? "newmtl m\nKd 1 0 0\n" : "newmtl m\nKd 0 1 0\n");
    writeDeepExr(folder.file(name + "a.exr"), image);
    image = randomImage({.window = {0, 0, 30, 20}, .seed = 1, .colors = Colors::Premultiplied});
  }
  for (const std::string file : {"a.obj", "a.exr"}) {
    const Outcome run = mpirun(
        2, {folder.file("one/" + file), "-o", folder.file("stale.exr")},
        fmt::format("exec \"$1\" \"$2\" \"$3\" '{}' -o \"$6\"", folder.file("other/" + file)));
    expectOneLine(run, "of checksum ", "stale");
  }
}

TEST_F(DeepRanks, AWrongCommandLineIsToldOnce) {
  const Arguments twice = {"--size", "97x64"}, out = {"-o", folder.file("wrong.exr")};
  // Of one rank, and of all.
  expectOneLine(mpirun(3, kHairball + out, "exec \"$@\" --size 97x64"),
                "rank 2: deep composite: --size", "wrong");
  expectOneLine(mpirun(3, kHairball + twice + out), "fathom: deep composite: --size", "wrong");
}

TEST_F(DeepRanks, ARankWithoutItsFileEndsTheRun) {
  const Outcome run = mpirun(2, {volumes({0, 0, 30, 20}, 1), "-o", folder.file("lost.exr")},
                             "exec \"$1\" \"$2\" \"$3\" no.exr -o \"$6\"");
  expectOneLine(run, "rank 1: no.exr", "lost");
}

TEST_F(DeepRanks, TooLittleMemoryOnOneRankEndsTheRun) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself does not start in so little memory";
#endif
  const Outcome run = mpirun(2, {"hairball", "--size", "1600x1200", "-o", folder.file("small.exr")},
                             "ulimit -v 700000; exec \"$@\"");
  expectOneLine(run, "rank 1: ", "small");
}

TEST_F(DeepRanks, AFullDiskOnRankZeroEndsTheRun) {
  const Outcome run = mpirun(2, kHairball + Arguments{"--deep", "-o", folder.file("no/where.exr")});
  expectOneLine(run, "where.exr", "where");
}

}  // namespace
}  // namespace fathom::test
