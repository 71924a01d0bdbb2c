// SPDX-License-Identifier: BSD-3-Clause
// Active pixels in the real window: the table of parts, a scene that turns by itself and rests when
// told to.
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class ActivePixelWindow : public ScreenTest {
 protected:
  void start(const std::string& page) {
    screen.startFathom({"station", "--technique", "active-pixel", "--open-panel", page});
  }
  /// The part of the window above the strip, left of the side.
  bool pictureChanges(const Shot& before) {
    const Shot now = screen.shot();
    for (int y = 100; y < now.height / 2; y += 3)
      for (int x = 50; x < now.width / 2; x += 3)
        if (now.at(x, y) != before.at(x, y)) return true;
    return false;
  }
};

TEST_F(ActivePixelWindow, ListsItsParts) {
  start("parts");
  EXPECT_TRUE(screen.has("parts:table"));
  EXPECT_TRUE(screen.has("parts:lengths-4"));
  EXPECT_FALSE(screen.has("parts:lengths-5"));
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(ActivePixelWindow, TurnsUntilItIsToldToRest) {
  start("settings");
  const Shot before = screen.shot();
  screen.clickOn("setting:turn");
  EXPECT_TRUE(Screen::eventually([&] { return pictureChanges(before); }));
  screen.clickOn("setting:turn");
  Shot last = screen.shot();
  EXPECT_TRUE(Screen::eventually([&] {  // two alike: it rests
    const bool rests = !pictureChanges(last);
    last = screen.shot();
    return rests;
  }));
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

}  // namespace
}  // namespace fathom::viewer
