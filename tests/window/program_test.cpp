// SPDX-License-Identifier: BSD-3-Clause
// The program itself on a virtual display, with real deep images and a scene.
#include "app/engine/io/exr/deep_exr.h"
#include "tests/support/synthetic_deep.h"
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class ProgramTest : public ScreenTest {
 protected:
  void SetUp() override {
    for (const std::uint32_t seed : {1u, 2u})
      writeDeepExr(
          folder / names[seed - 1],
          test::sphereField({.width = 160, .height = 100, .meanFragments = 6, .seed = seed}));
  }
  void openBoth(const char* panel = "settings") {
    screen.startFathom({folder.file(names[0]), folder.file(names[1]), "--open-panel", panel});
    screen.move(640, 700);  // off the picture
  }

  const std::string names[2] = {"near.exr", "far.exr"};
};

TEST_F(ProgramTest, LayoutAndBlockSizeDoNotChangeTheMergedPicture) {
  openBoth();
  const auto merged = picture();
  screen.clickOn("section:Algorithm");
  screen.clickOn("setting:layout");
  screen.clickOn("choice:layout=ll");
  screen.move(640, 700);
  EXPECT_EQ(picture(), merged);
  screen.clickOn("block-size=16");
  screen.move(640, 700);
  EXPECT_EQ(picture(), merged);
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(ProgramTest, HeatMapReplacesThePictureAndGivesItBack) {
  openBoth("depth");
  const auto merged = picture();
  screen.clickOn("depth-view=heat-map");
  screen.move(640, 700);
  EXPECT_NE(picture(), merged);
  screen.clickOn("depth-view=picture");
  screen.move(640, 700);
  EXPECT_EQ(picture(), merged);
}

TEST_F(ProgramTest, CutFileLeavesTheOldPicture) {
  openBoth();
  const auto merged = picture();
  std::string cut = test::readText(folder / names[0]);
  cut.resize(cut.size() / 2);
  folder.write(names[0], cut);  // the window notices that an open file changed
  ASSERT_TRUE(screen.comes("message:error"));
  EXPECT_NE(screen.errors().find(names[0] + ": "), std::string::npos);
  screen.clickOn("message:close");
  screen.move(640, 700);
  // The message fades; then the old picture is there, unchanged.
  EXPECT_TRUE(Screen::eventually([&] { return picture() == merged; }));
}

TEST_F(ProgramTest, SceneTurnsAndComesBack) {
  screen.startFathom({"hairball:strands=60"});
  const Place area = screen.place("picture");
  screen.move(640, 700);
  const auto first = picture();
  screen.drag(area.x + 400, area.y + 200, area.x + 520, area.y + 230);
  screen.move(640, 700);
  EXPECT_NE(picture(), first);
  screen.key("Home");
  EXPECT_EQ(picture(), first);
}

}  // namespace
}  // namespace fathom::viewer
