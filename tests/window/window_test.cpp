// SPDX-License-Identifier: BSD-3-Clause
// The real window on a virtual display, used as a person uses it: keys, clicks, and a look at the
// screen.
#include "app/engine/io/picture.h"
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

const glm::ivec3 kBlack(0), kRed(188, 0, 0), kGreen(0, 188, 0), kBlue(0, 0, 188);  // sRGB of 0.5

/// A window that shows a picture of 640 x 400: green in the left half, black in the right one.
class WindowTest : public ScreenTest {
 protected:
  void SetUp() override {
    folder.write("a.pic", "PIC 640 400");
    picture = folder.file("a.pic");
  }
  void start(const std::vector<std::string>& environment = {}) {
    screen.start({picture}, environment);
    const Place area = screen.place("picture");
    left = {area.x + area.width / 4, area.y + area.height / 2};
    right = {area.x + area.width * 3 / 4, area.y + area.height / 2};
  }
  void openByPath(const char* name) {
    screen.key("ctrl+o");
    screen.answerFile(folder.file(name));
  }

  std::string picture;
  glm::ivec2 left{0}, right{0};
};

TEST_F(WindowTest, ShowsThePictureOfTheFile) {
  start();
  EXPECT_TRUE(becomes(left, kGreen));
  EXPECT_EQ(shown(right), kBlack);
}

TEST_F(WindowTest, HOpensAndClosesTheHelp) {
  start();
  screen.key("h");
  EXPECT_TRUE(screen.comes("help"));
  EXPECT_NE(shown(left), kGreen);  // it lies over the picture
  screen.key("h");
  EXPECT_TRUE(screen.goes("help"));
  EXPECT_TRUE(becomes(left, kGreen));
}

TEST_F(WindowTest, WheelZoomsAboutTheCursor) {
  start();
  const int border = screen.shot().nextEdge(left.x, left.y);
  const int cursor = border - 60;
  screen.move(cursor, left.y);
  screen.settle();
  screen.click(4);
  screen.click(4);
  screen.settle();
  // Two steps: what was 60 pixels to the right of the cursor is 60 * 1.18^2 away.
  EXPECT_TRUE(Screen::eventually(
      [&] { return std::abs(screen.shot().nextEdge(cursor, left.y) - (cursor + 84)) <= 3; }));
  screen.key("f");
  EXPECT_TRUE(Screen::eventually([&] { return screen.shot().nextEdge(left.x, left.y) == border; }));
}

TEST_F(WindowTest, MiddleDragMovesThePicture) {
  start();
  const int border = screen.shot().nextEdge(left.x, left.y);
  screen.drag(right.x, right.y, right.x + 40, right.y, 2);
  EXPECT_TRUE(Screen::eventually(
      [&] { return std::abs(screen.shot().nextEdge(left.x, left.y) - (border + 40)) <= 1; }));
}

TEST_F(WindowTest, ClickInThePanelChangesThePicture) {
  start();
  screen.clickOn("tint=red");
  EXPECT_TRUE(becomes(left, kRed));
  EXPECT_EQ(shown(right), kBlack);
}

TEST_F(WindowTest, ExposureKeyBrightensThePicture) {
  start();
  screen.key("bracketright");
  screen.key("bracketright");  // two half stops: 0.5 becomes 1
  EXPECT_TRUE(becomes(left, glm::ivec3(0, 255, 0)));
}

TEST_F(WindowTest, ClickPinsThePixel) {
  start();
  screen.clickAt(left);
  screen.move(right.x, right.y);
  screen.settle();
  // The box about the pinned pixel is in the accent color; the picture has none of it.
  EXPECT_TRUE(Screen::eventually([&] {
    const Shot shot = screen.shot();
    bool found = false;
    for (int dy = -8; dy <= 8; ++dy)
      for (int dx = -8; dx <= 8; ++dx)
        found |= shot.at(left.x + dx, left.y + dy) == glm::ivec3(0x35, 0xc4, 0xb5);
    return found;
  }));
}

TEST_F(WindowTest, OpensAnotherFileByPath) {
  folder.write("wide.pic", "PIC 900 100");
  start();
  openByPath("wide.pic");
  // 900 x 100 leaves the upper part of the area empty.
  EXPECT_TRUE(Screen::eventually([&] { return shown({left.x, left.y - 120}) != kGreen; }));
  EXPECT_TRUE(becomes(left, kGreen));
  EXPECT_FALSE(screen.has("help"));  // typed letters are no shortcuts
}

TEST_F(WindowTest, BrokenFileLeavesTheOldPictureAndAMessage) {
  folder.write("broken.pic", "no picture at all");
  start();
  openByPath("broken.pic");
  EXPECT_TRUE(screen.comes("message:error"));
  EXPECT_TRUE(becomes(left, kGreen));
  screen.clickOn("message:close");
  EXPECT_TRUE(screen.goes("message:error"));
  EXPECT_TRUE(screen.running());
}

TEST_F(WindowTest, MessageLongAfterTheLastEventIsSeen) {
  folder.write("late.pic", "late, and no picture");
  start();
  openByPath("late.pic");
  EXPECT_TRUE(screen.comes("message:error"));
}

TEST_F(WindowTest, FailureOfWorkAsideIsSeen) {
  start();
  screen.clickOn("setting:aside");
  EXPECT_TRUE(screen.comes("message:error"));
  EXPECT_TRUE(screen.comes("idle"));
  EXPECT_EQ(shown(left), kGreen);
}

TEST_F(WindowTest, PictureThatCannotBeMadeLeavesTheOldOne) {
  start();
  screen.clickOn("setting:failing");
  EXPECT_TRUE(screen.comes("message:error"));
  EXPECT_EQ(shown(left), kGreen);
  screen.clickOn("setting:failing");
  screen.clickOn("tint=blue");
  EXPECT_TRUE(becomes(left, kBlue));
}

TEST_F(WindowTest, ReadingCanBeCancelled) {
  folder.write("slow.pic", "PIC 240 400 slow");
  start();
  const Place area = screen.place("picture");
  const glm::ivec2 outside(area.x + area.width / 2 - 260, left.y);  // inside 640, outside 240
  openByPath("slow.pic");
  screen.clickOn("progress:cancel");
  screen.settle();  // had it been read on, its picture would come before that
  EXPECT_FALSE(screen.has("progress:cancel"));
  EXPECT_TRUE(becomes(outside, kGreen));
  EXPECT_FALSE(screen.has("message:error"));
}

TEST_F(WindowTest, ChangedFileIsReadAgain) {
  start();
  const int border = screen.shot().nextEdge(left.x, left.y);
  const Place area = screen.place("picture");
  const glm::ivec2 outside(area.x + area.width / 2 - 260, left.y);  // inside 640, outside 240
  EXPECT_EQ(shown(outside), kGreen);
  folder.write("a.pic", "PIC 240 400");  // the same middle, but a black edge comes nearer
  EXPECT_TRUE(Screen::eventually([&] { return shown(outside) != kGreen; }));
  EXPECT_NEAR(screen.shot().nextEdge(area.x + area.width / 2 - 100, left.y), border, 2);
}

TEST_F(WindowTest, SettingsSurviveARestart) {
  start();
  screen.clickOn("tint=blue");
  ASSERT_TRUE(becomes(left, kBlue));
  screen.key("t");  // the layout too: timings in front
  screen.settle();
  screen.key("ctrl+q");
  ASSERT_EQ(screen.waitForExit(), 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "config/fathom/session.json"));
  start();
  EXPECT_TRUE(becomes(left, kBlue));
  EXPECT_NE(test::readText(folder / "config/fathom/session.json").find("\"timings\""),
            std::string::npos);
}

TEST_F(WindowTest, HoldingCShowsTheKeptSettings) {
  start();
  screen.key("k");
  screen.settle();
  screen.key("s");  // not side by side: only while the key is held
  screen.clickOn("tint=red");
  ASSERT_TRUE(becomes(left, kRed));
  screen.keyDown("c");
  EXPECT_TRUE(becomes(left, kGreen));
  screen.keyUp("c");
  EXPECT_TRUE(becomes(left, kRed));
}

TEST_F(WindowTest, SplitShowsBothSettings) {
  start();
  screen.clickOn("setting:classes");  // a change without effect on the halves: any setting will do
  screen.settle();
  screen.key("k");
  screen.settle();
  screen.clickOn("tint=red");
  // The line starts in the middle: A left of it, B right of it. Drag it to the left.
  const Place area = screen.place("picture");
  const int middle = area.x + area.width / 2;
  ASSERT_TRUE(becomes(left, kRed));
  screen.drag(middle, area.y + 40, area.x + area.width / 4 - 30, area.y + 40);
  EXPECT_TRUE(becomes(left, kGreen));
}

TEST_F(WindowTest, F12SavesWhatTheScreenShows) {
  start();
  screen.key("F12");
  const std::filesystem::path file = folder / "fathom-window-1.png";
  ASSERT_TRUE(written("fathom-window-1.png"));
  const Picture saved = readPictureAsStored(file);
  ASSERT_EQ(saved.image.width, 1280);
  ASSERT_EQ(saved.image.height, 720);
  EXPECT_NEAR(saved.image.at(left.x, left.y).g, 188 / 255.0, 1e-3);
  EXPECT_NEAR(saved.image.at(right.x, right.y).g, 0, 1e-3);
}

TEST_F(WindowTest, SavedPictureHoldsTheLinearValues) {
  start();
  screen.key("ctrl+s");
  screen.answerFile();  // the name that is offered
  const std::filesystem::path file = folder / "picture.exr";
  ASSERT_TRUE(written("picture.exr"));
  const Picture saved = readPicture(file);
  ASSERT_EQ(saved.image.width, 640);
  EXPECT_EQ(saved.image.at(100, 200), glm::vec4(0, 0.5f, 0, 1));
}

TEST_F(WindowTest, SavedSessionRestoresTheWholeView) {
  start();
  screen.clickOn("tint=blue");
  screen.move(left.x, left.y);
  screen.settle();
  screen.click(4);
  screen.click(4);
  screen.settle();
  screen.move(640, 700);
  const int border = screen.shot().nextEdge(left.x, left.y);
  screen.key("ctrl+shift+s");
  screen.answerFile();
  const std::filesystem::path file = folder / "session.json";
  ASSERT_TRUE(written("session.json"));
  screen.settle();  // until the browser is gone and keys are shortcuts again
  screen.key("ctrl+q");
  ASSERT_EQ(screen.waitForExit(), 0);
  screen.start({"--session", file.string()});  // inputs, settings and zoom come from it
  EXPECT_TRUE(becomes(left, kBlue));
  EXPECT_EQ(screen.shot().nextEdge(left.x, left.y), border);
}

TEST_F(WindowTest, BrokenShaderKeepsTheOldProgram) {
  std::filesystem::copy(test::sourcePath("shaders"), folder / "shaders",
                        std::filesystem::copy_options::recursive);
  start({"FATHOM_SHADERS=" + folder.path().string()});
  const std::string good = test::readText(folder / "shaders/window/display.frag");
  folder.write("shaders/window/display.frag", good + "\nthis is no shader\n");
  screen.key("ctrl+r");
  EXPECT_TRUE(screen.comes("message:error"));
  EXPECT_NE(screen.errors().find("display.frag"), std::string::npos);
  screen.key("f");
  screen.clickOn("tint=red");
  EXPECT_TRUE(becomes(left, kRed));
  // Mended, the new program takes over.
  folder.write("shaders/window/display.frag",
               std::string(good).replace(good.find("shown = vec4(result, 1.0)"), 25,
                                         "shown = vec4(result.brg, 1.0)"));
  screen.key("ctrl+r");
  EXPECT_TRUE(becomes(left, kGreen));
}

TEST_F(WindowTest, CopyPutsTheValuesOnTheClipboard) {
  start();
  screen.clickAt(left);
  screen.key("ctrl+c");
  screen.settle();
  // Into the path field and out again, as a file that does not exist: the message shows it.
  screen.key("ctrl+o");
  screen.place("browser:path");
  screen.settle();
  screen.key("ctrl+v");
  screen.key("Return");
  // The field drops tabs and line ends.
  EXPECT_TRUE(Screen::eventually([&] {
    return screen.errors().find("linear00.5018-bit01880255") != std::string::npos;
  })) << screen.errors();
}

TEST_F(WindowTest, DragTurnsTheCameraOfAScene) {
  picture = "spin";
  start();
  const Place area = screen.place("picture");
  const int y = area.y + area.height / 2;
  const int border = screen.shot().nextEdge(area.x + 10, y);
  screen.drag(area.x + 300, y, area.x + 360, y);
  EXPECT_TRUE(Screen::eventually(
      [&] { return std::abs(screen.shot().nextEdge(area.x + 10, y) - border) > 20; }));
  screen.key("Home");
  EXPECT_TRUE(Screen::eventually([&] { return screen.shot().nextEdge(area.x + 10, y) == border; }));
}

TEST_F(WindowTest, ADoubleClickInSlowFramesIsOne) {
  picture = "spin";
  start();
  const Place area = screen.place("picture");
  const int y = area.y + area.height / 2;
  const int border = screen.shot().nextEdge(area.x + 10, y);
  screen.clickOn("setting:aside");  // frames of 200 ms
  screen.move(area.x + area.width / 4, y - 60);
  screen.click(1);
  screen.click(1);
  EXPECT_TRUE(Screen::eventually(  // the camera looks there
      [&] { return std::abs(screen.shot().nextEdge(area.x + 10, y) - border) >= 4; }));
}

TEST_F(WindowTest, IdleWindowUsesLittleTime) {
  start();
  screen.move(left.x, left.y);
  screen.settle();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const double before = screen.cpuSeconds();
  std::this_thread::sleep_for(std::chrono::seconds(4));
  EXPECT_LT(screen.cpuSeconds() - before, 0.05 * 4);
}

TEST_F(WindowTest, ATechniqueWithoutFacetsIsShown) {
  folder.write("a.ramp", "RAMP 300 200");
  screen.start({folder.file("a.ramp")});
  const auto smooth = screen.restingPicture();
  screen.key("t");
  screen.place("panel:timings");
  screen.key("h");
  screen.place("help");
  screen.key("h");
  screen.key("ctrl+z");  // there is nothing to undo
  screen.key("ctrl+q");
  EXPECT_EQ(screen.waitForExit(), 0);
  screen.start({folder.file("a.ramp"), "--set", "steps=4"});
  EXPECT_NE(screen.restingPicture(), smooth);
}

TEST_F(WindowTest, ScriptWritesTheWholeWindow) {
  const std::string file = folder.file("shot.png");
  const std::vector<std::string> command = {VIEWER_DRIVER,  picture,   "--frames", "2",
                                            "--size",       "900x600", "--set",    "tint=red",
                                            "--screenshot", file};
  const test::Outcome outcome = screen.run(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Picture saved = readPictureAsStored(file);
  EXPECT_EQ(saved.image.width, 900);
  EXPECT_EQ(saved.image.height, 600);
  EXPECT_NEAR(saved.image.at(120, 200).r, 188 / 255.0, 1e-3);
}

TEST_F(WindowTest, ScriptWithABrokenFileFails) {
  folder.write("broken.pic", "no picture at all");
  const std::vector<std::string> command = {VIEWER_DRIVER, folder.file("broken.pic"), "--frames",
                                            "1"};
  const test::Outcome outcome = screen.run(command);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("broken.pic: expected PIC WIDTH HEIGHT"), std::string::npos);
}

TEST_F(WindowTest, UnknownSettingEndsBeforeAWindowOpens) {
  const test::Outcome outcome = test::runProgram({VIEWER_DRIVER, picture, "--set", "tin=red"}, {});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("tint"), std::string::npos);  // the nearest name is offered
}

TEST_F(WindowTest, UnknownPanelEndsBeforeAWindowOpens) {
  const test::Outcome outcome =
      test::runProgram({VIEWER_DRIVER, picture, "--open-panel", "engine"}, {});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("timings"), std::string::npos);
}

}  // namespace
}  // namespace fathom::viewer
