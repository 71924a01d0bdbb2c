// SPDX-License-Identifier: BSD-3-Clause
// What people who know other viewers try first: the clipboard, the files of a folder, numbers in
// pixels, larger controls.
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "tests/support/synthetic_deep.h"
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class HabitsTest : public ScreenTest {
 protected:
  void TearDown() override {
    ScreenTest::TearDown();
    EXPECT_FALSE(screen.has("message:error")) << screen.errors();
  }
  glm::ivec3 middle() { return shown(screen.middleOf("picture")); }
  bool becomes(glm::ivec3 color) {
    return Screen::eventually([&] { return middle() == color; });
  }
};

/// Beside another program; noise is larger than one request to the X server.
TEST_F(HabitsTest, AnImageIsCopiedAndPasted) {
  if (test::runProgram({"sh", "-c", "command -v xclip"}).code != 0) GTEST_SKIP() << "no xclip";
  Image noise(600, 400);
  std::uint32_t seed = 1;
  for (glm::vec4& pixel : noise.pixels)
    for (int c = 0; c < 3; ++c)
      pixel[c] = float((seed = seed * 1664525 + 1013904223) >> 8) / 0x1p24f;
  writePicture(folder / "noise.png", noise);
  const std::pair<std::string, std::size_t> pictures[] = {
      {flatPicture("a.png", {0.5f, 0.25f, 0, 1}), 60}, {folder.file("noise.png"), 400000}};
  const std::string other = flatPicture("b.png", {0, 0.5f, 0, 1});
  for (const auto& [file, most] : pictures) {
    screen.startFathom({file});
    screen.settle();
    screen.key("ctrl+shift+c");
    std::string bytes;
    ASSERT_TRUE(Screen::eventually([&] {
      bytes = screen.run({"xclip", "-selection", "clipboard", "-t", "image/png", "-o"}).out;
      return bytes.size() > most;
    }));
    folder.write("copied.png", bytes);
    const Image copied = readPicture(folder / "copied.png").image, own = readPicture(file).image;
    ASSERT_EQ(glm::ivec2(copied.width, copied.height), glm::ivec2(own.width, own.height));
    EXPECT_NEAR(copied.at(20, 20).g, own.at(20, 20).g, 0.005f);
    // What another program holds is opened.
    screen.run({"xclip", "-selection", "clipboard", "-t", "image/png", "-i", other});
    screen.key("ctrl+shift+v");
    EXPECT_TRUE(becomes(kGreen));
  }
}

TEST_F(HabitsTest, FilesOfTheFolderByKeysAndByAListWithSmallPictures) {
  const std::string first = flatPicture("a.png", {0, 0.5f, 0, 1});
  flatPicture("b.png", {0.5f, 0, 0, 1});
  flatPicture("other.png", {0, 0, 0.5f, 1});
  writeDeepExr(folder / "deep.exr",
               test::sphereField({.width = 160, .height = 100, .meanFragments = 6, .seed = 1}));
  screen.startFathom({first});
  ASSERT_TRUE(becomes(kGreen));
  screen.key("Next");  // page down
  ASSERT_TRUE(becomes({188, 0, 0}));
  screen.key("Prior");
  ASSERT_TRUE(becomes(kGreen));
  screen.key("F3");
  screen.place("thumbnail:b.png");  // never opened from here: a worker read it
  screen.place("thumbnail:other.png");
  screen.place("thumbnail:deep.exr");
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
  screen.key("ctrl+equal", "ctrl+equal");
  EXPECT_TRUE(
      Screen::eventually([&] { return screen.place("bar:export").height >= before * 14 / 10; }));
  screen.key("ctrl+0");
  EXPECT_TRUE(Screen::eventually([&] { return screen.place("bar:export").height == before; }));
}

}  // namespace
}  // namespace fathom::viewer
