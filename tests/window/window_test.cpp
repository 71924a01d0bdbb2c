// SPDX-License-Identifier: BSD-3-Clause
// The real window on a virtual display, used as a person uses it: keys, clicks, and a look at the
// screen.
#include "app/engine/io/picture.h"
#include "tests/window/screen.h"

#include <csignal>

namespace fathom::viewer {
namespace {

using WindowTest = PictureTest;

TEST_F(WindowTest, MouseAndKeysOverThePicture) {
  start();
  EXPECT_TRUE(becomes(left, kGreen));
  EXPECT_EQ(shown(right), kBlack);
  const int first = border(), cursor = first - 60;
  screen.move(cursor, left.y);
  screen.settle();
  screen.click(4);
  screen.click(4);
  screen.settle();
  // Two steps: what was 60 pixels to the right of the cursor is 60 * 1.18^2 away.
  EXPECT_TRUE(Screen::eventually(
      [&] { return std::abs(screen.shot().nextEdge(cursor, left.y) - (cursor + 84)) <= 3; }));
  screen.key("f");
  EXPECT_TRUE(Screen::eventually([&] { return border() == first; }));
  screen.drag(right.x, right.y, right.x + 40, right.y, 2);
  EXPECT_TRUE(Screen::eventually([&] { return std::abs(border() - (first + 40)) <= 1; }));
  screen.key("f");
  // A click pins a pixel: the box about it has the accent color; the picture has none of it.
  screen.clickAt(left);
  screen.move(right.x, right.y);
  screen.settle();
  EXPECT_TRUE(Screen::eventually([&] {
    const Shot shot = screen.shot();
    bool found = false;
    for (int dy = -8; dy <= 8; ++dy)
      for (int dx = -8; dx <= 8; ++dx)
        found |= shot.at(left.x + dx, left.y + dy) == glm::ivec3(0x35, 0xc4, 0xb5);
    return found;
  }));
  screen.clickOn("setting:curve");
  screen.place("choice:curve=gamma");
  screen.key("Escape");  // closes the list; the pixel stays pinned
  EXPECT_TRUE(screen.goes("choice:curve=gamma"));
  screen.key("i");
  EXPECT_TRUE(screen.comes("inspector:pixel"));
  screen.key("i", "Escape", "h");
  EXPECT_TRUE(screen.comes("help"));
  EXPECT_NE(shown(left), kGreen);  // it lies over the picture
  screen.key("h");
  EXPECT_TRUE(screen.goes("help"));
  EXPECT_TRUE(becomes(left, kGreen));
  screen.key("bracketright", "bracketright");  // two half stops: 0.5 becomes 1
  EXPECT_TRUE(becomes(left, glm::ivec3(0, 255, 0)));
}

TEST_F(WindowTest, PlusZoomsWhereverItStandsAndTheToolbarStandsStill) {
  start();
  screen.key("1");
  screen.settle();
  const int red = screen.place("tool:r").x;
  const Place area = screen.place("picture");
  const glm::ivec2 beside(area.x + area.width / 2 - 350, left.y);  // 640 pixels are shown as 640
  ASSERT_NE(shown(beside), kGreen);
  for (const auto& [in, out] : {std::pair("shift+equal", "KP_Subtract"), {"KP_Add", "minus"}}) {
    screen.key(in);
    EXPECT_TRUE(becomes(beside, kGreen)) << in;
    screen.key(out);
    EXPECT_TRUE(Screen::eventually([&] { return shown(beside) != kGreen; })) << out;
  }
  for (int i = 0; i < 20; ++i) screen.key("plus");
  screen.settle();
  EXPECT_EQ(screen.place("tool:r").x, red);
}

TEST_F(WindowTest, SettingsChangeThePictureAndFailuresLeaveIt) {
  start();
  screen.clickOn("tint=red");
  EXPECT_TRUE(becomes(left, kRed));
  EXPECT_EQ(shown(right), kBlack);
  screen.clickOn("setting:failing");
  EXPECT_TRUE(screen.comes("message:error"));
  EXPECT_EQ(shown(left), kRed);
  screen.clickOn("setting:failing", "tint=blue");
  EXPECT_TRUE(becomes(left, kBlue));
  screen.clickOn("message:close");
  EXPECT_TRUE(screen.goes("message:error"));
  screen.clickOn("setting:aside");  // work beside the picture, which fails
  EXPECT_TRUE(screen.comes("message:error"));
  EXPECT_TRUE(screen.comes("idle"));
  EXPECT_EQ(shown(left), kBlue);
}

TEST_F(WindowTest, SettingsAndCameraAreTakenBackAndViewsGoBackAndForward) {
  start();
  screen.clickOn("tint=red");
  ASSERT_TRUE(becomes(left, kRed));
  screen.settle();
  std::this_thread::sleep_for(std::chrono::milliseconds(350));  // what follows is another step
  screen.clickOn("tint=blue");
  ASSERT_TRUE(becomes(left, kBlue));
  screen.key("ctrl+z");
  EXPECT_TRUE(becomes(left, kRed));
  screen.key("ctrl+z");
  EXPECT_TRUE(becomes(left, kGreen));
  screen.key("ctrl+y");
  screen.clickOn("bar:redo");
  EXPECT_TRUE(becomes(left, kBlue));
  // Views: the whole picture, then a part.
  const int first = border();
  screen.move(left.x, left.y);
  screen.settle();
  screen.click(4);
  ASSERT_TRUE(Screen::eventually([&] { return border() != first; }));
  screen.settle();
  const int near = border();
  screen.key("alt+Left");
  EXPECT_TRUE(Screen::eventually([&] { return border() == first; }));
  screen.key("alt+Right");
  EXPECT_TRUE(Screen::eventually([&] { return std::abs(border() - near) <= 1; }));
  screen.key("f");
  EXPECT_TRUE(Screen::eventually([&] { return border() == first; }));
}

TEST_F(WindowTest, FilesOpenFailAndAreReadAgain) {
  folder.write("wide.pic", "PIC 900 100");
  folder.write("broken.pic", "no picture at all");
  folder.write("late.pic", "late, and no picture");
  folder.write("slow.pic", "PIC 240 400 slow");
  start();
  const int first = border();
  const Place area = screen.place("picture");
  const glm::ivec2 outside(area.x + area.width / 2 - 260, left.y);  // inside 640, outside 240
  for (const char* name : {"broken.pic", "late.pic"}) {
    open(folder.file(name));
    EXPECT_TRUE(screen.comes("message:error"));
    EXPECT_TRUE(becomes(left, kGreen));
    screen.clickOn("message:close");
    EXPECT_TRUE(screen.goes("message:error"));
  }
  open(folder.file("slow.pic"));
  screen.clickOn("progress:cancel");
  screen.settle();  // had it been read on, its picture would come before that
  EXPECT_FALSE(screen.has("progress:cancel"));
  EXPECT_TRUE(becomes(outside, kGreen));
  EXPECT_FALSE(screen.has("message:error"));
  folder.write("a.pic", "PIC 240 400");  // the same middle, but a black edge comes nearer
  EXPECT_TRUE(Screen::eventually([&] { return shown(outside) != kGreen; }));
  EXPECT_NEAR(screen.shot().nextEdge(area.x + area.width / 2 - 100, left.y), first, 2);
  open(folder.file("wide.pic"));  // leaves the upper part of the area empty
  EXPECT_TRUE(Screen::eventually([&] { return shown({left.x, left.y - 120}) != kGreen; }));
  EXPECT_TRUE(becomes(left, kGreen));
  EXPECT_FALSE(screen.has("help"));  // typed letters are no shortcuts
}

TEST_F(WindowTest, SettingsSurviveARestartACrashAndSignals) {
  const auto session = [&] { return readText(folder / "config/fathom/session.json"); };
  start();
  screen.clickOn("tint=blue");
  ASSERT_TRUE(becomes(left, kBlue));
  screen.key("t");  // the layout too: timings in front
  screen.settle();
  screen.quit();
  EXPECT_THAT(session(), HasSubstr("\"timings\""));
  start();
  EXPECT_TRUE(becomes(left, kBlue));
  screen.key("m");
  const auto kept = [&] { return session().find("\"memory\"") != std::string::npos; };
  EXPECT_TRUE(Screen::eventually(kept));
  screen.signal(SIGKILL);
  EXPECT_EQ(screen.waitForExit(), 128 + SIGKILL);
  EXPECT_TRUE(kept());
  writePicture(folder / "a.png", Image(64, 48, glm::vec4(0.2f, 0.4f, 0.6f, 1)));
  for (const auto& [signal, key, page] :
       {std::tuple(SIGTERM, "y", "histogram"), {SIGINT, "j", "compare"}}) {
    screen.startFathom({folder.file("a.png")});
    screen.key(key);
    screen.settle();
    screen.signal(signal);
    EXPECT_EQ(screen.waitForExit(), 0) << signal;
    EXPECT_THAT(session(), HasSubstr(fmt::format("\"{}\"", page)));
  }
}

TEST_F(WindowTest, TheReferenceIsSeenBesideThePictureAndInItsPlace) {
  start();
  screen.key("k");
  screen.settle();
  screen.clickOn("tint=red");
  // The line starts in the middle: A left of it, B right of it. Drag it to the left.
  const Place area = screen.place("picture");
  const int middle = area.x + area.width / 2;
  ASSERT_TRUE(becomes(left, kRed));
  screen.drag(middle, area.y + 40, area.x + area.width / 4 - 30, area.y + 40);
  EXPECT_TRUE(becomes(left, kGreen));
  screen.key("s");  // not side by side: only while the key is held
  screen.clickOn("setting:classes");
  screen.place("legend");
  ASSERT_TRUE(becomes(left, kRed));
  screen.keyDown("c");
  EXPECT_TRUE(becomes(left, kGreen));
  EXPECT_TRUE(screen.goes("legend"));  // it is of A
  screen.keyUp("c");
  EXPECT_TRUE(becomes(left, kRed));
  EXPECT_TRUE(screen.comes("legend"));
  screen.key("j");
  ASSERT_TRUE(screen.comes("compare:classes"));
  EXPECT_TRUE(becomes(left, kRed));
  screen.clickOn("compare:keep");
  EXPECT_TRUE(screen.goes("compare:classes"));
}

TEST_F(WindowTest, AReferenceOutlivesItsFileAndTechniqueAndSaysSo) {
  const std::string other = folder.write("b.pic", "PIC 300 400").string();
  const std::string ramp = folder.write("a.ramp", "RAMP 300 200").string();
  start();
  screen.key("k");
  ASSERT_TRUE(screen.comes("compare:psnr"));
  open(other);
  EXPECT_TRUE(screen.comes("B: a.pic"));
  EXPECT_FALSE(screen.has("compare:psnr"));  // it is not called equal
  open(ramp);
  screen.settle();
  EXPECT_TRUE(screen.has("compare:flip"));
  screen.key("z");  // B in place of A
  EXPECT_TRUE(becomes(left, kGreen));
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(WindowTest, TheSheetExportsWhatItSays) {
  start();
  screen.key("ctrl+s");  // there is nothing else to save
  screen.answerExport();
  ASSERT_TRUE(written("a.exr"));
  Image saved = readPicture(folder / "a.exr").image;
  EXPECT_EQ(glm::ivec2(saved.width, saved.height), glm::ivec2(640, 400));
  EXPECT_EQ(saved.at(100, 200), glm::vec4(0, 0.5f, 0, 1));
  // The stem is selected every time; what cannot be written is said while the sheet is open.
  screen.key("ctrl+e");
  screen.answerExport("second");
  EXPECT_TRUE(written("second.exr"));
  screen.clickOn("bar:export");
  screen.answerExport(folder.file("nowhere/b.exr"));
  EXPECT_TRUE(screen.comes("export:problem"));
  // 16 bits, and what the display shows of it.
  screen.clickOn("export:file");
  screen.key("ctrl+a");
  screen.type(folder.file("deep.png"));
  screen.clickOn("export:bits=16 bits", "export:start");
  ASSERT_TRUE(written("deep.png"));
  saved = readPicture(folder / "deep.png").image;
  EXPECT_NEAR(saved.at(100, 200).g, 0.5f, 2e-5f);
  screen.key("bracketright", "bracketright", "ctrl+e");
  screen.place("export:file");
  screen.settle();
  screen.type("shown");
  screen.clickOn("export:displayed", "export:start");
  ASSERT_TRUE(written("shown.png"));
  EXPECT_EQ(readPicture(folder / "shown.png").image.at(100, 200).g, 1);
}

TEST_F(WindowTest, AFileIsReplacedOnlyAfterAQuestion) {
  start();
  const std::string file = folder.write("a.exr", "something else").string();
  screen.key("ctrl+e");
  screen.answerExport();
  screen.place("export:replace");
  screen.key("Escape");  // takes the question back
  EXPECT_TRUE(screen.goes("export:replace"));
  EXPECT_EQ(readText(file), "something else");
  screen.clickOn("export:start", "export:keep");
  EXPECT_EQ(readText(file), "something else");
  screen.clickOn("export:start", "export:replace");
  EXPECT_TRUE(Screen::eventually([&] { return readText(file) != "something else"; }));
  // The same for what is no picture.
  folder.write("session.json", "mine");
  screen.key("ctrl+shift+s");
  screen.answerFile();
  screen.clickOn("browser:keep");
  EXPECT_EQ(readText(folder / "session.json"), "mine");
  screen.clickOn("browser:ok", "browser:replace");
  EXPECT_TRUE(Screen::eventually([&] { return readText(folder / "session.json") != "mine"; }));
}

TEST_F(WindowTest, ASceneIsExportedInAnySize) {
  picture = "spin";
  start();
  const auto before = screen.restingPicture();
  screen.key("ctrl+e");
  screen.clickOn("export:size=2 x");
  const Place area = screen.place("picture");
  screen.clickOn("export:start");
  ASSERT_TRUE(written("spin.exr")) << screen.errors();
  const Image saved = readPicture(folder / "spin.exr").image;
  EXPECT_EQ(saved.width, area.width * 2);
  EXPECT_EQ(saved.height, area.height * 2);
  ASSERT_TRUE(screen.goes("message:note"));
  EXPECT_EQ(screen.restingPicture(), before);
}

/// Counting goes on for a moment after the panel is hidden, and ends.
TEST_F(WindowTest, AHistogramThatIsHiddenEnds) {
  picture = folder.write("a.pic", "PIC 4000 2000").string();
  start();
  screen.key("y", "y");
  screen.settle();
  EXPECT_FALSE(screen.has("histogram"));
}

TEST_F(WindowTest, F12SavesWhatTheScreenShows) {
  start();
  screen.key("F12");
  ASSERT_TRUE(written("fathom-window-1.png"));
  const Picture saved = readPictureAsStored(folder / "fathom-window-1.png");
  ASSERT_EQ(saved.image.width, 1280);
  ASSERT_EQ(saved.image.height, 720);
  EXPECT_NEAR(saved.image.at(left.x, left.y).g, 188 / 255.0, 1e-3);
  EXPECT_NEAR(saved.image.at(right.x, right.y).g, 0, 1e-3);
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
  const int before = border();
  screen.key("ctrl+shift+s");
  screen.answerFile();
  ASSERT_TRUE(written("session.json"));
  screen.settle();  // until the browser is gone and keys are shortcuts again
  screen.quit();
  screen.start({"--session", folder.file("session.json")});  // inputs, settings and zoom
  EXPECT_TRUE(becomes(left, kBlue));
  EXPECT_EQ(border(), before);
}

TEST_F(WindowTest, BrokenShaderKeepsTheOldProgram) {
  std::filesystem::copy(sourcePath("shaders"), folder / "shaders",
                        std::filesystem::copy_options::recursive);
  start({}, {"FATHOM_SHADERS=" + folder.path().string()});
  const std::string good = readText(folder / "shaders/window/display.frag");
  folder.write("shaders/window/display.frag", good + "\nthis is no shader\n");
  screen.key("ctrl+r");
  EXPECT_TRUE(screen.comes("message:error"));
  EXPECT_THAT(screen.errors(), HasSubstr("display.frag"));
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
  screen.key("ctrl+v", "Return");
  // The field drops tabs and line ends.
  EXPECT_TRUE(Screen::eventually([&] {
    return screen.errors().find("linear00.5018-bit01880255") != std::string::npos;
  })) << screen.errors();
}

TEST_F(WindowTest, TheCameraOfASceneTurnsComesBackAndForgetsPixelsOutside) {
  picture = "spin";
  start();
  const Place area = screen.place("picture");
  const int y = area.y + area.height / 2;
  const auto edge = [&] { return screen.shot().nextEdge(area.x + 10, y); };
  const int first = edge();
  screen.drag(area.x + 300, y, area.x + 360, y);
  EXPECT_TRUE(Screen::eventually([&] { return std::abs(edge() - first) > 20; }));
  screen.settle();
  screen.key("ctrl+z");
  EXPECT_TRUE(Screen::eventually([&] { return edge() == first; }));
  screen.key("ctrl+y");
  EXPECT_TRUE(Screen::eventually([&] { return std::abs(edge() - first) > 20; }));
  screen.key("Home");
  EXPECT_TRUE(Screen::eventually([&] { return edge() == first; }));
  screen.key("p");  // without the panel the picture is wider
  screen.key("i");
  screen.settle();
  screen.clickAt({1240, 300});
  EXPECT_TRUE(screen.comes("inspector:pixel"));
  screen.key("p");
  EXPECT_TRUE(screen.goes("inspector:pixel"));
  screen.key("i");
  screen.clickOn("setting:aside");  // frames of 200 ms: a double click is one all the same
  screen.move(area.x + area.width / 4, y - 60);
  screen.click(1);
  screen.click(1);
  EXPECT_TRUE(Screen::eventually([&] { return std::abs(edge() - first) >= 4; }));  // it looks there
}

TEST_F(WindowTest, IdleWindowUsesLittleTime) {
  start();
  screen.move(left.x, left.y);
  screen.settle();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const double before = screen.cpuSeconds();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_LT(screen.cpuSeconds() - before, 0.05 * 2);
}

TEST_F(WindowTest, ATechniqueWithoutFacetsIsShown) {
  picture = folder.write("a.ramp", "RAMP 300 200").string();
  start();
  const auto smooth = screen.restingPicture();
  screen.key("t");
  screen.place("panel:timings");
  screen.key("ctrl+z");  // there is nothing to undo
  screen.quit();
  start({"--set", "steps=4"});
  EXPECT_NE(screen.restingPicture(), smooth);
}

TEST_F(WindowTest, ScriptsWriteTheWindowOrFailWithALine) {
  const std::string file = folder.file("shot.png"),
                    broken = folder.write("broken.pic", "no picture at all").string();
  struct Script {
    std::vector<std::string> arguments;
    int code;
    const char* says;
  };
  for (const Script& script : std::vector<Script>{
           {{picture, "--frames", "2", "--size", "900x600", "--set", "tint=red", "--screenshot",
             file},
            0,
            ""},
           {{broken, "--frames", "1"}, 1, "broken.pic: expected PIC WIDTH HEIGHT"},
           {{picture, "--set", "tin=red"}, 2, "tint"},  // the nearest name is offered
           {{picture, "--open-panel", "engine"}, 2, "timings"}}) {
    std::vector<std::string> command = script.arguments;
    command.insert(command.begin(), VIEWER_DRIVER);
    const test::Outcome outcome = screen.run(command);
    EXPECT_EQ(outcome.code, script.code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(script.says));
  }
  const Picture saved = readPictureAsStored(file);
  EXPECT_EQ(saved.image.width, 900);
  EXPECT_EQ(saved.image.height, 600);
  EXPECT_NEAR(saved.image.at(120, 200).r, 188 / 255.0, 1e-3);
}

}  // namespace
}  // namespace fathom::viewer
