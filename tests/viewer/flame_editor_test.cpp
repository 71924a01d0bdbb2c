// SPDX-License-Identifier: BSD-3-Clause
// The editor of flames in the program's own window, used as a person uses it.
#include "tests/viewer/screen.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace fathom::viewer {
namespace {

constexpr const char* kGenome = R"(<flame name="test" size="320 240" center="0.4 0.4" scale="150"
  quality="20" estimator_radius="0" brightness="20">
  <xform weight="1" color="0" linear="1" coefs="0.5 0 0 0.5 0 0"/>
  <xform weight="1" color="0.5" linear="1" coefs="0.5 0 0 0.5 0.5 0"/>
  <xform weight="1" color="1" linear="1" coefs="0.5 0 0 0.5 0 0.5"/>
  <color index="0" rgb="255 80 40"/><color index="128" rgb="60 220 90"/>
  <color index="255" rgb="70 90 255"/>
</flame>)";

class FlameEditorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder.write("test.flame", kGenome);
    start();
  }
  void TearDown() override {
    for (const char* alarm : {"OpenGL", "Sanitizer", "runtime error"})
      EXPECT_EQ(screen.errors().find(alarm), std::string::npos) << screen.errors();
  }
  void start() { start(folder.file("test.flame")); }
  void start(const std::string& file) {
    screen.startFathom({file});
    screen.move(640, 712);
  }
  /// Saves under the name that is offered.
  void save() {
    screen.key("ctrl+s");
    screen.place("browser:path");
    screen.settle();
    screen.key("Return");
  }
  /// The file of a mutation; empty while there is none.
  std::string mutation() {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().filename().string().starts_with("test-mutation-"))
        return entry.path().string();
    return {};
  }
  std::vector<std::uint8_t> picture() { return screen.restingPicture(); }
  void dragCorner(const std::string& name, int dx, int dy) {
    const Place at = screen.place(name);
    screen.drag(at.x + 1, at.y + 1, at.x + 1 + dx, at.y + 1 + dy);
  }

  test::TempFolder folder;
  Screen screen{folder};
};

TEST_F(FlameEditorTest, DragOfATriangleIsUndoneAndDoneAgain) {
  const auto first = picture();
  dragCorner("xform:1:X", 40, 25);
  const auto dragged = picture();
  EXPECT_NE(dragged, first);
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), first);
  screen.key("ctrl+y");
  EXPECT_EQ(picture(), dragged);
}

TEST_F(FlameEditorTest, WheelIsOneStep) {
  const auto first = picture();
  const Place area = screen.place("picture");
  screen.move(area.x + 30, area.y + 30);
  screen.click(4);
  screen.click(4);
  EXPECT_NE(picture(), first);
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), first);
}

TEST_F(FlameEditorTest, PickedMutationAndPaletteAreSavedAndReadAgain) {
  const auto first = picture();
  screen.clickOn("tab:mutations");
  screen.clickOn("offers:mutations");
  screen.clickOn("offer:2");
  const auto mutated = picture();
  EXPECT_NE(mutated, first);
  screen.clickOn("side=Palette");
  screen.clickOn("palette:reverse");
  const auto colored = picture();
  EXPECT_NE(colored, mutated);
  // A mutation is another flame: a name of its own is offered, and the file it came from stays.
  save();
  std::string saved;
  ASSERT_TRUE(Screen::eventually([&] { return !(saved = mutation()).empty(); }));
  picture();  // until the browser is gone and keys are shortcuts again
  EXPECT_EQ(test::readText(folder / "test.flame"), kGenome);
  // Edits of it go to its own file, after a question.
  screen.clickOn("palette:reverse");
  ASSERT_TRUE(Screen::eventually([&] { return !screen.has("message:note"); }));  // over the picture
  const auto last = picture();
  EXPECT_NE(last, colored);
  const std::string before = test::readText(saved);
  save();
  screen.clickOn("browser:replace");
  ASSERT_TRUE(Screen::eventually([&] { return test::readText(saved) != before; }));
  picture();
  screen.key("ctrl+q");
  ASSERT_EQ(screen.waitForExit(), 0);  // nothing is unsaved: no question
  start(saved);
  EXPECT_EQ(picture(), last);
}

TEST_F(FlameEditorTest, TheFileThatWasOpenedIsReplacedAfterAQuestion) {
  dragCorner("xform:1:X", 40, 25);
  const auto edited = picture();
  save();
  screen.clickOn("browser:keep");
  screen.settle();
  EXPECT_EQ(test::readText(folder / "test.flame"), kGenome);
  screen.clickOn("browser:ok");
  screen.clickOn("browser:replace");
  ASSERT_TRUE(Screen::eventually([&] { return test::readText(folder / "test.flame") != kGenome; }));
  picture();
  screen.key("ctrl+q");
  ASSERT_EQ(screen.waitForExit(), 0);
  start();
  EXPECT_EQ(picture(), edited);
}

TEST_F(FlameEditorTest, KeysBringTheirTabBeforeAPageOfTheFlame) {
  screen.clickOn("tab:mutations");
  screen.place("panel:mutations");
  for (const auto& [key, panel] :
       {std::pair("t", "panel:timings"), {"m", "panel:memory"}, {"i", "panel:inspector"}}) {
    screen.key(key);
    screen.settle();
    EXPECT_TRUE(screen.has(panel)) << key;
    screen.clickOn("tab:mutations");
    screen.settle();
    EXPECT_TRUE(screen.has("panel:mutations"));
  }
  screen.key("t");
  screen.key("t");  // a second time hides the strip
  screen.settle();
  EXPECT_FALSE(screen.has("panel:timings"));
}

TEST_F(FlameEditorTest, ASignalLosesNoEdit) {
  dragCorner("xform:1:X", 40, 25);
  const auto edited = picture();
  screen.signal(SIGTERM);
  ASSERT_EQ(screen.waitForExit(), 0);
  EXPECT_EQ(test::readText(folder / "test.flame"), kGenome);
  start();
  screen.clickOn("recovery:open");
  EXPECT_TRUE(Screen::eventually([&] { return picture() == edited; }));
}

TEST_F(FlameEditorTest, UnsavedEditsAreAskedAbout) {
  dragCorner("xform:2:O", 30, 10);
  picture();
  screen.key("ctrl+q");
  screen.clickOn("unsaved:cancel");
  EXPECT_TRUE(Screen::eventually([&] { return !screen.has("unsaved:cancel"); }));
  EXPECT_TRUE(screen.running());
  screen.key("ctrl+q");
  screen.clickOn("unsaved:discard");
  EXPECT_EQ(screen.waitForExit(), 0);
  EXPECT_EQ(test::readText(folder / "test.flame"), kGenome);
}

}  // namespace
}  // namespace fathom::viewer
