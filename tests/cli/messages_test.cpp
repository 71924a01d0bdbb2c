// SPDX-License-Identifier: BSD-3-Clause
// Mistakes on the command line and in files: one line on standard error, the right exit code,
// nothing on standard output.
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <sys/stat.h>

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

TEST(CommandLine, IsRefusedWithWhatWasExpected) {
  using Arguments = std::vector<std::string>;
  const auto flatten = [](Arguments more) {
    Arguments all{"deep", "flatten", "planes", "-o", "x.exr"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::pair<Arguments, std::string> cases[] = {
      {{"comapre"}, "did you mean \"compare\"?"},  // the nearest word
      {{"deep", "mrege"}, "did you mean \"merge\"?"},
      {{"xyzzyplugh"}, "fathom --help"},  // none is near
      {{"deep"}, "capture, merge"},       // a technique without one of its words
      {flatten({"--mehtod", "rbm"}), "did you mean \"--method\"?"},
      {flatten({"--method", "magic"}), "--method: expected one of"},
      {flatten({"--set", "mehtod=rbm"}), "did you mean \"method\"?"},
      {flatten({"--set", "method"}), "expected NAME=VALUE"},
      {{"deep", "merge", "-o", "x.exr"}, "found 0"},
      {{"deep", "merge", "a.exr", "b.exr"}, "expected --output"},
      {{"deep", "merge", "a.exr", "b.exr", "-o", "x.png"}, "ends in .exr"},
      {flatten({"--size", "0x5"}), "--size"},
      {flatten({"--size", "12"}), "--size"},
      {flatten({"--size", "5x"}), "--size"},
      {flatten({"--size", "-4x4"}), "--size"},
      {flatten({"--size", "4x4x4"}), "--size"},
      {flatten({"--size", "99999999x1"}), "--size"},
      {flatten({"--json", "./x.exr"}), "a file of its own"},
      {{"info", "--backend", "vulkan"}, "auto, window or egl"}};
  for (const auto& [arguments, part] : cases) {
    SCOPED_TRACE(fmt::format("fathom {}", fmt::join(arguments, " ")));
    expectRefusal(runFathom(arguments), 2, part);
  }
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

// What one mistypes or mixes up, and what the program says: in the user's words, with the next
// step.
TEST(Files, ThatDoNotFitAreNamedInTheUsersTerms) {
  const TempFolder folder;
  const std::string png = folder.file("p.png"), none = folder.file("none.exr");
  std::ofstream(png, std::ios::binary) << "\x89PNG\r\n\x1a\n";
  using Arguments = std::vector<std::string>;
  const std::tuple<Arguments, int, std::string> cases[] = {
      {{"deep", "flatten", "atrim", "-o", folder.file("o.png")},
       1,
       "atrim: no such file or scene, did you mean \"atrium\"?"},
      {{"deep", "merge", none, "-o", folder.file("o.exr")}, 1, none + ": no such file"},
      {{"deep", "flatten", png, "-o", folder.file("o.exr")},
       1,
       png + ": expected deep EXR files, or one scene, found a PNG image"},
      {{"flame", "render", png, "-o", folder.file("o.png")},
       1,
       png + ": expected a file of flam3 genomes, or a node or edge of cuburn, found a PNG image"},
      {{"smoe", "render", png, "-o", folder.file("o.png")},
       1,
       png + ": expected a model in a .smoe file, found a PNG image"},
      {{"active-pixel", "decode", png, "-o", folder.file("o.exr")}, 1, "found a PNG image"},
      {{"flame", "palette", png, "-o", folder.file("o.map")}, 1, "found a PNG image"},
      {{"active-pixel", "composite", "nowhere", "-o", folder.file("o.png")},
       1,
       "nowhere: no such file or scene"},
      {{"deep", "merge", "-o", "o.exr"},
       2,
       "expected deep EXR files, or one scene; found 0 inputs"},
      {{"deep", "recolor", "a.exr", "-o", "o.exr"},
       2,
       "expected deep EXR files, then the flat image; found 1 input"},
      {{"report", none}, 1, none + ": no such file"},
      {{"tune", "foo"}, 2, "\"foo\" cannot be tuned, only deep and dof"},
      {{"compare", png, png, "--fail-psnr-below", "x"},
       2,
       "--fail-psnr-below: expected a number, found \"x\""}};
  for (const auto& [arguments, code, part] : cases) {
    SCOPED_TRACE(fmt::format("fathom {}", fmt::join(arguments, " ")));
    expectRefusal(runFathom(arguments), code, part);
  }
}

TEST(Files, OfNoKnownKindAreNamed) {
  const TempFolder folder;
  const std::string file = folder.file("notes.txt");
  std::ofstream(file) << "not a picture\n";
  expectRefusal(runFathom({"info", file}), 1, file + ": expected");
  expectRefusal(runFathom({"compare", file, file}), 1, file + ": expected");
}

TEST(Files, WhatTheySayDoesNotReachTheTerminalAsItIs) {
  const TempFolder folder;
  const std::string lens = folder.file("\xff.json");
  std::ofstream(lens) << "{\"\033]0;owned\a\": 1}";
  const Outcome outcome =
      runFathom({"dof", "render", "planes", "--lens", lens, "-o", folder.file("a.png")});
  expectRefusal(outcome, 1, "\\xff.json: expected");
  EXPECT_EQ(outcome.err.find_first_of("\033\a"), std::string::npos) << outcome.err;
  expectRefusal(runFathom({"info", "a\nb.exr"}), 1, "a\\nb.exr: ");
}

TEST(Files, PipesAreRefused) {
  const TempFolder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe.obj").c_str(), 0600), 0);
  expectRefusal(runFathom({"info", folder.file("pipe.obj")}), 1, "found a pipe or a device");
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
