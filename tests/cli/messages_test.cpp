// SPDX-License-Identifier: BSD-3-Clause
// Mistakes on the command line and in files: one line on standard error, the right exit code,
// nothing on standard output.
#include "app/engine/gpu/shader_loader.h"
#include "tests/support/program.h"

namespace fathom {
namespace {

void expectRefusal(const Outcome& outcome, int code, const std::string& part) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("fathom: ", 0), 0u) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(part));
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
      {{"flatten", "a.exr"}, "did you mean \"deep flatten\"?"},
      {{"deep", "flat", "a.exr"}, "did you mean \"flatten\"?"},
      {{"deep", "render"}, "did you mean \"dof render\" or "},
      {{"xyzzyplugh"}, "fathom --help"},  // none is near
      {{"deep"}, "capture, merge"},       // a technique without one of its words
      {flatten({"--mehtod", "rbm"}), "did you mean \"--method\"?"},
      {flatten({"--method", "magic"}), "--method: expected one of"},
      {flatten({"--set", "mehtod=rbm"}), "did you mean \"method\"?"},
      {flatten({"--set", "method"}), "expected NAME=VALUE"},
      {{"deep", "flatten", "--set", "layout=la", "planes"}, "--output PATH"},  // planes is an input
      {{"deep", "merge", "-o", "x.exr"}, "found 0"},
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

// The cases of a review of 60 messages: each names the file or the flag, and says in the user's
// words what was expected and found, or what to do.
TEST(Messages, SayWhatWasExpectedAndFound) {
  const TempFolder folder;
  folder.write("bad.exr", "hello-not-an-image\n");
  folder.write("empty.exr", "");
  folder.write("bad.png", "hello\n");
  folder.write("bad.json", "{\"a\": 1}\n");
  folder.write("lens.json", "x{\n");
  folder.write("bad.obj", "v 0 0 0\nf 1 2 3\n");
  folder.write("bad.flame", "<flame><xform\n");
  const auto file = [&](const char* name) { return folder.file(name); };
  const std::string flame = (gpu::shaderRoot() / "assets/flame/corona.flame").string();
  const std::string library = (gpu::shaderRoot() / "assets/flame/palettes.xml").string();
  const std::string model = (gpu::shaderRoot() / "assets/smoe/light-field.smoe").string();
  runFathom({"deep", "capture", "planes:count=2", "--size", "16x16", "-o", file("d.exr")});
  runFathom({"deep", "flatten", file("d.exr"), "-o", file("p.png")});
  using Arguments = std::vector<std::string>;
  const std::pair<Arguments, std::string> cases[] = {
      {{"deep", "merge", file("no.exr"), "-o", "x.exr"}, "no.exr: no such file"},
      {{"deep", "merge", file("bad.exr"), "-o", "x.exr"}, "an EXR file, found a text file"},
      {{"deep", "merge", file("empty.exr"), "-o", "x.exr"}, "an EXR file, found an empty file"},
      {{"deep", "flatten", file("p.png"), "-o", "x.png"}, "or one scene, found a PNG image"},
      {{"deep", "flatten", "planes"}, "expected --output PATH"},
      {{"deep", "flatten", "planes", "-o", "x.jpg"},
       "ends in .exr or .png or .tif or .tiff or .dpx, found \".jpg\""},
      {{"deep", "flatten", "planes", "-o", "/none/x.png"}, "the folder /none to exist"},
      {{"deep", "flatten", "plans", "-o", "x.png"},
       "no such file or scene, did you mean \"planes\""},
      {{"deep", "flatten", "planes", "--thin", "-3", "-o", "x.png"},
       "a whole number from 0 to 1024"},
      {{"deep", "merge", file("d.exr"), "--roles", "holdout", "-o", "x.exr"},
       "add, hold-out or hold-in"},
      {{"deep", "inspect", file("d.exr"), "--pixel", "500,1"},
       "a pixel from 0,0 to 15,15, found 500,1"},
      {{"deep", "inspect", file("d.exr"), "--pixel", "5"}, "two whole numbers like 640,360"},
      {{"deep", "flatten", file("d.exr"), "--peel", "3:1", "-o", "x.png"}, "NEAR:FAR, found"},
      {{"deep", "run", file("d.exr"), "--do", "drop Z", "-o", "x.exr"}, "\"Z\" to stay"},
      {{"deep", "flatten", file("d.exr"), "-o", "x.##.png"}, "expected --frames, as no input"},
      {{"deep", "flatten", file("d.exr"), "-o", "-", "--json", "-"}, "--json -: expected a file"},
      {{"deep", "flatten", file("d.exr"), "--max-memory", "1", "-o", "x.png"},
       "--max-memory: expected a number from 32 to"},
      {{"deep", "expression", file("d.exr"), "--expression", "R = Q", "-o", "x.exr"}, "Q"},
      {{"deep", "recolor", file("d.exr"), "-o", "x.exr"}, "then the flat image; found 1 input"},
      {{"deep", "cryptomatte", file("d.exr"), "-o", "x.exr"}, "an integer ID channel, found none"},
      {{"deep", "resize", file("d.exr"), "-o", "x.exr"}, "either --size or --scale, found neither"},
      {{"deep", "flatten", "planes:foo=1", "-o", "x.png"}, "a parameter out of"},
      {{"deep", "flatten", file("d.exr"), "--ids", "tree*", "-o", "x.png"},
       "found channels A, B, G, R, Z"},
      {{"deep", "flatten", file("d.exr"), "--part", "left", "-o", "x.png"},
       "a part named \"left\""},
      {{"deep", "capture", "planes", "--part", "1", "-o", "x.exr"}, "write SCENE#PART"},
      {{"deep", "flatten", file("bad.obj"), "-o", "x.png"}, "a vertex index from 1 to 1 in line 2"},
      {{"flame", "render", file("bad.flame"), "-o", "x.png"},
       "XML with <flame> elements, found line"},
      {{"flame", "render", file("p.png"), "-o", "x.png"},
       "flam3 genomes, or a node or edge of cuburn"},
      {{"flame", "render", file("bad.json"), "-o", "x.png"}, "expected \"node\""},
      {{"flame", "render", flame, "--flame", "3", "-o", "x.png"}, "a flame from 1 to 1, found 3"},
      {{"flame", "animate", flame, "-o", "x.png"}, "expected %d in the name"},
      {{"flame", "palette", file("p.png"), "-o", "x.map"},
       "a genome, or a palette of another program"},
      {{"flame", "palette", library + "#65", "-o", "x.map"},
       "a palette from 0 to 63 or its name, found \"65\""},
      {{"flame", "random", "--seed", "99999999999999999999", "-o", "x.flame"}, "0 to 2^64 - 1"},
      {{"flame", "freeze", flame, "--at", "3", "-o", "x.flame"},
       "ascending times, found one flame"},
      {{"smoe", "render", file("p.png"), "-o", "x.png"},
       "a model in a .smoe file, found a PNG image"},
      {{"smoe", "fit", file("bad.png"), "-o", "x.smoe"}, "or flat EXR, found a text file"},
      {{"smoe", "fit", file("p.png"), "-k", "0", "-o", "x.smoe"}, "from 1 to 1000000, found \"0\""},
      {{"smoe", "render", model, "--view", "0,0", "-o", "x.%d.png"},
       "--view: expected one file in"},
      {{"smoe", "render", model, "--view", "9,9", "-o", "x.png"},
       "--beyond=on allows three steps more"},
      {{"dof", "render", file("p.png"), "-o", "x.png"},
       "or a depth image as second input, found one image"},
      {{"dof", "render", "planes", "--variant", "foo", "-o", "x.png"}, "expected 9 names like"},
      {{"dof", "render", "planes", "--focus", "3-5", "-o", "x.png"},
       "--focus: expected FROM:TO@FIRST-LAST"},
      {{"dof", "render", "planes", "--lens", file("lens.json"), "-o", "x.png"},
       "lens.json: expected JSON"},
      {{"dof", "render", file("d.exr"), "--operator", "lens", "-o", "x.png"},
       "a scene for operator lens"},
      {{"active-pixel", "decode", file("p.png"), "-o", "x.exr"}, "a .icet file"},
      {{"active-pixel", "composite", "none", "-o", "x.png"}, "none: no such file or scene"},
      {{"bench", "nosuch"}, "`fathom bench --list` names all"},
      {{"bench", "deep.composite", "--sweep", "foo=1"},
       "--sweep: expected a setting of these benches, found \"foo\""},
      {{"tune", "smoe"}, "\"smoe\" cannot be tuned, only deep and dof"},
      {{"report", file("bad.json"), "-o", "x.html"}, "expected a bench file"},
      {{"compare", file("bad.png"), file("p.png")}, "bad.png: expected"},
      {{"compare", file("p.png"), file("p.png"), "--fail-psnr-below", "x"},
       "expected a number, found \"x\""}};
  for (const auto& [arguments, part] : cases) {
    SCOPED_TRACE(fmt::format("fathom {}", fmt::join(arguments, " ")));
    const Outcome outcome = runFathom(arguments);
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
}

// A setting that a command does not use is said.
TEST(Settings, WithoutEffectAreSaid) {
  const TempFolder folder;
  const std::string model = (gpu::shaderRoot() / "assets/smoe/light-field.smoe").string();
  const std::string out = folder.file("x.png");
  EXPECT_THAT(
      runFathom({"deep", "flatten", "planes", "--size", "8x8", "--point-size", "3", "-o", out}).err,
      HasSubstr("--point-size: ignored, only points"));
  EXPECT_THAT(
      runFathom({"smoe", "render", model, "--size", "8x8", "--components", "5", "-o", out}).err,
      HasSubstr("--components: ignored, only fits use it"));
  EXPECT_EQ(
      runFathom({"deep", "flatten", "planes", "--size", "8x8", "--layout", "la", "-o", out}).err,
      "");
}

TEST(Device, MissingIsExitCode77) {
  // Neither EGL nor a display: no vendor of EGL, no X server.
  const RunOptions none{.environment = {"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json",
                                        "DISPLAY", "WAYLAND_DISPLAY"}};
  expectRefusal(runFathom({"info"}, none), 77, "OpenGL 4.5");
  expectRefusal(runFathom({"view", "planes", "--frames", "1", "--hidden"}, none), 77, "OpenGL 4.5");
}

class Files : public FolderTest {};

TEST_F(Files, WhatTheySayDoesNotReachTheTerminalAsItIs) {
  const std::string lens = folder.file("\xff.json");
  std::ofstream(lens) << "{\"\033]0;owned\a\": 1}";
  const Outcome outcome =
      runFathom({"dof", "render", "planes", "--lens", lens, "-o", folder.file("a.png")});
  expectRefusal(outcome, 1, "\\xff.json: expected");
  EXPECT_EQ(outcome.err.find_first_of("\033\a"), std::string::npos) << outcome.err;
  expectRefusal(runFathom({"info", "a\nb.exr"}), 1, "a\\nb.exr: ");
}

TEST_F(Files, PipesAreRefused) {
  ASSERT_EQ(std::system(("mkfifo " + folder.file("pipe.obj")).c_str()), 0);
  expectRefusal(runFathom({"info", folder.file("pipe.obj")}), 1, "found a pipe or a device");
}

TEST(Quiet, LeavesOnlyErrors) {
  const TempFolder folder;
  EXPECT_EQ(warningsOf({"deep", "flatten", "planes:count=8,spheres=2", "--size", "32x32", "-o",
                        folder.file("a.exr"), "--quiet"}),
            "");
}

}  // namespace
}  // namespace fathom
