// SPDX-License-Identifier: BSD-3-Clause
// The window loses its GPU (the driver of these tests is told so by a signal) and goes on with
// another context: the same picture, settings, view and edits.
#include "tests/window/screen.h"

#include <csignal>

namespace fathom::viewer {
namespace {

class DeviceLostTest : public ScreenTest {
 protected:
  /// The device goes, and the window is there again.
  void lose() {
    screen.signal(SIGUSR1);
    screen.place("message:note");
    ASSERT_TRUE(screen.goes("message:note"));
    EXPECT_THAT(screen.errors(), HasSubstr("the GPU was reset"));
  }
};

TEST_F(DeviceLostTest, EditsStayWithAllThatCanBeUndone) {
  screen.start({folder.write("test.flame", kFlame).string()});
  const auto first = screen.restingPicture();
  const Place corner = screen.place("xform:1:X");
  screen.drag(corner.x + 1, corner.y + 1, corner.x + 41, corner.y + 26);
  const auto edited = screen.restingPicture();
  ASSERT_NE(edited, first);
  for (int i = 0; i < 2; ++i) {
    lose();
    EXPECT_EQ(screen.restingPicture(), edited);
  }
  screen.key("ctrl+z");
  EXPECT_EQ(screen.restingPicture(), first);
  screen.key("ctrl+y");
  EXPECT_EQ(screen.restingPicture(), edited);
  lose();  // what was taken back can still be redone
  screen.key("ctrl+z");
  EXPECT_EQ(screen.restingPicture(), first);
  lose();
  EXPECT_EQ(screen.restingPicture(), first);
  screen.key("ctrl+y");
  EXPECT_EQ(screen.restingPicture(), edited);
}

TEST_F(DeviceLostTest, SettingsZoomAndPixelStay) {
  screen.start({folder.write("a.pic", "PIC 640 400").string(), "--set", "level=0.25"});
  const Place area = screen.place("picture");
  const glm::ivec2 left(area.x + area.width / 4, area.y + area.height / 2);
  screen.move(left.x, left.y);
  screen.click(4);
  screen.click(4);
  screen.settle();
  screen.click(1);  // pins a pixel
  const auto before = screen.restingPicture();
  lose();
  EXPECT_EQ(screen.restingPicture(), before);
  EXPECT_EQ(screen.shot().at(left.x, left.y - 40), glm::ivec3(0, 137, 0));
  screen.quit();
}

TEST_F(DeviceLostTest, ASecondLossBeforeThePictureIsBackEnds) {
  screen.start({folder.write("a.pic", "PIC 640 400 slow").string()});
  screen.signal(SIGUSR1);
  screen.place("message:note");  // reading again
  screen.signal(SIGUSR1);
  EXPECT_EQ(screen.waitForExit(), 1);
  EXPECT_THAT(screen.errors(), HasSubstr("the GPU was reset"));
}

}  // namespace
}  // namespace fathom::viewer
