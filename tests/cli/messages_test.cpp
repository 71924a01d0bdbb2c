// SPDX-License-Identifier: BSD-3-Clause
// Mistakes on the command line and in files: one line on standard error, the right exit code,
// nothing on standard output.
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace fathom {
namespace {

using test::Outcome;
using test::runFathom;
using test::TempFolder;

void expectRefusal(const Outcome& outcome, int code, const std::string& part) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("fathom: ", 0), 0u) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

TEST(CommandLine, OffersTheNearestWord) {
  expectRefusal(runFathom({"comapre"}), 2, "did you mean \"compare\"?");
  expectRefusal(runFathom({"deep", "mrege"}), 2, "did you mean \"merge\"?");
}

TEST(CommandLine, PointsToTheHelpWhenNoWordIsNear) {
  expectRefusal(runFathom({"xyzzyplugh"}), 2, "fathom --help");
}

TEST(CommandLine, NamesTheWordsOfATechniqueThatLacksOne) {
  expectRefusal(runFathom({"deep"}), 2, "capture, merge");
}

TEST(CommandLine, OffersTheNearestFlag) {
  expectRefusal(runFathom({"deep", "flatten", "planes", "-o", "x.exr", "--mehtod", "rbm"}), 2,
                "did you mean \"--method\"?");
}

TEST(CommandLine, NamesTheRangeOfASetting) {
  expectRefusal(runFathom({"deep", "flatten", "planes", "-o", "x.exr", "--method", "magic"}), 2,
                "--method: expected one of");
}

TEST(CommandLine, NamesAnUnknownSetting) {
  expectRefusal(runFathom({"deep", "flatten", "planes", "-o", "x.exr", "--set", "mehtod=rbm"}), 2,
                "did you mean \"method\"?");
  expectRefusal(runFathom({"deep", "flatten", "planes", "-o", "x.exr", "--set", "method"}), 2,
                "expected NAME=VALUE");
}

TEST(CommandLine, WantsInputsAndOutput) {
  expectRefusal(runFathom({"deep", "merge", "-o", "x.exr"}), 2, "found 0");
  expectRefusal(runFathom({"deep", "merge", "a.exr", "b.exr"}), 2, "expected --output");
}

TEST(CommandLine, WantsAKnownEnding) {
  expectRefusal(runFathom({"deep", "merge", "a.exr", "b.exr", "-o", "x.png"}), 2, "ends in .exr");
}

TEST(CommandLine, WantsASensibleSize) {
  for (const char* size : {"0x5", "12", "5x", "-4x4", "4x4x4", "99999999x1"})
    expectRefusal(runFathom({"deep", "flatten", "planes", "-o", "x.exr", "--size", size}), 2,
                  "--size");
}

TEST(CommandLine, WantsAKnownBackend) {
  expectRefusal(runFathom({"info", "--backend", "vulkan"}), 2, "auto, window or egl");
}

TEST(Device, MissingIsExitCode77) {
  // Neither EGL nor a display: no vendor of EGL, no X server.
  test::RunOptions none;
  none.environment = {"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json", "DISPLAY",
                      "WAYLAND_DISPLAY"};
  expectRefusal(runFathom({"info"}, none), 77, "OpenGL 4.5");
  expectRefusal(runFathom({"view", "planes", "--frames", "1", "--hidden"}, none), 77, "OpenGL 4.5");
}

TEST(Files, MissingOneIsNamed) {
  expectRefusal(runFathom({"info", "nowhere.exr"}), 1, "nowhere.exr: ");
  expectRefusal(runFathom({"deep", "flatten", "nowhere.exr", "-o", "x.exr"}), 1, "nowhere.exr: ");
}

TEST(Files, OfNoKnownKindAreNamed) {
  const TempFolder folder;
  const std::string file = folder.file("notes.txt");
  std::ofstream(file) << "not a picture\n";
  expectRefusal(runFathom({"info", file}), 1, file + ": expected");
  expectRefusal(runFathom({"compare", file, file}), 1, file + ": expected");
}

TEST(Quiet, LeavesOnlyErrors) {
  const TempFolder folder;
  const Outcome outcome = runFathom({"deep", "flatten", "planes:count=8,spheres=2", "--size",
                                     "32x32", "-o", folder.file("a.exr"), "--quiet"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace fathom
