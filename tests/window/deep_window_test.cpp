// SPDX-License-Identifier: BSD-3-Clause
// The depth view in the program's own window: the list of inputs, peeling, points in space that
// orbit, the heaviest pixels; settings that change nothing, a file that is cut, a scene.
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/flat_exr.h"
#include "tests/support/synthetic_deep.h"
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class DeepWindowTest : public ScreenTest {
 protected:
  void SetUp() override {
    for (const std::uint32_t seed : {1u, 2u})
      writeDeepExr(
          folder / names[seed - 1],
          test::sphereField({.width = 160, .height = 100, .meanFragments = 6, .seed = seed}));
  }
  void open(const std::string& page) {
    screen.startFathom({folder.file(names[0]), folder.file(names[1]), "--open-panel", page});
  }

  const std::string names[2] = {"near.exr", "far.exr"};
};

TEST_F(DeepWindowTest, InputsAreHiddenMovedSavedAndRemoved) {
  open("inputs");
  const auto both = picture();
  screen.clickOn("input:visible-far.exr");
  const auto hidden = picture();
  EXPECT_NE(hidden, both);
  screen.clickOn("input:visible-far.exr");
  EXPECT_EQ(picture(), both);
  const int near = screen.place("input:near.exr").y;
  screen.clickOn("input:down-near.exr");
  ASSERT_TRUE(Screen::eventually(
      [&] { return screen.place("input:near.exr").y > screen.place("input:far.exr").y; }));
  EXPECT_EQ(screen.place("input:far.exr").y, near);
  screen.clickOn("bar:save");
  screen.answerFile(folder.file("merged.exr"));
  ASSERT_TRUE(written("merged.exr"));
  EXPECT_EQ(readDeepExr(folder / "merged.exr").fragmentCount(),
            readDeepExr(folder / names[0]).fragmentCount() +
                readDeepExr(folder / names[1]).fragmentCount());
  const auto age = [&] { return std::filesystem::last_write_time(folder / "merged.exr"); };
  const auto saved = age();
  screen.clickOn("bar:save");
  screen.answerFile(folder.file("merged.exr"));  // asks
  ASSERT_TRUE(screen.comes("browser:replace"));
  EXPECT_EQ(age(), saved);
  screen.clickOn("browser:replace");
  EXPECT_TRUE(Screen::eventually([&] { return age() != saved; }));
  screen.clickOn("bar:save");
  screen.answerFile(folder.file(names[0]));
  screen.clickOn("browser:replace");
  ASSERT_TRUE(screen.comes("message:error"));
  EXPECT_THAT(screen.errors(), HasSubstr("expected another file than the inputs"));
  screen.clickOn("message:close");
  screen.clickOn("input:remove-far.exr");
  ASSERT_TRUE(screen.goes("input:far.exr"));
  EXPECT_NE(picture(), both);
  EXPECT_TRUE(screen.has("add-input"));
  const TempFolder alone;
  Screen other(alone);
  other.startFathom({folder.file(names[0]), "--open-panel", "inputs"});
  EXPECT_EQ(other.restingPicture(), hidden);
}

TEST_F(DeepWindowTest, StepsAreAddedDraggedSwitchedOffMovedAndTakenBack) {
  open("inputs");
  const auto plain = picture();
  screen.clickOn("input:near.exr");  // its file is in the way
  screen.clickOn("step:add", "step=grade");
  const auto added = picture();
  const glm::ivec2 gain = screen.middleOf("step:gain");
  screen.drag(gain.x, gain.y, gain.x - 100, gain.y);  // to 0.5
  const auto darker = picture();
  EXPECT_NE(darker, added);
  screen.clickOn("step:on-1");
  EXPECT_EQ(picture(), plain);
  screen.clickOn("step:on-1");
  EXPECT_EQ(picture(), darker);
  for (const auto& before : {plain, darker, added}) {  // one step of the history per gesture
    screen.key("ctrl+z");
    EXPECT_EQ(picture(), before);
  }
  screen.key("ctrl+y");
  EXPECT_EQ(picture(), darker);
  screen.clickOn("step:1");  // closed
  screen.clickOn("step:add", "step=hold-out");
  const auto held = picture();
  EXPECT_NE(held, darker);
  screen.clickOn("step:up-2");
  EXPECT_EQ(picture(), held);
  screen.clickOn("bar:save");
  screen.answerFile(folder.file("shot.recipe"));
  ASSERT_TRUE(written("shot.recipe"));
  EXPECT_THAT(readText(folder / "shot.recipe"), HasSubstr("hold-out far\ngrade gain=0."));
  screen.clickOn("step:remove-2");
  ASSERT_TRUE(screen.goes("step:2"));
  EXPECT_NE(picture(), held);
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(DeepWindowTest, ARecipeIsOpenedAndSaidWhereItIsWrong) {
  open("inputs");
  const auto plain = picture();
  folder.write("shot.recipe", "# darker\ngrade near gain=0.5\nexpression \"B = B / 2\"\n");
  screen.key("ctrl+o");
  screen.answerFile(folder.file("shot.recipe"));
  ASSERT_TRUE(screen.comes("step:3"));
  const auto made = picture();
  EXPECT_NE(made, plain);
  screen.clickOn("bar:save");
  screen.answerFile(folder.file("merged.exr"));
  ASSERT_TRUE(written("merged.exr"));
  const Outcome run = runFathom({"deep", "run", folder.file("shot.recipe"), folder.file(names[0]),
                                 folder.file(names[1]), "-o", folder.file("run.exr")});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(sameFragments(readDeepExr(folder / "merged.exr"), readDeepExr(folder / "run.exr")));
  // A wrong text is said at its step, and the old picture stays.
  screen.clickOn("step:3", "step:expression");
  screen.key("ctrl+a");
  screen.type("B = Q");
  screen.key("Return");
  ASSERT_TRUE(screen.comes("step:error-3"));
  EXPECT_THAT(screen.errors(), HasSubstr("--do:3: expression: "));
  screen.clickOn("message:close");
  EXPECT_TRUE(Screen::eventually([&] { return picture() == made; }));
  screen.key("ctrl+z");
  EXPECT_TRUE(screen.goes("step:error-3"));
  EXPECT_EQ(picture(), made);
}

TEST_F(DeepWindowTest, PeelingChangesThePictureAndADoubleClickEndsIt) {
  open("depth");
  const auto whole = picture();
  const Place strip = screen.place("depth:strip");
  const int y = strip.y + strip.height / 2, to = strip.x + strip.width * 2 / 5;
  screen.drag(strip.x + 1, y, to, y);
  const auto slow = picture();
  ASSERT_NE(slow, whole);
  screen.drag(strip.x + strip.width - 1, y, strip.x + strip.width * 3 / 4, y);
  EXPECT_NE(picture(), slow);
  screen.clickAt({strip.x + strip.width / 2, y});
  screen.click(1);
  EXPECT_EQ(picture(), whole);
  // The last movement and the release reach the window in one frame.
  screen.move(strip.x + 1, y);
  screen.settle();
  screen.press(1);
  screen.settle();
  screen.move(to, y);
  screen.release(1);
  EXPECT_EQ(picture(), slow);
}

TEST_F(DeepWindowTest, ThePageOfDepthShowsHeatPointsRegionsAndHeavyPixels) {
  open("depth");
  const auto merged = picture();
  screen.clickOn("depth-view=heat-map");
  EXPECT_NE(picture(), merged);
  screen.clickOn("depth-view=picture");
  EXPECT_EQ(picture(), merged);
  screen.key("d");
  const auto points = picture();
  EXPECT_NE(points, merged);
  const glm::ivec2 at = middle();
  screen.drag(at.x, at.y, at.x + 90, at.y + 20);
  EXPECT_NE(picture(), points);
  std::this_thread::sleep_for(std::chrono::seconds(1));  // frames that follow an event are over
  const double before = screen.cpuSeconds();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_LT(screen.cpuSeconds() - before, 0.05);  // nothing is drawn at rest
  screen.key("Home");
  EXPECT_EQ(picture(), points);
  screen.key("d");
  EXPECT_EQ(picture(), merged);
  screen.keyDown("shift");
  screen.drag(at.x - 60, at.y - 40, at.x + 60, at.y + 40);
  screen.keyUp("shift");
  const auto part = picture();
  EXPECT_NE(part, merged);
  screen.clickOn("depth:whole");
  EXPECT_NE(picture(), part);
  const auto whole = picture();
  const Place strip = screen.place("depth:strip");
  screen.move(strip.x + strip.width / 2, strip.y + 250);
  for (int i = 0; i < 30; ++i) screen.click(5);  // down to the end of the page
  screen.clickOn("depth:heavy-1");
  EXPECT_NE(picture(), whole);  // nearer, with a mark
  screen.key("Escape");
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(DeepWindowTest, TheDisplayWindowIsOutlinedAndPixelsCountAsInTheFile) {
  DeepImage image = test::sphereField({.width = 60, .height = 40, .meanFragments = 6, .seed = 3});
  image.dataWindow.x = 30, image.dataWindow.y = 10;
  image.displayWindow = {0, 0, 160, 100};
  writeDeepExr(folder / "part.exr", image);
  screen.startFathom({folder.file("part.exr"), "--pixel", "35,12"});
  picture();
  EXPECT_TRUE(screen.has("deep:display-window"));
  screen.clickOn("tab:inspector");
  EXPECT_TRUE(screen.comes("inspector:pixel 35, 12")) << screen.errors();
  screen.key("d");  // points in space: what is pinned stays what it was
  picture();
  screen.clickAt(middle());
  picture();
  EXPECT_TRUE(screen.has("inspector:pixel 35, 12"));
  screen.key("d");
  picture();
  EXPECT_TRUE(screen.has("inspector:pixel 35, 12"));
}

TEST_F(DeepWindowTest, AFileWithANumberOpensWithItsNeighbors) {
  for (const std::uint32_t frame : {1u, 2u, 3u})
    writeDeepExr(folder / ("s." + std::to_string(frame) + ".exr"),
                 test::sphereField({.width = 60, .height = 40, .meanFragments = 6, .seed = frame}));
  screen.startFathom({folder.file("s.1.exr"), "--open-panel", "inputs"});
  const auto first = picture();
  const Place slider = screen.place("frames:slider");
  screen.move(slider.x + slider.width - 8, slider.y + slider.height / 2);
  screen.click(1);
  ASSERT_TRUE(screen.comes("input:s.3.exr"));
  const auto last = picture();
  EXPECT_NE(last, first);
  screen.clickOn("frames:play");
  for (int round = 0; round < 8; ++round)  // nothing but playing calls for frames
    for (const char* const file : {"s.2.exr", "s.3.exr"})
      ASSERT_TRUE(screen.comes(std::string("input:") + file)) << round;
  screen.clickOn("frames:play");
}

TEST_F(DeepWindowTest, CutFileLeavesTheOldPicture) {
  open("settings");
  const auto merged = picture();
  std::string cut = readText(folder / names[0]);
  cut.resize(cut.size() / 2);
  folder.write(names[0], cut);  // the window notices that an open file changed
  ASSERT_TRUE(screen.comes("message:error"));
  EXPECT_THAT(screen.errors(), HasSubstr(names[0] + ": "));
  screen.clickOn("message:close");
  // The message fades; then the old picture is there, unchanged.
  EXPECT_TRUE(Screen::eventually([&] { return picture() == merged; }));
}

/// Opens a gray picture of 60 x 60 pixels, each twice as wide as it is high.
class WidePixelsTest : public DeepWindowTest {
 protected:
  void expectTwiceAsWideAsHigh(const std::string& file) {
    screen.startFathom({file});
    screen.clickOn("tab:inspector");  // the strip takes its room before anything is measured
    picture();
    const Place area = screen.place("picture");
    const Shot shot = screen.shot();
    const int y = area.y + area.height / 2, left = shot.nextEdge(area.x, y),
              right = shot.nextEdge(left, y);
    int top = area.y, bottom = y;
    const int x = area.x + area.width / 2;
    while (shot.at(x, top) != shot.at(x, y)) ++top;
    while (bottom < area.y + area.height && shot.at(x, bottom) == shot.at(x, y)) ++bottom;
    EXPECT_NEAR(double(right - left) / (bottom - top), 2, 0.02);
    inside = {left + (right - left) * 3 / 4 + 2, top + (bottom - top) / 4 + 2};
  }

  glm::ivec2 inside{0};  // of the window: three quarters to the right, a quarter down
};

TEST_F(WidePixelsTest, OfADeepImage) {
  DeepImage image = test::sphereField({.width = 60, .height = 60, .meanFragments = 1, .seed = 1});
  image.pixelAspect = 2;
  image.words.clear();
  image.fragmentOffsets = {0};
  for (std::size_t p = 1; p <= image.pixelCount(); ++p) {  // gray, opaque, at 2
    image.words.insert(image.words.end(), {0x38003800, 0x3c003800, 0x40000000, 0x40000000});
    image.fragmentOffsets.push_back(p);
  }
  writeDeepExr(folder / "wide.exr", image);
  expectTwiceAsWideAsHigh(folder.file("wide.exr"));
  screen.move(inside.x, inside.y);
  screen.click(1);
  EXPECT_TRUE(screen.comes("inspector:pixel 45, 15"));
}

TEST_F(WidePixelsTest, OfAFlatPicture) {
  writeFlatExr(folder.file("wide.exr"), Image(60, 60, glm::vec4(0.5f, 0.5f, 0.5f, 1)),
               {.pixelAspect = 2});
  expectTwiceAsWideAsHigh(folder.file("wide.exr"));
}

}  // namespace
}  // namespace fathom::viewer
