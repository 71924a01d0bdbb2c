// SPDX-License-Identifier: BSD-3-Clause
// fathom flame with files of cuburn: pictures, films that go on where they stopped, moments as
// genomes, and what is said of wrong ones.
#include "app/engine/flame/genome/io.h"
#include "tests/flame/cuburn/cuburn_files.h"
#include "tests/flame/genomes.h"
#include "tests/support/program.h"

namespace fathom::flame {
namespace {

using namespace fathom::flame::test;

class CuburnCommand : public testing::Test {
 protected:
  CuburnCommand() {
    folder.write("a.json", triangleJson());
    folder.write("b.json", triangleJson(R"(, "camera.rotation": 90)", paletteJson(kBlue)));
    folder.write("profile.small.json", kProfile);
    folder.write("edge.a=b.json", edgeJson("a@0.25", "b@-0.25", R"(, "blend": {"duration": 0.5})"));
  }
  std::vector<std::string> animate(const std::string& file) {
    return {"flame", "animate", file, "--film", profile, "-o", folder.file("f.%02d.png")};
  }
  std::size_t frameCount() const {
    std::size_t count = 0;
    for (const std::string& name : folder.names()) count += name.ends_with(".png");
    return count;
  }
  TempFolder folder;
  const std::string edge = folder.file("edge.a=b.json"),
                    profile = folder.file("profile.small.json");
};

TEST_F(CuburnCommand, DrawsTheBeginningOfANode) {
  const std::string out = folder.file("a.ppm");
  EXPECT_EQ(warningsOf({"flame", "render", folder.file("a.json"), "--quality", "10", "--size",
                        "60x40", "-o", out}),
            "");
  EXPECT_THAT(readText(out), StartsWith("P6"));
  EXPECT_THAT(readText(out).substr(0, 16), HasSubstr("60 40"));
  runFathom({"flame", "render", edge, "--film", profile, "-o", out});
  EXPECT_THAT(readText(out).substr(0, 16), HasSubstr("48 32")) << "the profile's size";
}

TEST_F(CuburnCommand, AFrameIsTheSameAloneAndInTheFilm) {
  runFathom(animate(edge));
  const std::string whole = readText(folder / "f.02.png");
  std::vector<std::string> call = animate(edge);
  call.insert(call.end(), {"--begin", "2", "--end", "2", "--again"});
  outputOf(call);
  EXPECT_EQ(readText(folder / "f.02.png"), whole);
}

TEST_F(CuburnCommand, ANodeMovesAsItsFlameInALoop) {
  const auto asset = [](const char* name) {
    return sourcePath(std::string("assets/flame/") + name).string();
  };
  const std::vector<std::string> look{"--size",        "64x48", "--quality", "400",
                                      "--supersample", "2",     "--again"};
  const auto draw = [&](std::vector<std::string> call) {
    call.insert(call.end(), look.begin(), look.end());
    outputOf(call);
  };
  draw({"flame", "animate", asset("corona.json"), "--film", profile, "-o",
        folder.file("node.%d.png"), "--end", "1", "--seed", "1"});
  draw({"flame", "animate", asset("corona.flame"), "--sequence", "8", "-o",
        folder.file("loop.%d.png"), "--begin", "0.5", "--end", "0.5", "--seed", "2"});
  const auto compare = [&](const char* frame) {
    return runFathom(
        {"compare", folder.file(frame), folder.file("loop.0.png"), "--fail-psnr-below", "40"});
  };
  EXPECT_EQ(compare("node.0.png").code, 0) << compare("node.0.png").out;
  EXPECT_EQ(compare("node.1.png").code, 3) << "the next frame is another";
}

TEST_F(CuburnCommand, FreezesAMomentAsAGenome) {
  const std::string out = folder.file("moment.flame");
  outputOf({"flame", "freeze", edge, "--film", profile, "--at", "1.5", "-o", out});
  const Genome genome = readGenomes(out).genomes.at(0);
  EXPECT_EQ(genome.name, "triangle to triangle");
  EXPECT_EQ(genome.time, 1.5);
  EXPECT_NEAR(genome.rotate, 45, 1e-9);
  EXPECT_EQ(genome.xforms.size(), 3u);
  outputOf({"flame", "freeze", out, "-o", folder.file("again.flame")});
}

TEST_F(CuburnCommand, InfoNamesFramesAndPairs) {
  const std::string out = outputOf({"flame", "info", edge, "--film", profile});
  for (const char* part :
       {"edge: triangle to triangle", "frames             4", "0 becomes ", "48x32"})
    EXPECT_THAT(out, HasSubstr(part));
}

TEST_F(CuburnCommand, NamesFiltersThatAreLeftOut) {
  const std::string file =
      folder.write("c.json", triangleJson(R"(, "filters.haloclip.gamma": 2)")).string();
  EXPECT_THAT(warningsOf({"flame", "info", file}),
              HasSubstr("c.json: expected filters logscale, colorclip and de, found "
                        "haloclip too, left out"));
}

TEST_F(CuburnCommand, WhatIsWrongIsSaid) {
  const auto expect = [](const std::vector<std::string>& call, int code, const std::string& part) {
    EXPECT_THAT(refusalOf(call, code), HasSubstr(part));
  };
  const std::string cut = folder.write("cut.json", triangleJson().substr(0, 900)).string();
  expect({"flame", "info", cut}, 1, "cut.json: expected JSON");
  expect({"flame", "info", folder.write("x.json", "<flame/>").string()}, 1, "expected JSON");
  expect({"flame", "render", profile, "-o", folder.file("p.png")}, 1, "found \"profile\"");
  expect({"flame", "info", profile}, 1, "found \"profile\"");
  expect({"flame", "info", folder.write("e.json", edgeJson("a", "none")).string()}, 1,
         "\"link.dst\": expected \"none.json\"");
  const std::string flam3 = folder.write("t.flame", triangle()).string();
  expect({"flame", "info", flam3, "--film", profile}, 2, "--film: expected a node");
  expect({"flame", "info", edge, "--film", folder.file("a.json")}, 1, "expected \"profile\"");
}

}  // namespace
}  // namespace fathom::flame
