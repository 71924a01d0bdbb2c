// SPDX-License-Identifier: BSD-3-Clause
// Tasks by the keyboard alone: no test moves or presses the mouse.
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class KeyboardTest : public PictureTest {
 protected:
  void TearDown() override {
    ScreenTest::TearDown();
    EXPECT_FALSE(screen.has("message:error")) << screen.errors();
  }
  void press(const std::string& key) {
    screen.key(key);
    screen.awaitTaken();
  }
  /// Goes on by this key until the keyboard is on the control.
  void focus(const std::string& control, const char* key = "Tab") {
    for (int i = 0; i < 80 && !screen.has("focused:" + control); ++i) press(key);
    ASSERT_TRUE(screen.has("focused:" + control)) << control;
  }
  /// Presses the control by the keyboard.
  void use(const std::string& control, const char* key = "Tab") {
    ASSERT_NO_FATAL_FAILURE(focus(control, key));
    press("Return");
  }
  void find(const std::string& setting) {
    screen.key("ctrl+f");
    screen.awaitTaken();
    screen.place("typing");
    screen.type(setting);
    screen.awaitTaken();
  }
  /// The command of the palette that holds these words.
  void command(const std::string& words) {
    screen.key("ctrl+shift+p");
    screen.place("palette:text");
    screen.place("typing");
    screen.type(words);
    press("Return");
    ASSERT_TRUE(screen.goes("palette:text")) << words;
  }
  /// Pixels from left to right through the middle of the picture.
  std::vector<int> row() {
    const Shot shot = screen.shot();
    const Place area = screen.place("picture");
    std::vector<int> pixels;
    for (int x = area.x; x < area.x + area.width; ++x) {
      const glm::ivec3 color = shot.at(x, area.y + area.height / 2);
      pixels.push_back(color.r << 16 | color.g << 8 | color.b);
    }
    return pixels;
  }
  const std::string scene = "planes:count=1,spheres=12,alpha=1,seed=4";
};

TEST_F(KeyboardTest, OpensAFileAndOneOfTheLastFromTheStartPage) {
  const std::string file = flatPicture("a.png", {0, 0.5f, 0, 1});
  screen.startFathom({});
  screen.place("start");
  screen.key("ctrl+o");
  screen.answerFile(file);
  EXPECT_TRUE(becomes(middle(), kGreen));
  press("ctrl+n");
  ASSERT_TRUE(screen.comes("start"));
  ASSERT_NO_FATAL_FAILURE(use("recent:a.png"));
  EXPECT_TRUE(screen.goes("start"));
  EXPECT_TRUE(becomes(middle(), kGreen));
}

TEST_F(KeyboardTest, ChangesASettingTakesItBackAndComparesWithAReference) {
  start();
  press("k");
  ASSERT_TRUE(screen.comes("compare:psnr"));
  find("tint");
  ASSERT_NO_FATAL_FAILURE(use("tint=red"));
  EXPECT_TRUE(becomes(left, kRed));
  press("j");
  EXPECT_TRUE(screen.comes("compare:tint"));
  press("z");  // B in place of A
  EXPECT_TRUE(becomes(left, kGreen));
  press("z");
  EXPECT_TRUE(becomes(left, kRed));
  screen.settle();
  press("ctrl+z");
  EXPECT_TRUE(becomes(left, kGreen));
  press("ctrl+y");
  EXPECT_TRUE(becomes(left, kRed));
  ASSERT_NO_FATAL_FAILURE(focus("compare:store", "F6"));
  ASSERT_NO_FATAL_FAILURE(use("compare:clear"));
  EXPECT_TRUE(screen.goes("compare:psnr"));
}

TEST_F(KeyboardTest, ExportsInAnotherFormat) {
  start();
  press("ctrl+e");
  screen.place("export:file");
  screen.place("typing");
  screen.type("mine");
  ASSERT_NO_FATAL_FAILURE(use("export:format"));
  ASSERT_NO_FATAL_FAILURE(use("format:PNG image", "Down"));
  ASSERT_NO_FATAL_FAILURE(use("export:start"));
  EXPECT_TRUE(written("mine.png"));
}

TEST_F(KeyboardTest, SeesFragmentsAndHoldsAnInputOut) {
  screen.startFathom({scene, "--technique", "deep"});
  press("shift+Left");  // a pixel in the middle
  press("i");
  EXPECT_TRUE(screen.comes("inspector:fragments"));
  const auto before = row();
  ASSERT_NO_FATAL_FAILURE(command("page inputs"));
  press("F6");
  ASSERT_NO_FATAL_FAILURE(use("step:add"));
  ASSERT_NO_FATAL_FAILURE(use("step=hold-out", "Down"));
  EXPECT_TRUE(Screen::eventually([&] { return row() != before; }));
}

TEST_F(KeyboardTest, AnswersTheQuestionBeforeAnotherFileIsOpened) {
  screen.startFathom({folder.write("a.flame", kFlame).string()});
  ASSERT_NO_FATAL_FAILURE(command("page mutations"));
  ASSERT_TRUE(screen.comes("offers:mutations"));
  ASSERT_NO_FATAL_FAILURE(use("offers:mutations", "F6"));
  ASSERT_TRUE(screen.comes("offer:2"));
  ASSERT_NO_FATAL_FAILURE(use("offer:2"));
  ASSERT_TRUE(shows("* a"));
  const std::string other = flatPicture("b.png", {0, 0.5f, 0, 1});
  const auto open = [&] {
    press("ctrl+o");
    screen.answerFile(other);
    screen.place("unsaved:save");
    ASSERT_TRUE(screen.comes("focused:unsaved:save"));  // the default
  };
  ASSERT_NO_FATAL_FAILURE(open());
  screen.key("Return");
  EXPECT_TRUE(screen.comes("browser:path"));  // where to save it
  screen.key("Escape");
  EXPECT_TRUE(screen.goes("browser:path"));
  ASSERT_NO_FATAL_FAILURE(open());
  screen.key("Escape");
  EXPECT_TRUE(screen.goes("unsaved:save"));
  EXPECT_TRUE(shows("* a"));
  ASSERT_NO_FATAL_FAILURE(open());
  ASSERT_NO_FATAL_FAILURE(use("unsaved:discard"));
  EXPECT_TRUE(becomes(middle(), kGreen));
}

TEST_F(KeyboardTest, RecordsABenchmark) {
  start();
  press("t");
  ASSERT_NO_FATAL_FAILURE(use("record:start", "F6"));
  screen.answerFile();
  EXPECT_TRUE(written("timings.json"));
}

TEST_F(KeyboardTest, TurnsALightField) {
  screen.startFathom({sourcePath("assets/smoe/light-field.smoe").string()});
  const auto before = row();
  press("o");  // it orbits
  EXPECT_TRUE(Screen::eventually([&] { return row() != before; }));
  press("o");
}

}  // namespace
}  // namespace fathom::viewer
