// SPDX-License-Identifier: BSD-3-Clause
// What went wrong when the window was tried by a new user, each as it was met: keys, clicks and
// files.
#include "app/engine/io/picture.h"
#include "tests/window/screen.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

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
  screen.quit();
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

/// Messages that nobody closes: a few over a picture, gone by one key; none over the start page.
TEST_F(FaultsTest, FilesThatCannotBeOpenedCoverNothingForLong) {
  const auto openFive = [&] {
    for (int i = 0; i < 5; ++i) {
      screen.key("ctrl+o");
      screen.answerFile(folder.write(fmt::format("bad{}.png", i), "no picture").string());
      EXPECT_TRUE(screen.goes("browser:path"));
    }
    screen.settle();
  };
  start();
  openFive();
  EXPECT_TRUE(screen.comes("message:error"));
  screen.key("Escape");
  EXPECT_TRUE(screen.goes("message:error"));
  screen.quit();
  screen.start({});
  openFive();
  EXPECT_TRUE(screen.comes("start:message"));
  EXPECT_FALSE(screen.has("message:error"));
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

TEST_F(FaultsTest, ASaveDialogSelectsTheStemEveryTimeAndKnowsTheHomeFolder) {
  start({}, {"HOME=" + folder.path().string()});
  const std::string other = folder.write("other/b.pic", "PIC 320 400").string();
  const auto save = [&](const std::string& name, const std::string& file) {
    screen.key("ctrl+shift+s");
    screen.answerFile(name);
    EXPECT_TRUE(written(file));
    EXPECT_TRUE(screen.goes("browser:path"));
  };
  save("one", "one.json");
  save("two", "two.json");
  save("~/three", "three.json");
  save(folder.file("other/four"), "other/four.json");
  // A path that is pasted over the stem is another path, too.
  screen.key("ctrl+o");
  screen.place("browser:path");
  screen.place("typing");
  screen.type(folder.file("other/five"));
  screen.key("ctrl+a", "ctrl+c", "Escape");
  EXPECT_TRUE(screen.goes("browser:path"));
  screen.key("ctrl+shift+s");
  screen.place("browser:path");
  screen.place("typing");
  screen.key("ctrl+v", "Return");
  EXPECT_TRUE(written("other/five.json")) << fmt::format("{}", fmt::join(folder.names(), ", "));
  open("~/other/b.pic");  // narrower
  const glm::ivec2 beside = left - glm::ivec2(120, 0);
  EXPECT_TRUE(Screen::eventually([&] { return shown(beside) != kGreen; })) << screen.errors();
}

/// Two presses bring back what the first has hidden, and nothing else.
TEST_F(FaultsTest, TabHidesThePanelsAndShowsThemAgain) {
  start();
  screen.key("Tab");
  EXPECT_TRUE(screen.goes("settings:filter"));
  screen.key("Tab");
  EXPECT_TRUE(screen.comes("settings:filter"));
  EXPECT_FALSE(screen.has("panel:inspector"));
}

TEST_F(FaultsTest, ATooltipComesToAMouseThatRestsAndCoversNothingBelowIt) {
  start();
  for (const char* name : {"tool:fit", "tab:inspector", "bar:export"}) {
    screen.move(left.x, left.y);
    screen.settle();
    const auto before = std::chrono::steady_clock::now();
    const glm::ivec2 at = screen.middleOf(name);
    screen.move(at.x, at.y);
    ASSERT_TRUE(screen.comes("tooltip"));
    EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(600));
    screen.settle();
    const Place item = screen.place(name), shown = screen.place("tooltip");
    EXPECT_TRUE(shown.y + shown.height <= item.y || shown.y >= item.y + item.height) << name;
    EXPECT_TRUE(item.y < 84 || shown.y + shown.height <= item.y) << name;
  }
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

TEST_F(ProgramFaultsTest, FocusAndPinStayWhereTheyWereSet) {
  screen.startFathom({"planes:count=1,spheres=12,alpha=1,seed=4", "--technique", "dof", "--set",
                      "max-radius=8", "--set", "layers=first"});
  const int before = screen.place("picture").height;
  screen.clickAt(middle() + glm::ivec2(0, 100));
  screen.place("focus");
  screen.settle();
  EXPECT_TRUE(screen.has("lens:Focus"));  // not where it is automatic
  screen.clickOn("technique", "technique=Deep images");
  screen.settle();
  screen.clickOn("technique", "technique=Depth of field");
  EXPECT_TRUE(screen.comes("lens:Focus"));
  screen.key(
      "i");  // the strip takes rows, and as large a share of the pin's distance to the middle
  screen.settle();
  const int after = screen.place("picture").height;
  EXPECT_LT(after, before - 100);
  screen.quit();
  std::string state;  // of the scene
  for (const auto& entry : fs::directory_iterator(folder / "config/fathom/files"))
    if (entry.path().extension() == ".json") state = readText(entry.path());
  const auto view = nlohmann::json::parse(state)["view"];
  EXPECT_NEAR(view["pixel-y"].get<double>(), 0.5 * after + 100.0 * after / before, 2);
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
  screen.key("ctrl+z");
  EXPECT_TRUE(screen.goes("lens:Focus"));  // automatic again
}

TEST_F(ProgramFaultsTest, SharesOfPassesAreOfTheirSumAndGoWithTheFile) {
  writePicture(folder / "flat.png", Image(64, 48, glm::vec4(0.5f, 0.5f, 0.5f, 1)));
  screen.startFathom({"planes:count=1,spheres=12,alpha=1,seed=4", "--technique", "deep",
                      "--open-panel", "timings"});
  screen.settle();
  double sum = 0;
  int passes = 0;
  for (const auto& [name, at] : screen.landmarks()) {
    if (!name.starts_with("share:")) continue;
    sum += std::stod(name.substr(name.rfind('=') + 1)), ++passes;
  }
  EXPECT_GE(passes, 3);
  EXPECT_NEAR(sum, 1, 0.005 * passes);  // two digits each
  // The median of the sums is above that of every part.
  std::map<std::string, double> medians;
  for (const auto& [name, at] : screen.landmarks())
    if (const std::size_t number = name.rfind('='); name.starts_with("median:"))
      medians[name.substr(7, number - 7)] = std::stod(name.substr(number + 1));
  ASSERT_EQ(medians.count("sum"), 1u);
  for (const auto& [pass, median] : medians) EXPECT_LE(median, medians["sum"]) << pass;
  screen.key("ctrl+o");
  screen.answerFile(folder.file("flat.png"));
  EXPECT_TRUE(Screen::eventually([&] {
    const auto all = screen.landmarks();
    return all.lower_bound("share:")->first.compare(0, 6, "share:") != 0;
  }));
}

TEST_F(ProgramFaultsTest, ProgressNeverRunsBack) {
  std::filesystem::copy_file(sourcePath("tests/baselines/dof-circles.png"), folder / "circles.png");
  screen.startFathom({folder.file("circles.png"), "--technique", "smoe", "--open-panel", "fit",
                      "--set", "components=20", "--set", "steps=60"});
  screen.clickOn("fit:start");
  ASSERT_TRUE(screen.comes("fit:running"));
  std::map<std::string, double> last;  // of each kind of work
  EXPECT_TRUE(Screen::eventually([&] {
    for (const auto& [name, at] : screen.landmarks()) {
      if (!name.starts_with("status:share:")) continue;
      const std::size_t number = name.rfind('=') + 1;
      const double share = std::stod(name.substr(number));
      EXPECT_GE(share, std::exchange(last[name.substr(0, number)], share)) << name;
      EXPECT_LE(share, 1) << name;
    }
    return screen.has("fit:resting");
  }));
  EXPECT_FALSE(last.empty());
}

/// An image in progress is no reference, and K says so; a complete one is.
TEST_F(ProgramFaultsTest, AReferenceWaitsForTheImage) {
  screen.startRefining({folder.write("a.flame", kFlame).string(), "--set", "quality=1000000"});
  screen.key("k");
  EXPECT_TRUE(screen.comes("message:note"));
  EXPECT_FALSE(screen.has("compare:split"));
  screen.clickOn("status:stop");
  screen.settle();
  screen.key("k");
  EXPECT_TRUE(screen.comes("compare:psnr"));
}

/// While previews are shown, too, and when another size is exported.
TEST_F(ProgramFaultsTest, TheZoneOfSharpnessIsThatOfTheWholePicture) {
  screen.startFathom({"planes:count=1,spheres=12,alpha=1,seed=4", "--technique", "dof", "--set",
                      "max-radius=8", "--open-panel", "lens", "--set", "focus-distance=6"});
  screen.settle();
  std::set<std::string> zones;
  const auto look = [&] {
    for (const auto& [name, at] : screen.landmarks())
      if (name.starts_with("lens:Sharp from")) zones.insert(name);
    return screen.has("idle");
  };
  look();
  const Place area = screen.place("picture");
  screen.drag(area.x + 300, area.y + 200, area.x + 340, area.y + 210);  // previews follow
  EXPECT_TRUE(Screen::eventually(look));
  screen.key("ctrl+e");
  screen.clickOn("export:size=2 x", "export:start");
  screen.place("export:cancel");
  for (int frame = 0; frame < 3; ++frame) screen.awaitTaken(), look();
  screen.clickOn("export:cancel");
  EXPECT_EQ(zones.size(), 1u) << fmt::format("{}", fmt::join(zones, ", "));
}

TEST_F(ProgramFaultsTest, ACutBlurRadiusAndWhatASceneWarnsOfAreShown) {
  folder.write("a.obj", "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  screen.startFathom({folder.file("a.obj"), "--technique", "dof", "--open-panel", "lens", "--set",
                      "max-radius=8", "--set", "focus-distance=3", "--set", "layers=first"},
                     "message:note");
  const auto isCut = [&] {
    return std::ranges::any_of(screen.landmarks(), [](const auto& one) {
      return one.first.starts_with("lens:Blur radius at infinity: 8.0 px of ");
    });
  };
  EXPECT_TRUE(Screen::eventually(isCut));
}

TEST_F(ProgramFaultsTest, AnOldDriverIsToldWithWhatHelps) {
  const test::Outcome outcome = test::runFathom(
      {"view", "--frames", "1"},
      {.environment = {"DISPLAY=" + screen.display(), "MESA_GL_VERSION_OVERRIDE=3.3"}});
  EXPECT_EQ(outcome.code, 77);
  EXPECT_THAT(outcome.err, HasSubstr("found OpenGL 3.3: update the graphics driver"));
}

TEST_F(ProgramFaultsTest, AFileThatIsNoPictureIsToldByWhatItIs) {
  for (const auto& [content, says] :
       {std::pair("", "found an empty one"), {"some text\n", "found others"}}) {
    screen.startFathom({folder.write("a.exr", content).string()});
    ASSERT_TRUE(screen.comes("start:message"));
    EXPECT_THAT(screen.errors(), HasSubstr(says));
    screen.key("ctrl+q");
    screen.waitForExit();
  }
}

}  // namespace
}  // namespace fathom::viewer
