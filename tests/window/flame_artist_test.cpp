// SPDX-License-Identifier: BSD-3-Clause
// What an artist does in a day with flames, by clicks and keys, and what the file says afterwards.
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
  EXPECT_NE(picture(), moved);
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

}  // namespace
}  // namespace fathom::viewer
