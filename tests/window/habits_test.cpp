// SPDX-License-Identifier: BSD-3-Clause
// What people who know other viewers try first: the clipboard, the keyboard alone, the files of a
// folder, numbers in pixels, larger controls.
#include "app/engine/io/picture.h"
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

const glm::ivec3 kGreen(0, 188, 0);  // sRGB of 0.5

class HabitsTest : public ScreenTest {
 protected:
  void TearDown() override {
    ScreenTest::TearDown();
    EXPECT_FALSE(screen.has("message:error")) << screen.errors();
  }
  std::string flatPicture(const char* name, glm::vec4 linear) {
    writePicture(folder / name, Image(64, 48, linear));
    return folder.file(name);
  }
  glm::ivec3 middle() { return shown(screen.middleOf("picture")); }
  bool becomes(glm::ivec3 color) {
    return Screen::eventually([&] { return middle() == color; });
  }
};

TEST_F(HabitsTest, AnImageIsCopiedAndPasted) {
  if (test::runProgram({"sh", "-c", "command -v xclip"}).code != 0) GTEST_SKIP() << "no xclip";
  screen.startFathom({flatPicture("a.png", {0.5f, 0.25f, 0, 1})});
  ASSERT_TRUE(becomes({188, 137, 0}));
  screen.key("ctrl+shift+c");
  const auto copied = [&] {
    return screen.run({"xclip", "-selection", "clipboard", "-t", "image/png", "-o"}).out;
  };
  std::string bytes;
  ASSERT_TRUE(Screen::eventually([&] { return (bytes = copied()).size() > 60; }));
  folder.write("copied.png", bytes);
  const Image image = readPicture(folder / "copied.png").image;
  EXPECT_EQ(glm::ivec2(image.width, image.height), glm::ivec2(64, 48));
  EXPECT_NEAR(image.at(20, 20).g, 0.25f, 0.005f);
  // What another program holds is opened.
  const std::string other = flatPicture("b.png", {0, 0.5f, 0, 1});
  screen.run({"xclip", "-selection", "clipboard", "-t", "image/png", "-i", other});
  screen.key("ctrl+shift+v");
  EXPECT_TRUE(becomes(kGreen));
}

TEST_F(HabitsTest, FilesOfTheFolderByKeysAndByAListWithSmallPictures) {
  const std::string first = flatPicture("a.png", {0, 0.5f, 0, 1});
  flatPicture("b.png", {0.5f, 0, 0, 1});
  flatPicture("other.png", {0, 0, 0.5f, 1});
  screen.startFathom({first});
  ASSERT_TRUE(becomes(kGreen));
  screen.key("Next");  // page down
  ASSERT_TRUE(becomes({188, 0, 0}));
  screen.key("Prior");
  ASSERT_TRUE(becomes(kGreen));
  screen.key("F3");
  screen.place("thumbnail:b.png");  // never opened from here: a worker read it
  screen.place("thumbnail:other.png");
  screen.clickOn("files:filter");
  screen.type("OTH");
  ASSERT_TRUE(screen.goes("file:b.png"));
  screen.clickOn("file:other.png");
  EXPECT_TRUE(becomes({0, 0, 188}));
}

TEST_F(HabitsTest, PixelsShowTheirNumbersWhenLarge) {
  screen.startFathom({flatPicture("a.png", {0, 0.5f, 0, 1})});
  const Place area = screen.place("picture");
  screen.move(area.x + area.width / 2, area.y + area.height / 2);
  EXPECT_FALSE(screen.has("values"));
  for (int i = 0; i < 20; ++i) screen.click(4);
  EXPECT_TRUE(screen.comes("values"));
}

TEST_F(HabitsTest, TheKeyboardAloneReachesAControl) {
  screen.start({folder.write("a.pic", "PIC 640 400").string()});
  const Place area = screen.place("picture");
  const auto left = [&] {
    return screen.shot().at(area.x + area.width / 4, area.y + area.height / 2);
  };
  ASSERT_TRUE(Screen::eventually([&] { return left() == kGreen; }));
  screen.key("F6");  // the settings
  screen.settle();
  for (int i = 0; i < 20 && !screen.has("focused:classes"); ++i) {
    screen.key("Down");
    screen.settle();
  }
  ASSERT_TRUE(screen.has("focused:classes"));
  screen.key("space");
  EXPECT_TRUE(screen.comes("legend"));
  screen.key("Return");
  EXPECT_TRUE(screen.goes("legend"));
}

TEST_F(HabitsTest, TheKeyboardAloneOpensASample) {
  screen.startFathom({});
  screen.place("start:deep");
  for (int i = 0; i < 2; ++i) {  // the first shows the focus
    screen.key("Down");
    screen.settle();
  }
  screen.key("Return");
  EXPECT_TRUE(screen.goes("start"));
}

TEST_F(HabitsTest, EnterOpensTheFileThatWasClicked) {
  flatPicture("b.png", {0.5f, 0, 0, 1});
  screen.startFathom({flatPicture("a.png", {0, 0.5f, 0, 1})});
  screen.key("ctrl+o");
  screen.clickOn("browser:file:b.png");
  screen.key("Return");
  EXPECT_TRUE(becomes({188, 0, 0}));
}

TEST_F(HabitsTest, ControlsGrowAndShrinkWhileRunning) {
  screen.start({folder.write("a.pic", "PIC 640 400").string()});
  const int before = screen.place("bar:export").height;
  screen.key("ctrl+equal");
  screen.key("ctrl+equal");
  EXPECT_TRUE(
      Screen::eventually([&] { return screen.place("bar:export").height >= before * 14 / 10; }));
  screen.key("ctrl+0");
  EXPECT_TRUE(Screen::eventually([&] { return screen.place("bar:export").height == before; }));
}

}  // namespace
}  // namespace fathom::viewer
