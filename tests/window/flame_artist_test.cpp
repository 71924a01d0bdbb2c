// SPDX-License-Identifier: BSD-3-Clause
// What an artist does in a day with flames, by clicks and keys, and what the file says afterwards.
#include "app/engine/io/picture.h"
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class FlameArtistTest : public FlameTest {
 protected:
  /// The file after Save, in place of what was opened.
  std::string saved() {
    const std::string before = readText(folder / "test.flame");
    screen.key("ctrl+s");
    screen.clickOn("browser:ok", "browser:replace");
    Screen::eventually([&] { return readText(folder / "test.flame") != before; });
    screen.goes("message:note");  // over the picture
    picture();
    return readText(folder / "test.flame");
  }
  /// Triangles over the picture tell which xform is selected.
  std::vector<std::uint8_t> withoutTriangles() {
    screen.key("w");
    return picture();
  }
  static std::size_t countOf(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++count;
    return count;
  }
  void clip(const std::string& text) {
    screen.run({"xclip", "-selection", "clipboard", "-i", folder.write("clip.txt", text).string()});
  }
  std::string clipped() { return screen.run({"xclip", "-selection", "clipboard", "-o"}).out; }
  void clickWith(const std::string& modifier, const std::string& landmark) {
    screen.keyDown(modifier);
    screen.clickOn(landmark);
    screen.keyUp(modifier);
    screen.settle();
  }
};

TEST_F(FlameArtistTest, AnXformFromAForumIsPasted) {
  const auto first = withoutTriangles();
  clip(
      "<xform weight=\"0.8\" color=\"0.2\" spherical=\"0.3\" name=\"posted\" "
      "coefs=\"0.6 0.2 -0.2 0.6 0.1 0.4\" chaos=\"1 0\"/>");
  screen.key("ctrl+v");
  const auto pasted = picture();
  EXPECT_NE(pasted, first);
  EXPECT_TRUE(screen.has("xform-row:4"));
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), first);
  screen.key("ctrl+y");
  const std::string file = saved();
  EXPECT_EQ(countOf(file, "<xform "), 4u);
  EXPECT_THAT(file, HasSubstr("name=\"posted\""));
  clip("no flame at all");
  screen.clickOn("xforms:xml", "xml:paste");
  EXPECT_TRUE(screen.comes("xml:problem"));
  EXPECT_TRUE(screen.has("xform-row:4"));
  EXPECT_FALSE(screen.has("xform-row:5"));
}

TEST_F(FlameArtistTest, AFlameIsCopiedForOthersAndOneOfTheirsIsPasted) {
  screen.clickOn("xforms:xml", "xml:copy-flame");
  screen.settle();
  const std::string copied = clipped();
  EXPECT_THAT(copied, HasSubstr("<flame "));
  EXPECT_EQ(countOf(copied, "<xform "), 3u);
  clickWith("ctrl", "xform-row:2");
  screen.clickOn("xforms:xml", "xml:copy-xforms");
  screen.settle();
  EXPECT_EQ(countOf(clipped(), "<xform "), 2u);
  EXPECT_EQ(clipped().find("<flame"), std::string::npos);
  const auto first = withoutTriangles();
  clip(
      "<flame name=\"theirs\" size=\"200 200\" scale=\"60\" quality=\"20\" brightness=\"20\">"
      "<xform weight=\"1\" julia=\"1\" coefs=\"1 0 0 1 0.3 0.2\"/>"
      "<color index=\"0\" rgb=\"255 255 255\"/></flame>");
  screen.key("ctrl+v");
  EXPECT_NE(picture(), first);
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), first);
}

TEST_F(FlameArtistTest, SeveralXformsTurnByAnAngle) {
  clickWith("ctrl", "xform-row:3");
  screen.scrollTo("coefs:angle");
  screen.clickOn("coefs:angle");
  screen.settle();
  screen.key("ctrl+a");
  screen.type("90");
  screen.key("Return");
  screen.settle();
  screen.clickOn("coefs:turn");
  screen.settle();
  const std::string turned = saved();
  EXPECT_EQ(countOf(turned, "0.5 -0.5 "), 2u) << turned;  // both by a quarter turn
  EXPECT_EQ(countOf(turned, "coefs=\"0.5 0 0 0.5 0.5 0\""), 1u) << turned;
}

TEST_F(FlameArtistTest, AStopOfTheGradientIsDraggedAndColored) {
  screen.clickOn("side=Palette");
  const auto first = picture();
  const Place stops = screen.place("palette:stops");
  const int y = stops.y + stops.height / 2;
  // The fourth of eight stops, to the right; then a new one.
  screen.drag(stops.x + stops.width * 3 / 7, y, stops.x + stops.width * 3 / 7 + 30, y);
  const auto moved = picture();
  EXPECT_NE(moved, first);
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), first);
  screen.key("ctrl+y");
  EXPECT_EQ(picture(), moved);
  screen.clickAt({stops.x + stops.width / 14, y});
  EXPECT_EQ(picture(), moved) << "a stop of the color that is there changes nothing";
  const Place row = screen.place("row:Position");
  screen.drag(row.x + 20, row.y + 8, row.x + 60, row.y + 8);
  const auto added = picture();
  EXPECT_NE(added, moved);
  // The same by a click in the bar.
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), moved);
  screen.clickAt({stops.x + stops.width / 14, y});
  screen.drag(row.x + 20, row.y + 8, row.x + 60, row.y + 8);
  const auto again = picture();
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), moved);
  screen.clickAt({stops.x + stops.width / 14, screen.middleOf("palette:strip").y});
  screen.drag(row.x + 20, row.y + 8, row.x + 60, row.y + 8);
  EXPECT_EQ(picture(), again);
}

TEST_F(FlameArtistTest, ColorsAreRotatedAndContrasted) {
  screen.clickOn("side=Palette");
  auto last = picture();
  for (const char* name : {"row:Contrast", "row:Rotate", "row:Blur", "row:Frequency"}) {
    screen.scrollTo(name);
    const Place row = screen.place(name);
    screen.drag(row.x + 20, row.y + 8, row.x + 140, row.y + 8);
    const auto now = picture();
    EXPECT_NE(now, last) << name;
    last = now;
  }
}

TEST_F(FlameArtistTest, SymmetryAndAFinalXformAreAdded) {
  const auto first = withoutTriangles();
  screen.clickOn("xforms:symmetry", "symmetry:add");  // three turns
  const auto turned = picture();
  EXPECT_NE(turned, first);
  EXPECT_TRUE(screen.has("xform-row:5"));
  screen.clickOn("xforms:final");
  EXPECT_TRUE(screen.comes("xform-row:final"));
  screen.key("ctrl+z", "ctrl+z");
  EXPECT_EQ(picture(), first);
  screen.key("ctrl+y", "ctrl+y");
  EXPECT_TRUE(screen.comes("xform-row:final"));
  const std::string file = saved();
  EXPECT_EQ(countOf(file, "<xform "), 5u);
  EXPECT_EQ(countOf(file, "<finalxform "), 1u);
}

TEST_F(FlameArtistTest, AMutationKeepsItsFraming) {
  // Beside what it draws, which a mutation brings into the picture.
  std::string far = kFlame;
  far.replace(far.find("0.4 0.4"), 7, "4 4");
  folder.write("far.flame", far);
  screen.quit();
  screen.startFathom({folder.file("far.flame")});
  screen.clickOn("tab:mutations", "offers:mutations");
  const auto center = [&](const char* name) {
    screen.clickOn("offer:1");
    picture();
    screen.key("ctrl+s");
    screen.answerFile(folder.file(name));
    EXPECT_TRUE(written(name));
    picture();
    const std::string text = readText(folder / name);
    screen.key("ctrl+z");
    picture();
    return text.substr(text.find("center="), 30);
  };
  const std::string moved = center("moved.flame");
  screen.clickOn("offers:keep-framing");
  screen.settle();
  const std::string kept = center("kept.flame");
  EXPECT_THAT(kept, HasSubstr("center=\"4 4\""));
  EXPECT_NE(moved, kept);
}

TEST_F(FlameArtistTest, AFavoriteIsThereAnotherDay) {
  screen.clickOn("tab:mutations");
  const auto first = withoutTriangles();
  screen.clickOn("offers:keep");
  ASSERT_TRUE(written("config/fathom/favorites.flame"));
  picture();
  screen.quit();
  folder.write(
      "other.flame",
      R"(<flame size="320 240" scale="90" quality="5" estimator_radius="0"><xform weight="1"
      julia="1" coefs="1 0 0 1 0.3 0.2"/><color index="0" rgb="255 255 255"/></flame>)");
  screen.startFathom({folder.file("other.flame")});
  screen.move(640, 712);
  const auto other = withoutTriangles();
  EXPECT_NE(other, first);
  screen.clickOn("offers:favorites", "offer:0");  // the strip stays as it was
  EXPECT_EQ(picture(), first);
}

TEST_F(FlameArtistTest, APosterIsTwiceAsLargeWith16BitsAndAlpha) {
  screen.key("ctrl+e");
  screen.clickOn("export:size=2 x", "export:bits=16 bits", "export:alpha", "export:start");
  ASSERT_TRUE(written("test.png"));
  ASSERT_TRUE(screen.comes("message:note")) << screen.errors();
  const std::string drawn = folder.file("drawn.png");
  test::runProgram({FATHOM_PROGRAM, "flame", "render", folder.file("test.flame"), "--size",
                    "640x480", "--bits", "16", "--transparent", "-o", drawn});
  EXPECT_EQ(readText(folder / "test.png"), readText(drawn));
  EXPECT_EQ(readPicture(drawn).image.width, 640);
}

TEST_F(FlameArtistTest, PostersWaitOverNight) {
  const auto ask = [&](const std::string& name, const std::string& samples) {
    screen.key("ctrl+e");
    screen.keyDown("ctrl");
    screen.clickOn("row:Samples");
    screen.keyUp("ctrl");
    screen.awaitTaken();
    screen.key("ctrl+a");
    screen.type(samples);
    screen.key("Return");
    screen.awaitTaken();
    screen.clickOn("export:file");
    screen.awaitTaken();
    screen.key("ctrl+a");
    screen.type(folder.file(name));
    screen.key("Return");
    EXPECT_TRUE(screen.goes("export:file"));
  };
  ask("a.png", "2500");  // while the others are asked for
  ASSERT_TRUE(screen.comes("status:stop"));
  ask("b.png", "3");
  ask("c.png", "4");
  screen.key("ctrl+q");
  screen.clickOn("leaving:cancel");  // all go on at the next start
  ASSERT_EQ(screen.waitForExit(), 0) << screen.errors();
  for (const char* name : {"a.png", "b.png", "c.png"})
    EXPECT_FALSE(std::filesystem::exists(folder / name)) << name;
  screen.startRefining({folder.file("test.flame")});
  EXPECT_TRUE(written("a.png") || written("a.png"));  // it may take twice the patience
  ASSERT_TRUE(written("b.png") && written("c.png")) << screen.errors();
  const std::string drawn = folder.file("drawn.png");
  test::runProgram({FATHOM_PROGRAM, "flame", "render", folder.file("test.flame"), "--quality", "4",
                    "-o", drawn});
  EXPECT_EQ(readText(folder / "c.png"), readText(drawn));
}

/// Two keyframes, four frames.
class FlameFilmTest : public FlameArtistTest {
 protected:
  void SetUp() override {
    std::string right = kFlame;
    right.replace(right.find("size="), 0, "time=\"4\" ");
    for (std::size_t at = 0; (at = right.find("0.5 0 0 0.5", at)) != std::string::npos;)
      right.replace(at, 11, "0.4 0 0 0.4");
    folder.write("test.flame", "<flames>" + std::string(kFlame) + right + "</flames>");
    start();
  }
};

TEST_F(FlameFilmTest, AnAnimationBecomesAGif) {
  screen.key("ctrl+e");
  screen.clickOn("export:format", "format:GIF animation", "export:start");
  ASSERT_TRUE(written("test.gif")) << screen.errors();
  ASSERT_TRUE(screen.comes("message:note")) << screen.errors();
  EXPECT_EQ(readText(folder / "test.gif").substr(0, 6), "GIF89a");
  EXPECT_EQ(screen
                .run({"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                      "stream=nb_read_frames", "-of", "csv=p=0", folder.file("test.gif")})
                .out,
            "4\n");
}

TEST_F(FlameFilmTest, TwoFlamesHaveChildren) {
  screen.clickOn("tab:mutations");
  const auto first = withoutTriangles();
  screen.clickOn("offers:children");
  screen.settle();  // others than the flames of the file
  screen.clickOn("offer:1");
  EXPECT_NE(picture(), first);
  EXPECT_TRUE(screen.has("xform-row:3"));
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), first);
}

}  // namespace
}  // namespace fathom::viewer
