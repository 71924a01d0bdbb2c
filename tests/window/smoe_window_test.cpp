// SPDX-License-Identifier: BSD-3-Clause
// SMoE in the program's own window, used as a person uses it: views by dragging, zoom by the
// wheel, a fit from start to file.
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class SmoeWindowTest : public ScreenTest {
 protected:
  void start(const char* model, std::vector<std::string> more = {}) {
    std::filesystem::copy_file(sourcePath("assets/smoe") / model, folder / "model.smoe");
    more.insert(more.begin(), folder.file("model.smoe"));
    screen.startFathom(more);
    screen.move(640, 712);
  }
};

TEST_F(SmoeWindowTest, ADragMovesTheViewAndHomeBringsItBack) {
  start("light-field.smoe");
  const auto first = picture();
  const glm::ivec2 at = middle();
  screen.drag(at.x, at.y, at.x + 60, at.y);
  EXPECT_NE(picture(), first);
  screen.key("Home");
  EXPECT_EQ(picture(), first);
}

TEST_F(SmoeWindowTest, TheWheelZoomsInAndBack) {
  start("atrium.smoe");
  const auto first = picture();
  const glm::ivec2 at = middle();
  screen.move(at.x, at.y);
  for (int i = 0; i < 4; ++i) screen.click(4);
  const auto near = picture();
  EXPECT_NE(near, first);
  screen.key("e");  // ellipses
  EXPECT_NE(picture(), near);
  screen.key("e");
  screen.move(at.x, at.y);
  for (int i = 0; i < 5; ++i) screen.click(5);
  EXPECT_EQ(picture(), first);
}

TEST_F(SmoeWindowTest, FactsStayOnOneLineBesideTheirNames) {
  start("atrium.smoe", {"--open-panel", "model"});
  for (const char* fact : {"components per tile", "certified error"})
    EXPECT_LT(screen.place(std::string("model:fact=") + fact).height, 30) << fact;
}

TEST_F(SmoeWindowTest, OneKeyShowsTheSourceBesideTheModel) {
  std::filesystem::copy_file(sourcePath("tests/baselines/dof-circles.png"), folder / "circles.png");
  screen.startFathom({folder.file("circles.png"), "--technique", "smoe"});
  const auto first = picture();
  screen.key("u");
  screen.place("smoe:beside");
  EXPECT_NE(picture(), first);
  screen.key("u");
  EXPECT_EQ(picture(), first);
}

TEST_F(SmoeWindowTest, AFitStartsStopsContinuesAndIsSaved) {
  std::filesystem::copy_file(sourcePath("tests/baselines/dof-circles.png"), folder / "circles.png");
  start("atrium.smoe", {"--open-panel", "fit", "--set", "source=" + folder.file("circles.png"),
                        "--set", "components=60", "--set", "steps=2000"});
  const auto before = picture();
  screen.clickOn("fit:start");
  screen.place("fit:running");
  screen.place("fit:heat");
  screen.clickOn("fit:stop");
  screen.place("fit:resting");
  const auto stopped = picture();
  EXPECT_NE(stopped, before);
  screen.clickOn("fit:continue");
  screen.place("fit:running");
  screen.clickOn("fit:stop");
  // A new one would discard this one.
  screen.clickOn("fit:start", "unsaved:cancel");
  EXPECT_TRUE(screen.goes("unsaved:cancel"));
  EXPECT_TRUE(screen.has("fit:resting"));
  screen.move(screen.middleOf("fit:start").x, screen.middleOf("fit:start").y);
  for (int i = 0; i < 20; ++i) screen.click(5);  // the page's end
  screen.clickOn("fit:measure");
  screen.place("fit:measured");
  screen.clickOn("fit:encoding=compact");
  picture();  // until it rests
  screen.key("ctrl+s");
  screen.answerFile();
  ASSERT_TRUE(written("circles.smoe"));
  test::outputOf({"smoe", "render", folder.file("circles.smoe"), "-o", folder.file("again.png")});
  picture();      // until the browser is gone and keys are shortcuts again
  screen.quit();  // nothing is unsaved: no question
}

}  // namespace
}  // namespace fathom::viewer
