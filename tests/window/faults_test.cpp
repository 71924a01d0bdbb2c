// SPDX-License-Identifier: BSD-3-Clause
// What went wrong when the window was tried by a new user, each as it was met: keys, clicks and
// files.
#include "app/engine/io/picture.h"
#include "tests/window/screen.h"

#include <csignal>

namespace fathom::viewer {
namespace {

const glm::ivec3 kGreen(0, 188, 0);  // sRGB of 0.5

/// A window that shows a picture of 640 x 400: green in the left half, black in the right one.
class FaultsTest : public ScreenTest {
 protected:
  void SetUp() override { picture = folder.write("a.pic", "PIC 640 400").string(); }
  void start(std::vector<std::string> arguments) {
    screen.start(std::move(arguments));
    const Place area = screen.place("picture");
    left = {area.x + area.width / 4, area.y + area.height / 2};
  }
  void open(const std::string& path) {
    screen.key("ctrl+o");
    screen.answerFile(path);
    screen.settle();
  }

  std::string picture;
  glm::ivec2 left{0};
};

TEST_F(FaultsTest, WhatBelongsToOneFileStaysWithIt) {
  const std::string other = folder.write("b.pic", "PIC 640 400").string();
  start({picture, "--set", "level=0.25"});  // a setting of these files
  ASSERT_TRUE(becomes(left, {0, 137, 0}));
  open(other);
  EXPECT_TRUE(becomes(left, kGreen));
  open(picture);
  EXPECT_TRUE(becomes(left, {0, 137, 0}));
  screen.key("ctrl+q");
  ASSERT_EQ(screen.waitForExit(), 0);
  start({other});
  EXPECT_TRUE(becomes(left, kGreen));
}

TEST_F(FaultsTest, TheHelpHoldsEveryGroupWithinItsWidth) {
  start({picture});
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

TEST_F(FaultsTest, AFileIsReplacedOnlyAfterAQuestion) {
  start({picture});
  const std::string file = folder.write("picture.exr", "something else").string();
  screen.key("ctrl+e");
  screen.answerFile();
  screen.place("browser:replace");
  screen.key("Return");
  screen.settle();
  EXPECT_EQ(test::readText(file), "something else");
  screen.key("Escape");  // takes the question back
  EXPECT_TRUE(screen.goes("browser:replace"));
  screen.clickOn("browser:ok");
  screen.clickOn("browser:replace");
  EXPECT_TRUE(Screen::eventually([&] { return test::readText(file) != "something else"; }));
}

TEST_F(FaultsTest, AReferenceOutlivesItsTechnique) {
  const std::string ramp = folder.write("a.ramp", "RAMP 300 200").string();
  start({picture});
  screen.key("k");
  screen.settle();
  open(ramp);
  EXPECT_TRUE(screen.has("compare:flip"));
  screen.key("z");  // B in place of A
  EXPECT_TRUE(becomes(left, kGreen));
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(FaultsTest, PlusZoomsWhereverItStands) {
  start({picture});
  screen.key("1");
  screen.settle();
  const Place area = screen.place("picture");
  const glm::ivec2 beside(area.x + area.width / 2 - 350, left.y);  // 640 pixels are shown as 640
  const auto zoomedIn = [&] {
    return Screen::eventually([&] { return screen.shot().at(beside.x, beside.y) == kGreen; });
  };
  const auto back = [&] {
    return Screen::eventually([&] { return screen.shot().at(beside.x, beside.y) != kGreen; });
  };
  EXPECT_TRUE(back());
  screen.key("shift+equal");
  EXPECT_TRUE(zoomedIn());
  screen.key("KP_Subtract");
  EXPECT_TRUE(back());
  screen.key("KP_Add");
  EXPECT_TRUE(zoomedIn());
}

TEST_F(FaultsTest, EscClosesAListAndNothingElse) {
  start({picture});
  screen.clickAt(left);  // a pinned pixel, which Esc would unpin
  screen.clickOn("setting:curve");
  screen.place("choice:curve=gamma");
  screen.key("Escape");
  EXPECT_TRUE(screen.goes("choice:curve=gamma"));
  screen.key("i");
  EXPECT_TRUE(screen.comes("inspector:pixel"));
}

TEST_F(FaultsTest, TheLegendOfAIsNotShownOverB) {
  start({picture});
  screen.key("k");
  screen.settle();
  screen.clickOn("setting:classes");
  screen.place("legend");
  screen.keyDown("c");
  EXPECT_TRUE(screen.goes("legend"));
  screen.keyUp("c");
  EXPECT_TRUE(screen.comes("legend"));
}

TEST_F(FaultsTest, APixelOutsideASmallerPictureIsForgotten) {
  start({"spin"});
  screen.key("p");  // without the panel the picture is wider
  screen.key("i");
  screen.settle();
  screen.clickAt({1240, 300});
  EXPECT_TRUE(screen.comes("inspector:pixel"));
  screen.key("p");
  EXPECT_TRUE(screen.goes("inspector:pixel"));
}

TEST_F(FaultsTest, RecentSetsStayTogetherAndLeaveOutWhatIsGone) {
  const std::string other = folder.write("b.pic", "PIC 640 400").string();
  start({picture});
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

TEST_F(FaultsTest, TheReferenceIsReplacedByItsButton) {
  start({picture, "--open-panel", "compare"});
  screen.key("k");
  screen.settle();
  screen.clickOn("setting:classes");
  ASSERT_TRUE(screen.comes("compare:classes"));
  screen.clickOn("compare:keep");
  EXPECT_TRUE(screen.goes("compare:classes"));
}

TEST_F(FaultsTest, AReferenceOfAnotherFileSaysSoAndIsNotCalledEqual) {
  const std::string other = folder.write("b.pic", "PIC 300 400").string();
  start({picture});
  screen.key("k");
  ASSERT_TRUE(screen.comes("compare:psnr"));
  open(other);
  EXPECT_TRUE(screen.has("B: a.pic"));
  EXPECT_FALSE(screen.has("compare:psnr"));
}

TEST_F(FaultsTest, TheFilterOfTheSettingsEndsWithTheFileAndByEsc) {
  const std::string other = folder.write("b.pic", "PIC 640 400").string();
  start({picture});
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

TEST_F(FaultsTest, TheToolbarStandsStillWhileThePictureIsZoomed) {
  start({picture});
  screen.key("1");
  screen.settle();
  const int before = screen.place("tool:r").x;
  for (int i = 0; i < 20; ++i) screen.key("plus");
  screen.settle();
  EXPECT_EQ(screen.place("tool:r").x, before);
}

TEST_F(FaultsTest, ASaveDialogOffersTheStemEveryTime) {
  start({picture});
  for (const char* name : {"first", "second"}) {
    screen.key("ctrl+e");
    screen.answerFile(name);
    EXPECT_TRUE(written(std::string(name) + ".exr"));
  }
  // What cannot be written is said while the dialog is open.
  screen.key("ctrl+e");
  screen.answerFile(folder.file("nowhere/a.exr"));
  screen.settle();
  EXPECT_TRUE(screen.has("browser:path"));
  screen.key("Escape");
}

/// 64 x 48, opened by the program itself.
class ProgramFaultsTest : public FaultsTest {
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

TEST_F(ProgramFaultsTest, SettingsOutliveACrash) {
  writePicture(folder / "a.png", Image(64, 48, glm::vec4(0.2f, 0.4f, 0.6f, 1)));
  screen.startFathom({folder.file("a.png")});
  screen.key("m");
  const auto kept = [&] {
    return std::filesystem::exists(folder / "config/fathom/session.json") &&
           test::readText(folder / "config/fathom/session.json").find("\"memory\"") !=
               std::string::npos;
  };
  EXPECT_TRUE(Screen::eventually(kept));
  screen.signal(SIGKILL);
  EXPECT_EQ(screen.waitForExit(), 128 + SIGKILL);
  EXPECT_TRUE(kept());
}

TEST_F(FaultsTest, TheFirstSignalEndsTheWindow) {
  for (const int signal : {SIGTERM, SIGINT}) {
    writePicture(folder / "a.png", Image(64, 48, glm::vec4(0.2f, 0.4f, 0.6f, 1)));
    screen.startFathom({folder.file("a.png")});
    screen.key("t");
    screen.settle();
    screen.signal(signal);
    EXPECT_EQ(screen.waitForExit(), 0) << signal;
    EXPECT_NE(test::readText(folder / "config/fathom/session.json").find("\"timings\""),
              std::string::npos);
    std::filesystem::remove(folder / "config/fathom/session.json");
  }
}

}  // namespace
}  // namespace fathom::viewer
