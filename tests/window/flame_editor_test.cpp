// SPDX-License-Identifier: BSD-3-Clause
// The editor of flames in the program's own window, used as a person uses it.
#include "tests/window/screen.h"

#include <csignal>

namespace fathom::viewer {
namespace {

class FlameEditorTest : public FlameTest {
 protected:
  using FlameTest::start;
  void start(const std::string& file) {
    screen.startFathom({file});
    screen.move(640, 712);
  }
  /// Saves under the name that is offered.
  void save() {
    screen.key("ctrl+s");
    screen.answerFile();
  }
  /// The file of a mutation; empty while there is none.
  std::string mutation() {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().filename().string().starts_with("test-mutation-"))
        return entry.path().string();
    return {};
  }
  void dragCorner(const std::string& name, int dx, int dy) {
    const Place at = screen.place(name);
    screen.drag(at.x + 1, at.y + 1, at.x + 1 + dx, at.y + 1 + dy);
  }
};

TEST_F(FlameEditorTest, GesturesAreStepsThatAreUndoneAndDoneAgain) {
  const auto first = picture();
  dragCorner("xform:1:X", 40, 25);
  const auto dragged = picture();
  EXPECT_NE(dragged, first);
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), first);
  screen.key("ctrl+y");
  EXPECT_EQ(picture(), dragged);
  const Place area = screen.place("picture");
  screen.move(area.x + 30, area.y + 30);
  screen.click(4);
  screen.click(4);
  EXPECT_NE(picture(), dragged);
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), dragged);
  // A palette is an edit, and not asked about.
  std::string map;
  for (int i = 0; i < 256; ++i) map += "0 " + std::to_string(i) + " 255\n";
  folder.write("sea.map", map);
  screen.key("ctrl+o");
  screen.answerFile(folder.file("sea.map"));
  ASSERT_TRUE(Screen::eventually([&] { return picture() != dragged; })) << screen.errors();
  EXPECT_FALSE(screen.has("unsaved:cancel"));
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), dragged);
  screen.clickOn("side=Image");
  screen.scrollTo("image:depth");
  screen.clickOn("image:depth");
  screen.settle();
  screen.scrollTo("row:Pitch (\u00b0)");
  const Place at = screen.place("row:Pitch (\u00b0)");
  screen.drag(at.x + 20, at.y + 8, at.x + 120, at.y + 8);
  EXPECT_NE(picture(), dragged);
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), dragged);
}

TEST_F(FlameEditorTest, PickedMutationAndPaletteAreSavedAndReadAgain) {
  const auto first = picture();
  screen.clickOn("tab:mutations", "offers:mutations", "offer:2");
  const auto mutated = picture();
  EXPECT_NE(mutated, first);
  screen.clickOn("side=Palette", "palette:reverse");
  const auto colored = picture();
  EXPECT_NE(colored, mutated);
  // A mutation is another flame: a name of its own is offered, and the file it came from stays.
  save();
  std::string saved;
  ASSERT_TRUE(Screen::eventually([&] { return !(saved = mutation()).empty(); }));
  picture();  // until the browser is gone and keys are shortcuts again
  EXPECT_EQ(readText(folder / "test.flame"), kFlame);
  // Edits of it go to its own file, after a question.
  screen.clickOn("palette:reverse");
  ASSERT_TRUE(screen.goes("message:note"));  // over the picture
  const auto last = picture();
  EXPECT_NE(last, colored);
  const std::string before = readText(saved);
  save();
  screen.clickOn("browser:replace");
  ASSERT_TRUE(Screen::eventually([&] { return readText(saved) != before; }));
  picture();
  screen.quit();  // nothing is unsaved: no question
  start(saved);
  EXPECT_EQ(picture(), last);
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
  screen.key("t", "t");  // a second time hides the strip
  screen.settle();
  EXPECT_FALSE(screen.has("panel:timings"));
}

TEST_F(FlameEditorTest, ASignalLosesNoEdit) {
  dragCorner("xform:1:X", 40, 25);
  const auto edited = picture();
  screen.signal(SIGTERM);
  ASSERT_EQ(screen.waitForExit(), 0);
  EXPECT_EQ(readText(folder / "test.flame"), kFlame);
  start();
  screen.place("recovery:open");
  screen.key("Return");  // the default
  ASSERT_TRUE(Screen::eventually([&] { return picture() == edited; }));
  // It is an edit of the file as any other.
  screen.key("ctrl+z");
  EXPECT_NE(picture(), edited);
  screen.key("ctrl+y");
  EXPECT_EQ(picture(), edited);
  screen.key("ctrl+q");
  screen.clickOn("unsaved:discard");
  EXPECT_EQ(screen.waitForExit(), 0);
  EXPECT_EQ(readText(folder / "config/fathom/session.json").find("recovery"), std::string::npos);
}

TEST_F(FlameEditorTest, UnsavedEditsAreAskedAbout) {
  dragCorner("xform:2:O", 30, 10);
  picture();
  screen.key("ctrl+q");
  screen.clickOn("unsaved:cancel");
  EXPECT_TRUE(screen.goes("unsaved:cancel"));
  EXPECT_TRUE(screen.running());
  screen.key("ctrl+q");
  screen.place("unsaved:save");
  screen.key("Return");
  EXPECT_TRUE(screen.comes("browser:path"));
  screen.key("Escape");
  EXPECT_TRUE(screen.goes("browser:path"));
  screen.key("ctrl+q");
  screen.clickOn("unsaved:discard");
  EXPECT_EQ(screen.waitForExit(), 0);
  EXPECT_EQ(readText(folder / "test.flame"), kFlame);
}

TEST_F(FlameEditorTest, TheSheetExportsTheBytesOfTheCommand) {
  const std::string file = folder.write("test.png", "mine").string();
  screen.key("ctrl+e");
  screen.clickOn("export:start", "export:replace");
  ASSERT_TRUE(screen.comes("message:note")) << screen.errors();
  const std::string exported = readText(file);
  const std::string genome = folder.file("test.flame"), drawn = folder.file("drawn.png");
  test::runProgram({FATHOM_PROGRAM, "flame", "render", genome, "-o", drawn});
  EXPECT_EQ(exported, readText(drawn));
}

TEST_F(FlameEditorTest, ACurveIsBentAndSaved) {
  const auto first = picture();
  screen.clickOn("side=Image");
  screen.scrollTo("image:curves");
  screen.clickOn("image:curves");
  screen.settle();
  screen.scrollTo("curves:straight");  // below the plot: all of it is in view
  const Place at = screen.place("curves:plot");
  screen.drag(at.x + 60, at.y + 60, at.x + 60, at.y - 30);
  const auto bent = picture();
  EXPECT_NE(bent, first);
  screen.key("ctrl+z");
  EXPECT_EQ(picture(), first);
  screen.key("ctrl+y");
  EXPECT_EQ(picture(), bent);
  save();
  screen.clickOn("browser:replace");
  EXPECT_TRUE(Screen::eventually([&] {
    return readText(folder / "test.flame").find("overall_curve=\"0 0 ") != std::string::npos;
  })) << screen.errors();
}

TEST_F(FlameEditorTest, LeavingAsksAboutARunningExport) {
  for (const bool cancels : {false, true}) {
    if (cancels) start();
    screen.key("ctrl+e");
    screen.keyDown("ctrl");
    screen.clickOn("row:Samples");
    screen.keyUp("ctrl");
    screen.settle();
    screen.key("ctrl+a");
    screen.type("900000");  // minutes
    screen.key("Return");
    screen.awaitTaken();
    screen.clickOn("export:start");
    ASSERT_TRUE(screen.comes("status:stop"));
    screen.key("ctrl+q");
    screen.clickOn("leaving:keep");
    EXPECT_TRUE(screen.goes("leaving:keep"));
    EXPECT_TRUE(screen.has("status:stop")) << "it goes on";
    screen.key("ctrl+q");
    screen.clickOn(cancels ? "leaving:cancel" : "leaving:wait");
    if (!cancels) {
      EXPECT_TRUE(screen.goes("leaving:wait"));
      EXPECT_TRUE(screen.running());
      screen.clickOn("status:stop");  // its end is what is waited for
    }
    ASSERT_EQ(screen.waitForExit(), 0) << screen.errors();
    EXPECT_FALSE(std::filesystem::exists(folder.file("test.png")));
  }
}

/// The numbers behind `before` in lines of the log that begin so, but for frames in which a driver
/// compiles.
std::vector<int> loggedMs(const std::string& log, const std::string& begin,
                          const std::string& before) {
  std::vector<int> all;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(before);
    if (at == std::string::npos || !line.starts_with(begin) || line.ends_with("compiling"))
      continue;
    all.push_back(std::atoi(line.c_str() + at + before.size()));
  }
  return all;
}

/// A genome of an ordinary size, with density estimation: presses, drags, a new xform and a new
/// variation. What a frame takes of the processor is what it does not leave to later ones; of the
/// clock, a loaded machine takes more.
TEST_F(FlameEditorTest, ClicksAndNewStructuresDoNotFreezeTheWindow) {
  folder.write("large.flame", R"(<flame name="large" size="800 592" center="0 0" scale="170"
    quality="8" supersample="2" estimator_radius="9" brightness="8">
    <xform weight="1" color="0" juliascope="1" juliascope_power="4" coefs="1.2 0.3 -0.3 1.2 0.1 0"/>
    <xform weight="1" color="0.6" disc="0.9" coefs="1.1 0 0 1.1 0.3 0.3"/>
    <xform weight="0.5" color="1" curl="0.7" curl_c1="0.6" coefs="0.2 0.77 -0.77 0.2 -0.3 0.2"/>
    <palette count="4" format="RGB">ff503c3cdc5a465affffffff</palette></flame>)");
  screen.startRefining({folder.file("large.flame"), "--verbose"});
  screen.move(640, 712);
  screen.clickOn("xform:2:O");  // while the picture is still drawn
  dragCorner("xform:1:X", 30, 20);
  screen.clickOn("xforms:add");
  screen.settle();  // its variations are on the page
  screen.clickOn("variations:add");
  screen.place("variations:search");
  screen.type("julian");
  screen.key("Return");
  ASSERT_TRUE(screen.comes("weight:julian")) << screen.errors();
  // Opened, dragged, another structure.
  EXPECT_TRUE(Screen::eventually([&] {
    return loggedMs(screen.errors(), "flame:", "image after ").size() >= 3;
  })) << screen.errors();
  const std::vector<int> frames = loggedMs(screen.errors(), "frame:", " ms; ");
  const int longest = frames.empty() ? 0 : *std::max_element(frames.begin(), frames.end());
  RecordProperty("longest_frame_cpu_ms", longest);
  EXPECT_LT(longest, 800) << screen.errors();  // a driver may compile at the first dispatch
}

}  // namespace
}  // namespace fathom::viewer
