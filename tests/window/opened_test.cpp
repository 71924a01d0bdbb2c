// SPDX-License-Identifier: BSD-3-Clause
// Files that are dropped onto the window as a file manager drops them, and going to and fro between
// those that were opened.
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class OpenedTest : public ScreenTest {
 protected:
  std::string deepFile(const char* name, const char* scene) {
    const test::Outcome made = test::runProgram(
        {FATHOM_PROGRAM, "deep", "merge", scene, "--size", "64x48", "-o", folder.file(name)});
    EXPECT_EQ(made.code, 0) << made.err;
    return folder.file(name);
  }
  void drop(const std::vector<std::string>& files, const char* onto) {
    const glm::ivec2 at = screen.middleOf(onto);
    screen.move(at.x, at.y);
    screen.settle();
    ASSERT_TRUE(screen.dropFiles(files));
  }
};

TEST_F(OpenedTest, DeepFilesAreDroppedOnTheStartPageAndMerged) {
  const std::string a = deepFile("a.exr", "planes:count=2"),
                    b = deepFile("b.exr", "planes:count=1");
  screen.startFathom({});
  drop({a}, "start");
  EXPECT_TRUE(shows("a.exr - Fathom"));
  EXPECT_FALSE(screen.has("start"));
  screen.keyDown("shift");
  drop({b}, "picture");
  EXPECT_TRUE(shows("a.exr + 1 more - Fathom"));
  screen.keyUp("shift");
  drop({b}, "picture");
  EXPECT_TRUE(shows("b.exr - Fathom"));
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(OpenedTest, APaletteIsDroppedOnAFlame) {
  folder.write("a.flame", R"(<flame name="a" size="64 48" center="0 0" scale="20" quality="2">
<xform weight="1" color="0" linear="1" coefs="0.5 0 0 0.5 0.5 0"/>
<xform weight="1" color="1" spherical="1" coefs="0.5 0.2 -0.2 0.5 -0.5 0.3"/>
</flame>)");
  std::string map;
  for (int i = 0; i < 256; ++i) map += std::to_string(i) + " 0 0\n";
  screen.startFathom({folder.file("a.flame")});
  drop({folder.write("red.map", map)}, "picture");
  // An edit, which can be undone.
  EXPECT_TRUE(shows("* "));
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(OpenedTest, CtrlTabGoesThroughWhatWasOpened) {
  const std::string a = folder.write("a.pic", "PIC 32 24"), b = folder.write("b.pic", "PIC 48 24"),
                    c = folder.write("c.pic", "PIC 24 24");
  screen.start({a});
  screen.key("1");  // its own view, not the whole of it
  const auto small = screen.restingPicture();
  drop({b}, "picture");
  ASSERT_TRUE(shows("b.pic - Fathom"));
  drop({c}, "picture");
  ASSERT_TRUE(shows("c.pic - Fathom"));
  screen.key("ctrl+Tab");  // around the end
  ASSERT_TRUE(shows("a.pic - Fathom"));
  EXPECT_EQ(screen.restingPicture(), small);
  screen.key("ctrl+shift+Tab");
  ASSERT_TRUE(shows("c.pic - Fathom"));
  screen.clickOn("menu:File", "menu:Opened", "opened:b.pic");
  EXPECT_TRUE(shows("b.pic - Fathom"));
}

/// Of every technique. FATHOM_OPEN=200 opens more than a suite has time for.
TEST_F(OpenedTest, ManyFilesOneAfterTheOtherLeaveMemoryAndDescriptorsFlat) {
  const char* const chosen = std::getenv("FATHOM_OPEN");
  const int count = chosen ? std::stoi(chosen) : 24;
  const std::vector<const char*> files = {
      "fuzz/corpus/deep_exr/volumes.exr", "fuzz/corpus/pictures/rgb.png",
      "baselines/dof-over.exr",           "fuzz/corpus/smoe/record-2.smoe",
      "fuzz/corpus/deep_exr/packed.fdp",  "fuzz/corpus/flame/flam3",
      "fuzz/corpus/pictures/packed.hdr",  "fuzz/corpus/active_pixel/rgba8.icet"};
  screen.startFathom({});
  const int kinds = int(files.size()), warm = count - count / 2 / kinds * kinds;  // of one kind
  std::pair<double, int> before;
  for (int i = 0; i < count; ++i) {
    const std::filesystem::path file = sourcePath("tests") / files[std::size_t(i) % files.size()];
    drop({file.string()}, i == 0 ? "start" : "picture");
    ASSERT_TRUE(shows(file.filename().string() + " - Fathom")) << i << screen.errors();
    screen.settle();
    if (i + 1 == warm) before = screen.holds();
  }
  const auto [memory, descriptors] = screen.holds();
  std::printf("after %d files %.1f MiB, %d descriptors; after %d %.1f MiB, %d\n", warm,
              before.first, before.second, count, memory, descriptors);
  EXPECT_LE(memory, before.first + 16);
  EXPECT_LE(descriptors, before.second);
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

/// Colors, a layer of its own and data within a larger frame, as renderers write them.
TEST_F(OpenedTest, LayersOfAnExrAreListedShownAndFramed) {
  screen.startFathom({layers({10, 20}, {80, 60},
                             {"B", "G", "R", "depth.Z", "diffuse.B", "diffuse.G", "diffuse.R"})});
  EXPECT_TRUE(screen.comes("picture:display-window"));
  EXPECT_EQ(shown(middle()), kBlack);
  screen.move(1200, 400);
  for (int i = 0; i < 40; ++i) screen.click(5);  // to the end of the panel
  screen.clickOn("exr:layer-0-diffuse");
  EXPECT_TRUE(becomes(middle(), kRed));
  screen.clickOn("exr:layer-0-");
  EXPECT_TRUE(becomes(middle(), kBlack));
  screen.clickOn("exr:header-0");
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

}  // namespace
}  // namespace fathom::viewer
