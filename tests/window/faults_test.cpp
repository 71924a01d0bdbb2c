// SPDX-License-Identifier: BSD-3-Clause
// What went wrong when the window was tried by a new user, each as it was met: keys, clicks and
// files.
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

using FaultsTest = PictureTest;

TEST_F(FaultsTest, WhatBelongsToOneFileStaysWithIt) {
  const std::string other = folder.write("b.pic", "PIC 640 400").string();
  start({"--set", "level=0.25"});  // a setting of these files
  ASSERT_TRUE(becomes(left, {0, 137, 0}));
  open(other);
  EXPECT_TRUE(becomes(left, kGreen));
  open(picture);
  EXPECT_TRUE(becomes(left, {0, 137, 0}));
  screen.key("ctrl+q");
  ASSERT_EQ(screen.waitForExit(), 0);
  picture = other;
  start();
  EXPECT_TRUE(becomes(left, kGreen));
}

TEST_F(FaultsTest, TheHelpHoldsEveryGroupWithinItsWidth) {
  start();
  screen.key("h");
  const Place keys = screen.place("help:keys");
  for (const char* group : {"help:Files", "help:Camera of a scene", "help:Compare", "help:Help"}) {
    const Place at = screen.place(group);
    EXPECT_GE(at.x, keys.x) << group;
    EXPECT_LE(at.x + at.width, keys.x + keys.width) << group;
  }
  // Nothing behind the dialog answers to the mouse: no tooltip of a covered control.
  const Place fit = screen.place("tool:fit");
  screen.move(fit.x + 4, fit.y + 4);
  screen.settle();
  EXPECT_FALSE(screen.has("tooltip"));
  screen.key("Escape");
  screen.move(fit.x + 5, fit.y + 4);
  EXPECT_TRUE(screen.comes("tooltip"));
}

TEST_F(FaultsTest, RecentSetsStayTogetherAndLeaveOutWhatIsGone) {
  const std::string other = folder.write("b.pic", "PIC 640 400").string();
  start();
  open(other);
  std::filesystem::remove(picture);
  screen.key("ctrl+q");
  ASSERT_EQ(screen.waitForExit(), 0);
  screen.start({});
  screen.place("start");
  EXPECT_TRUE(screen.has("recent:b.pic"));
  EXPECT_FALSE(screen.has("recent:a.pic"));
  screen.clickOn("recent:b.pic");
  EXPECT_TRUE(becomes(left, kGreen));
}

TEST_F(FaultsTest, WhatCannotBeOpenedLeavesThePageWithAMessage) {
  screen.start({folder.file("nowhere.pic")});
  EXPECT_TRUE(screen.has("start:message"));
  EXPECT_FALSE(screen.has("message:error"));  // once is enough
}

TEST_F(FaultsTest, TheFilterOfTheSettingsEndsWithTheFileAndByEsc) {
  const std::string other = folder.write("b.pic", "PIC 640 400").string();
  start();
  const auto filter = [&] {
    screen.key("ctrl+f");
    screen.settle();
    screen.type("zzz");
    ASSERT_TRUE(screen.goes("setting:tint"));
  };
  filter();
  screen.key("Escape");
  EXPECT_TRUE(screen.comes("setting:tint"));
  filter();
  screen.clickOn("settings:clear");
  EXPECT_TRUE(screen.comes("setting:tint"));
  filter();
  open(other);
  EXPECT_TRUE(screen.comes("setting:tint"));
}

/// Opened by the program itself.
class ProgramFaultsTest : public ScreenTest {
 protected:
  static constexpr const char* kFlame =
      R"(<flame name="a long name that no narrow column holds in full"
  size="320 240" center="0.4 0.4" scale="150" quality="5" estimator_radius="0" brightness="20">
  <xform weight="1" color="0" linear="1" coefs="0.5 0 0 0.5 0 0"/>
  <xform weight="1" color="0.5" linear="1" coefs="0.5 0 0 0.5 0.5 0"/>
  <color index="0" rgb="255 80 40"/><color index="255" rgb="70 90 255"/>
</flame>)";
  void startFlame(std::vector<std::string> more) {
    more.insert(more.begin(), folder.write("a.flame", kFlame).string());
    screen.startFathom(more);
  }
};

TEST_F(ProgramFaultsTest, TextsAreCutByAnEllipsisAndRowsAreWhole) {
  startFlame({"--open-panel", "timings", "--set", "quality=5"});
  // Rows of the table end where it ends: none is halved.
  const Place table = screen.place("passes");
  int height = 0, bottom = 0;
  for (const auto& [name, at] : screen.landmarks())
    if (name.starts_with("pass:") && at.y + at.height <= table.y + table.height)
      height = at.height, bottom = std::max(bottom, at.y + at.height);
  ASSERT_GT(height, 8);
  EXPECT_LE(table.y + table.height - bottom, height / 2);
  // Facts are a line or two high, not a column of letters, and lie within the panel.
  screen.clickOn("side=Settings");
  screen.place("settings:filter");
  screen.settle();
  const Place panel = screen.place("settings:filter");
  screen.move(panel.x + 40, panel.y + 200);
  for (int i = 0; i < 60; ++i) screen.click(5);
  screen.settle();
  const Place fact = screen.place("info:name");
  EXPECT_LT(fact.height, 50);
  EXPECT_GE(fact.x, panel.x);
  const Place document = screen.place("bar:document");
  EXPECT_LE(document.x + document.width, screen.place("bar:export").x);
}

TEST_F(ProgramFaultsTest, TheInspectorFollowsAPictureThatRefinesAndItCanBeStopped) {
  screen.startRefining({folder.write("a.flame", kFlame).string(), "--set", "quality=1000000"});
  screen.key("i");
  const Place area = screen.place("picture");
  screen.move(area.x + area.width / 2, area.y + area.height / 2);
  ASSERT_TRUE(screen.comes("inspector:pixel"));
  EXPECT_TRUE(screen.has("status:work"));  // it still refines
  screen.clickOn("status:stop");
  screen.settle();
  EXPECT_FALSE(screen.has("status:work"));
  EXPECT_TRUE(screen.has("inspector:pixel"));
}

TEST_F(ProgramFaultsTest, TheMarkOfTheFocusGoesWithTheFocus) {
  screen.startFathom({"planes:count=1,spheres=12,alpha=1,seed=4", "--technique", "dof", "--set",
                      "max-radius=8", "--set", "layers=first"});
  const Place area = screen.place("picture");
  screen.settle();
  screen.clickAt({area.x + area.width / 2, area.y + area.height / 2});
  screen.place("focus");
  screen.settle();
  screen.clickOn("lens:auto-Focus");
  EXPECT_TRUE(screen.goes("focus"));
  const Place strip = screen.place("lens:strip");  // a drag along the depths sets it again
  screen.drag(strip.x + 40, strip.y + 30, strip.x + 90, strip.y + 30);
  screen.settle();
  EXPECT_TRUE(screen.has("lens:Focus"));
}

}  // namespace
}  // namespace fathom::viewer
