// SPDX-License-Identifier: BSD-3-Clause
// fathom flame render | info | shader | random, run as a user would.
#include "app/engine/flame/genome/io.h"
#include "app/engine/io/picture.h"
#include "tests/flame/genomes.h"
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom::flame {
namespace {

using nlohmann::json;
using test::flameXml;
using test::triangle;

class FlameCommand : public testing::Test {
 protected:
  Outcome render(const std::string& out, const std::vector<std::string>& flags = {}) {
    std::vector<std::string> arguments{"flame", "render", genome_, "-o", out};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return runFathom(arguments);
  }
  void expectRefusal(const std::string& xml, const std::string& part) {
    const std::string file = folder_.write("bad.flame", xml).string();
    const std::string out = folder_.write("old.png", "old").string();
    const Outcome outcome = runFathom({"flame", "render", file, "-o", out});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(StartsWith("fathom: " + file + ": "), HasSubstr(part)));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(readText(out), "old");
  }

  std::string write(const char* name, const std::string& xml) const {
    return folder_.write(name, xml).string();
  }

  TempFolder folder_;
  std::string genome_ = write("t.flame", triangle());
  const std::string two_ =
      "<x>" + triangle() + flameXml(test::kXform, "size='8 6' palette='1'") + "</x>";
};

TEST_F(FlameCommand, RenderWritesTheSamePictureInEveryFormat) {
  for (const char* name : {"a.png", "a.ppm", "a.exr"}) {
    const Outcome outcome = render(folder_.file(name));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
  }
  ASSERT_EQ(render(folder_.file("b.png"), {"--bits", "16"}).code, 0);
  const Image png = readPicture(folder_.file("a.png")).image;
  EXPECT_EQ(png.width, 60);
  EXPECT_EQ(png.pixels, readPicture(folder_.file("a.ppm")).image.pixels);
  const Image fine = readPicture(folder_.file("b.png")).image;
  const Image exr = readPicture(folder_.file("a.exr")).image;
  for (std::size_t i = 0; i < png.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(fine.pixels[i][c], png.pixels[i][c], 0.01);  // as flam3 does, 256 times the level
      EXPECT_NEAR(exr.pixels[i][c], png.pixels[i][c], 0.01);
    }
}

TEST_F(FlameCommand, RenderReportsSamples) {
  const json root =
      jsonOf({"flame", "render", genome_, "-o", folder_.file("a.png"), "--quality", "30"});
  EXPECT_EQ(root["command"], "flame render");
  EXPECT_EQ(root["size"], json::array({60, 40}));
  EXPECT_GE(root["result"]["samples"].get<double>(), 30 * 60 * 40);
  EXPECT_GE(root["result"]["quality"].get<double>(), 30);
  EXPECT_GT(root["result"]["samples_per_second"].get<double>(), 0);
  EXPECT_EQ(root["settings"]["quality"], 30);
  for (const char* phase : {"read", "gpu", "download", "write"})
    EXPECT_TRUE(root["phases_ms"].contains(phase)) << phase;
}

TEST_F(FlameCommand, RenderKeepsTheFramingInAnotherSize) {
  ASSERT_EQ(render(folder_.file("a.png"), {"--size", "120x80"}).code, 0);
  ASSERT_EQ(render(folder_.file("b.png")).code, 0);
  const Image large = readPicture(folder_.file("a.png")).image;
  const Image small = readPicture(folder_.file("b.png")).image;
  ASSERT_EQ(large.width, 120);
  ASSERT_EQ(large.height, 80);
  double largeSum = 0, smallSum = 0;
  for (const glm::vec4& pixel : large.pixels) largeSum += pixel.r / 4;
  for (const glm::vec4& pixel : small.pixels) smallSum += pixel.r;
  EXPECT_NEAR(largeSum / smallSum, 1, 0.2);
}

TEST_F(FlameCommand, RenderWithAlpha) {
  ASSERT_EQ(render(folder_.file("a.png"), {"--transparent"}).code, 0);
  ASSERT_EQ(render(folder_.file("a.exr"), {"--transparent"}).code, 0);
  for (const char* name : {"a.png", "a.exr"}) {
    const Picture picture = readPicture(folder_.file(name));
    EXPECT_TRUE(picture.hasAlpha) << name;
    EXPECT_EQ(picture.image.at(0, 0).a, 0) << name;
  }
  ASSERT_EQ(render(folder_.file("b.png")).code, 0);
  EXPECT_FALSE(readPicture(folder_.file("b.png")).hasAlpha);
  ASSERT_EQ(render(folder_.file("b.exr")).code, 0);
  const Picture over = readPicture(folder_.file("a.exr")),
                opaque = readPicture(folder_.file("b.exr"));
  for (std::size_t i = 0; i < over.image.pixels.size(); ++i)
    EXPECT_EQ(glm::vec3(over.image.pixels[i]), glm::vec3(opaque.image.pixels[i])) << i;
}

TEST_F(FlameCommand, RandomNamesTheFlameThatDrawsNothing) {
  const std::string empty =
      write("empty.flame", "<flame size='9 9'><xform weight='0' linear='1'/></flame>");
  EXPECT_THAT(runFathom({"flame", "random", empty, "-o", folder_.file("m.flame")}).err,
              HasSubstr(empty + ": expected a flame that draws anything"));
}

TEST_F(FlameCommand, RenderNumbersSeveralFlames) {
  genome_ = write("two.flame", two_);
  ASSERT_EQ(render(folder_.file("f-%02d.png")).code, 0);
  EXPECT_EQ(readPicture(folder_.file("f-01.png")).image.width, 60);
  EXPECT_EQ(readPicture(folder_.file("f-02.png")).image.width, 8);
  ASSERT_EQ(render(folder_.file("one.png"), {"--flame", "2"}).code, 0);
  EXPECT_EQ(readPicture(folder_.file("one.png")).image.width, 8);
  const Outcome third = render(folder_.file("one.png"), {"--flame", "3"});
  EXPECT_EQ(third.code, 1);
  EXPECT_THAT(third.err, HasSubstr("expected a flame from 1 to 2, found 3"));
}

/// A folder, with a file of two flames, one that no flame is in, and one that cannot be drawn.
TEST_F(FlameCommand, RenderDrawsFoldersAndNamesWhatItCannotDraw) {
  std::filesystem::create_directories(folder_ / "in");
  folder_.write("in/two.flame", two_);
  folder_.write("in/one.flame", triangle());
  folder_.write("in/notes.txt", "no flame");
  folder_.write("in/profile.small.json", R"({"type": "profile", "width": 8})");
  const std::string out = folder_.file("%n.png");
  outputOf({"flame", "render", folder_.file("in"), "-o", out});
  ASSERT_EQ(render(folder_.file("alone.png")).code, 0);
  for (const char* name : {"one.png", "two-01.png"})
    EXPECT_EQ(readText(folder_.file(name)), readText(folder_.file("alone.png"))) << name;
  EXPECT_EQ(readPicture(folder_.file("two-02.png")).image.width, 8);

  const std::string bad = write("in/a.flame", flameXml(test::kXform, "quality='nan'"));
  std::filesystem::remove(folder_ / "one.png");
  const Outcome outcome =
      runFathom({"flame", "render", folder_.file("in"), "-o", out, "--json", "-"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, StartsWith("fathom: " + fs::path(bad).make_preferred().string() + ": "));
  EXPECT_EQ(readText(folder_.file("one.png")), readText(folder_.file("alone.png")));
  const json result = json::parse(outcome.out)["result"];
  EXPECT_EQ(result["files"], 3);
  EXPECT_EQ(result["flames"], 3);
  EXPECT_EQ(result["failed"], 1);

  EXPECT_EQ(runFathom({"flame", "render", genome_, bad, "-o", folder_.file("x.png")}).code, 2);
  EXPECT_THAT(refusalOf({"flame", "render", bad, folder_.file("in"), "-o", out}),
              HasSubstr("found \"a.flame\" twice"));

  // Of one name and different endings.
  const std::string other = write("one.flam3", triangle());
  outputOf({"flame", "render", folder_.file("in/one.flame"), other, "-o", out});
  for (const char* name : {"one-flame.png", "one-flam3.png"})
    EXPECT_EQ(readText(folder_.file(name)), readText(folder_.file("alone.png"))) << name;
}

/// Frames of another size are drawn again; times beyond the film are named.
TEST_F(FlameCommand, RenderResumes) {
  const std::string out = folder_.file("%n.png"), json_ = folder_.file("r.json");
  const std::string other = write("u.flame", triangle());
  const auto drawn = [&](const std::vector<std::string>& more) {
    std::vector<std::string> flags{other, "--quality", "1", "--json", json_};
    flags.insert(flags.end(), more.begin(), more.end());
    EXPECT_EQ(render(out, flags).code, 0);
    return json::parse(readText(json_))["result"].value("kept", 0);
  };
  EXPECT_EQ(drawn({"--resume"}), 0);
  folder_.write("u.png", "");  // as after a crash of another program
  EXPECT_EQ(drawn({"--resume"}), 1);
  EXPECT_EQ(drawn({"--resume"}), 2);
  EXPECT_EQ(drawn({"--resume", "--size", "30x20"}), 0);
  EXPECT_EQ(drawn({}), 0);
}

TEST_F(FlameCommand, QueueOutlivesWhatEndsAndWritesTheBytesOfRender) {
  const RunOptions home{{"XDG_CONFIG_HOME=" + folder_.file("home")}};
  const auto queue = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"flame", "queue"});
    return runFathom(arguments, home);
  };
  EXPECT_EQ(queue({}).out, "");
  const std::string film =
      write("film.flame", "<x>" + flameXml(test::kXform, "size='8 6' time='0'") +
                              flameXml(test::kXform, "size='8 6' time='2'") + "</x>");
  const std::vector<std::string> asked{"--size", "30x20", "--quality",    "3",
                                       "--seed", "7",     "--transparent"};
  std::vector<std::string> first{genome_, "-o", folder_.file("a.png")};
  first.insert(first.end(), asked.begin(), asked.end());
  const std::string added = queue(first).out;
  EXPECT_THAT(added, HasSubstr("a.png: 30 x 20, 3 samples per pixel, waiting ("));
  EXPECT_EQ(queue({}).out, added) << "under one name from the start";
  const fs::path kept = folder_.path() / "home/fathom/exports";
  for (const auto& entry :
       fs::directory_iterator(kept))  // no process, as its number may come again
    EXPECT_THAT(entry.path().filename().string(), StartsWith("0-"));
  const Outcome twice = queue(first);
  EXPECT_EQ(twice.code, 1);
  EXPECT_THAT(twice.err, HasSubstr("an export that writes it"));
  EXPECT_EQ(queue({genome_, "-o", folder_.file("long.png"), "--quality", "500000"}).code, 0);
  EXPECT_EQ(queue({film, "-o", folder_.file("f.%d.png"), "--quality", "1"}).code, 0);
  EXPECT_EQ(std::ranges::count(queue({}).out, '\n'), 3);
  EXPECT_FALSE(fs::exists(folder_.file("a.png")));

  RunOptions interrupted = home;
  interrupted.killWhenThere = folder_.file("a.png");
  runFathom({"flame", "queue", "--run"}, interrupted);
  EXPECT_THAT(queue({}).out, AllOf(HasSubstr("long.png"), HasSubstr("f.%d.png")));
  ASSERT_EQ(render(folder_.file("b.png"), asked).code, 0);
  EXPECT_EQ(readText(folder_.file("a.png")), readText(folder_.file("b.png")));

  // What is taken back is a file; what cannot be written keeps nothing from the rest.
  for (const auto& entry : fs::directory_iterator(kept))
    if (readText(entry.path()).find("long.png") != std::string::npos) fs::remove(entry.path());
  fs::create_directory(folder_.file("gone"));
  EXPECT_EQ(queue({genome_, "-o", folder_.file("gone/c.png"), "--quality", "1"}).code, 0);
  EXPECT_EQ(queue({genome_, "-o", folder_.file("d.png"), "--quality", "1"}).code, 0);
  fs::remove(folder_.file("gone"));
  const Outcome rest = queue({"--run"});
  EXPECT_EQ(rest.code, 1);
  EXPECT_THAT(rest.err, HasSubstr("gone"));
  EXPECT_THAT(rest.out, AllOf(HasSubstr("f.%d.png"), HasSubstr("d.png"), Not(HasSubstr("c.png"))));
  for (const char* name : {"f.0.png", "f.1.png", "d.png"})
    EXPECT_TRUE(fs::exists(folder_.file(name))) << name;
  EXPECT_EQ(queue({}).out, "");
  EXPECT_EQ(queue({genome_}).code, 2);
  EXPECT_EQ(queue({genome_, "-o", "-"}).code, 2);
}

/// So many samples that xforms take turns, in pieces of a dispatch beside what shows progress.
TEST_F(FlameCommand, LongJobsOfTheQueueHaveTheBytesOfRender) {
  const RunOptions home{{"XDG_CONFIG_HOME=" + folder_.file("home")}};
  const std::string rosette = sourcePath("assets/flame/rosette.flame").string();
  const auto drawn = [&](const char* command, const char* file) {
    const Outcome outcome = runFathom({"flame", command, rosette, "--size", "400x300", "--quality",
                                       "160", "-o", folder_.file(file)},
                                      home);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  };
  drawn("queue", "a.png"), drawn("queue", "b.png"), drawn("render", "c.png");
  EXPECT_EQ(runFathom({"flame", "queue", "--run"}, home).code, 0);
  EXPECT_EQ(readText(folder_.file("a.png")), readText(folder_.file("c.png")));
  EXPECT_EQ(readText(folder_.file("b.png")), readText(folder_.file("c.png")));
}

TEST_F(FlameCommand, SequenceTakesSeveralFiles) {
  const std::string other = write("other.flame", flameXml(test::kXform, "size='8 6'"));
  const auto keyframes = [&](std::vector<std::string> files) {
    files.insert(files.begin(),
                 {"flame", "sequence", "--frames", "4", "-o", folder_.file("film.flame")});
    const Outcome outcome = runFathom(files);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return readGenomes(folder_.file("film.flame")).genomes.size();
  };
  const std::string both =
      write("both.flame", "<x>" + triangle() + flameXml(test::kXform, "size='8 6'") + "</x>");
  EXPECT_EQ(keyframes({genome_, other}), keyframes({both}));
  EXPECT_GT(keyframes({genome_, other}), keyframes({genome_}));
}

TEST_F(FlameCommand, NoVideoIsTransparent) {
  const std::string film =
      write("film.flame", "<x>" + flameXml(test::kXform, "size='8 6' time='0'") +
                              flameXml(test::kXform, "size='8 6' time='2'") + "</x>");
  const Outcome outcome =
      runFathom({"flame", "animate", film, "--transparent", "-o", folder_.file("film.webm")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--transparent: expected images, as .png or .exr, found "));
  EXPECT_FALSE(fs::exists(folder_.file("film.webm")));
}

TEST_F(FlameCommand, AnimateKeepsFramesOfTheSameSize) {
  const std::string film =
      write("film.flame", "<x>" + flameXml(test::kXform, "size='8 6' time='0'") +
                              flameXml(test::kXform, "size='8 6' time='3'") + "</x>");
  const auto animate = [&](const char* size, const char* end) {
    return warningsOf({"flame", "animate", film, "--size", size, "--end", end, "--quality", "1",
                       "-o", folder_.file("f.%d.png")});
  };
  animate("8x6", "2");
  EXPECT_THAT(animate("8x6", "2"), HasSubstr("3 of 3 frames were there and kept"));
  EXPECT_THAT(animate("16x12", "2"), Not(HasSubstr("already")));
  EXPECT_EQ(readPicture(folder_.file("f.2.png")).image.width, 16);
  EXPECT_THAT(animate("16x12", "5"), HasSubstr("expected times from 0 to 3, found 0 to 5"));
  genome_ = film;
  EXPECT_THAT(render(folder_.file("a.png"), {"--time", "9"}).err,
              HasSubstr("expected times from 0 to 3, found 9"));
}

TEST_F(FlameCommand, FormatsNameWhatTheyCannotHold) {
  EXPECT_THAT(render(folder_.file("a.png"), {"--float"}).err,
              HasSubstr("expected .exr for --float"));
  EXPECT_THAT(render(folder_.file("a.ppm"), {"--transparent"}).err,
              HasSubstr("expected .png or .exr for --transparent"));
}

TEST_F(FlameCommand, WrongCommandLines) {
  EXPECT_EQ(render(folder_.file("a.jpg")).code, 2);
  EXPECT_EQ(render(folder_.file("a.png"), {"--bits", "12"}).code, 2);
  EXPECT_EQ(render(folder_.file("a.png"), {"--accumulate", "magic"}).code, 2);
  EXPECT_EQ(runFathom({"flame", "render", genome_}).code, 2);
}

TEST_F(FlameCommand, BadFilesAreOneLine) {
  expectRefusal("", "expected well-formed XML");
  expectRefusal("<flame name='a'", "line 1");
  expectRefusal(flameXml("<xform weight='-1' linear='1'/>", "name='a'"),
                "flame a, xform 1: expected a weight of at least 0, found -1");
  expectRefusal(flameXml(test::kXform + "<color index='0' rgb='1 2 3'/>",
                         "size='1000000 1000000' name='vast'"),
                "flame vast: 1000000 x 1000000 pixels");
  expectRefusal(flameXml(test::kXform, "quality='nan'"), "quality");
}

TEST_F(FlameCommand, WarningsDoNotStop) {
  genome_ = write("w.flame", flameXml("<xform linear='1'/>", "size='8 6'"));
  const Outcome outcome = render(folder_.file("a.png"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("warning"), HasSubstr("the image stays empty")));
  EXPECT_EQ(readPicture(folder_.file("a.png")).image.at(3, 3), glm::vec4(0, 0, 0, 1));
}

TEST_F(FlameCommand, LayersThatAnAnimationHasNotAreNamed) {
  std::string film;
  for (const int time : {0, 1})
    film += flameXml("<layer weight='1'>" + test::kXform + "</layer><layer weight='1'>" +
                         test::kXform + "</layer>",
                     fmt::format("version='JWildfire V9.00' size='8 6' time='{}'", time));
  EXPECT_THAT(warningsOf({"flame", "render", write("film.flame", "<flames>" + film + "</flames>"),
                          "--time", "0.5", "--quality", "1", "-o", folder_.file("a.png")}),
              HasSubstr("layers beside the first are not drawn in animations"));
}

TEST_F(FlameCommand, InfoTellsWhatAGenomeUses) {
  const std::string out = outputOf({"flame", "info", genome_, "--json", folder_.file("i.json")});
  for (const char* part : {"triangle", "60x40", "linear", "33.3 %", "us"})
    EXPECT_THAT(out, HasSubstr(part));
  const json root = json::parse(readText(folder_.file("i.json")));
  EXPECT_EQ(root["result"]["xforms"], 3);
  EXPECT_EQ(root["result"]["samples"], 20.0 * 60 * 40);
}

TEST_F(FlameCommand, InfoTellsTheDialectAndWhatIsLost) {
  const std::string json_ = folder_.file("i.json");
  Outcome outcome = runFathom({"flame", "info", genome_, "--json", json_});
  EXPECT_THAT(outcome.out, Not(HasSubstr("unsupported")));
  EXPECT_THAT(outcome.err, Not(HasSubstr("unsupported")));
  EXPECT_EQ(json::parse(readText(json_))["result"]["lost"], json::array());
  const std::string wild = write(
      "w.flame", flameXml("<xform weight='1' linear='1' svg_wf='1'/><xform weight='1' svg_wf='1' "
                          "julia3D='1'/>",
                          "version='JWildfire V5.0' size='40 30' temporal_samples='1.0'"));
  outcome = runFathom({"flame", "info", wild, "--json", json_});
  EXPECT_THAT(outcome.out, HasSubstr("svg_wf (2 xforms)"));
  const json result = json::parse(readText(json_))["result"];
  EXPECT_EQ(result["dialect"], "jwildfire");
  EXPECT_EQ(result["lost"], json::parse(R"([{"name": "svg_wf", "xforms": 2}])"));
}

TEST_F(FlameCommand, InfoTellsWhatNobodyComparedWithJWildfire) {
  const std::string json_ = folder_.file("i.json");
  const std::string genome =
      write("w.flame", flameXml("<xform weight='1' blob2='1' julia='1'/><xform weight='1' "
                                "text_wf='1' corners='0'/><finalxform perspective='1'/>",
                                "size='40 30'"));
  const std::string out = outputOf({"flame", "info", genome, "--json", json_});
  EXPECT_THAT(out, HasSubstr("beside JWildfire   blob2: not compared\n"));
  EXPECT_THAT(out, HasSubstr("text_wf: not compared but for what it writes"));
  EXPECT_THAT(out, Not(HasSubstr("julia: ")));
  const json list = json::parse(readText(json_))["result"]["beside JWildfire"];
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0], json::parse(R"({"name": "blob2", "how": "not compared"})"));
  EXPECT_EQ(list[1]["name"], "text_wf");
}

TEST_F(FlameCommand, InfoTellsWhatEachFlameLoses) {
  const std::string json_ = folder_.file("i.json");
  const std::string two = write(
      "two.flame", "<flames>" + flameXml(test::kXform, "size='8 6'") +
                       flameXml("<xform weight='1' svg_wf='1'/>", "size='8 6'") + "</flames>");
  EXPECT_THAT(warningsOf({"flame", "info", two, "--json", json_}), HasSubstr("unsupported"));
  const json result = json::parse(readText(json_))["result"];
  EXPECT_EQ(result["flame 1 lost"], json::array());
  EXPECT_EQ(result["flame 2 lost"], json::parse(R"([{"name": "svg_wf", "xforms": 1}])"));
  EXPECT_EQ(result["lost"], result["flame 2 lost"]);
  const auto errors = [&](const char* flame) {
    return runFathom({"flame", "render", two, "-o", folder_.file("two.png"), "--flame", flame}).err;
  };
  EXPECT_THAT(errors("1"), Not(HasSubstr("unsupported")));  // of the second
  EXPECT_THAT(errors("2"), HasSubstr("unsupported"));
}

TEST_F(FlameCommand, PaletteGoesFromFileToFileAndOntoAFlame) {
  const std::string red =
      write("red.ggr", "GIMP Gradient\nName: Red\n1\n0 0.5 1 1 0 0 1 1 0 0 1 0 0\n");
  outputOf({"flame", "palette", red, "-o", folder_.file("red.map")});
  EXPECT_THAT(readText(folder_.file("red.map")), StartsWith("255   0   0\n"));
  const std::string library = sourcePath("assets/flame/palettes.xml").string();
  const std::map<std::string, std::string> firstColors{
      {"", " 76   0   6\n"}, {"#ember", " 76   0   6\n"}, {"#1", "  2  74 104\n"}};
  for (const auto& [part, first] : firstColors) {
    outputOf({"flame", "palette", library + part, "-o", folder_.file("own.map")});
    EXPECT_THAT(readText(folder_.file("own.map")), StartsWith(first)) << part;
  }
  outputOf({"flame", "palette", genome_, "--palette", red, "-o", folder_.file("red.flame")});
  std::vector<Genome> saved = readGenomes(folder_.file("red.flame")).genomes;
  EXPECT_EQ(saved.at(0).palette[0], glm::vec4(1, 0, 0, 1));
  saved[0].palette = readGenomes(genome_).genomes.at(0).palette;
  EXPECT_EQ(saved, readGenomes(genome_).genomes);  // nothing else changes
  EXPECT_EQ(runFathom({"flame", "palette", red, "-o", folder_.file("none.flame")}).code, 1);
  outputOf({"flame", "render", genome_, "--palette", folder_.file("red.map"), "-o",
            folder_.file("red.png")});
  float green = 0, reds = 0;
  for (const glm::vec4& pixel : readPicture(folder_.file("red.png")).image.pixels)
    green += pixel.g, reds += pixel.r;
  EXPECT_EQ(green, 0);
  EXPECT_GT(reds, 0);
}

TEST_F(FlameCommand, InfoOfTheFileAlone) {
  const std::string out = outputOf({"info", genome_});
  for (const char* part : {"Fractal flames", "60 x 40", "triangle", "3"})
    EXPECT_THAT(out, HasSubstr(part));
}

TEST_F(FlameCommand, ShaderHoldsOnlyWhatTheGenomeUses) {
  genome_ = write("s.flame", flameXml("<xform weight='1' swirl='1'/>"));
  const std::string out = outputOf({"flame", "shader", genome_});
  EXPECT_THAT(out, HasSubstr("swirl"));
  EXPECT_THAT(out, Not(HasSubstr("julian")));
  EXPECT_THAT(outputOf({"flame", "shader", genome_, "--whole"}), HasSubstr("#version 450 core"));
}

TEST_F(FlameCommand, RandomWritesGenomesThatRender) {
  const std::string out = folder_.file("r.flame"), again = folder_.file("s.flame");
  outputOf({"flame", "random", "--seed", "7", "--count", "3", "-o", out});
  outputOf({"flame", "random", "--seed", "7", "--count", "3", "-o", again});
  EXPECT_EQ(readText(out), readText(again));
  EXPECT_EQ(readGenomes(out).genomes.size(), 3u);
  genome_ = out;
  ASSERT_EQ(render(folder_.file("r.png"), {"--size", "40x30", "--quality", "5"}).code, 0);
  outputOf({"flame", "random", genome_, "--count", "3", "-o", again});
  std::set<std::string> names;
  for (const Genome& mutation : readGenomes(again).genomes) names.insert(mutation.name);
  EXPECT_EQ(names.size(), 3u) << "each has a name of its own";
}

}  // namespace
}  // namespace fathom::flame
