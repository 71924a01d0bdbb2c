// SPDX-License-Identifier: BSD-3-Clause
// A pull of focus made in the program's own window over the frames of a sequence, as a person makes
// it: by clicks on what is to be sharp, saved, rendered, and dropped on the window again.
#include "app/engine/io/picture.h"
#include "tests/window/screen.h"

#include <nlohmann/json.hpp>

#include <csignal>

namespace fathom::viewer {
namespace {

class FocusPullTest : public ScreenTest {
 protected:
  /// Three frames of a checked picture, near on the left, far on the right, ever brighter.
  void SetUp() override {
    std::vector<float> depth(64 * 48);
    for (int i = 0; i < 64 * 48; ++i) depth[std::size_t(i)] = i % 64 < 32 ? 3.0f : 12.0f;
    for (int frame = 1; frame <= 3; ++frame) {
      Image image(64, 48);
      for (int i = 0; i < 64 * 48; ++i)
        image.pixels[std::size_t(i)] = glm::vec4(
            glm::vec3(0.1f + 0.25f * float(frame) * float((i % 64 / 2 + i / 64 / 2) % 2)), 1);
      writeFlatExr(folder.file(fmt::format("shot.{}.exr", frame)), image, {.depth = depth});
    }
  }
  void start(const std::string& file) {
    screen.startFathom({folder.file(file), "--technique", "dof", "--set", "mm-per-unit=1000",
                        "--set", "focal-length=300", "--open-panel", "pull"});
  }
  /// Clicks on the picture, `share` of its width from the left.
  void focusAt(double share) {
    const Place area = screen.place("picture");
    screen.settle();
    const int side = std::min(area.width, area.height * 64 / 48);  // where it lies, whole
    screen.move(area.x + area.width / 2 + int((share - 0.5) * 0.8 * side),
                area.y + area.height / 2 + 9);
    screen.settle();
    screen.click(1);
    screen.settle();
  }
  nlohmann::json saved() {
    return nlohmann::json::parse(readText(folder / "focus-pull.json"))["focus-distance"];
  }

  /// The first frame, with a key of focus.
  void startWithAKey() {
    start("shot.1.exr");
    ASSERT_TRUE(screen.comes("pull:at=1"));
    focusAt(0.25);
    screen.key("ctrl+k");
    ASSERT_TRUE(screen.comes("pull:key:focus:1"));
  }

  /// And the third frame with a key of its own, focused on what is far.
  void startWithTwoKeys() {
    ASSERT_NO_FATAL_FAILURE(startWithAKey());
    screen.key("Right", "Right");
    ASSERT_TRUE(screen.comes("pull:at=3"));
    screen.settle();
    EXPECT_FALSE(screen.has("pull:key:focus:3"));
    focusAt(0.75);  // with keys, that is the key of this frame
    ASSERT_TRUE(screen.comes("pull:key:focus:3"));
  }
  int middleOfRuler() {
    const Place first = screen.place("pull:key:focus:1"), ruler = screen.place("pull:ruler");
    return (first.x + ruler.x + ruler.width) / 2;
  }
  void save() {
    screen.key("ctrl+s");
    screen.answerFile();
    ASSERT_TRUE(written("focus-pull.json"));
  }
};

TEST_F(FocusPullTest, KeysAreTakenBackMovedAndDeleted) {
  ASSERT_NO_FATAL_FAILURE(startWithTwoKeys());
  const auto marked = screen.restingPicture();
  screen.key("ctrl+z");
  ASSERT_TRUE(screen.goes("pull:key:focus:3"));
  const auto undone = screen.restingPicture();
  EXPECT_NE(undone, marked);
  screen.key("ctrl+y");
  ASSERT_TRUE(screen.comes("pull:key:focus:3"));
  const auto last = screen.restingPicture();
  EXPECT_NE(last, undone);  // both without the mark of the click
  // Scrubbing shows other frames.
  const Place key = screen.place("pull:key:focus:3");
  const int ruler = screen.place("pull:ruler").y + 5, end = key.x + key.width / 2;
  screen.drag(end, ruler, middleOfRuler(), ruler);
  ASSERT_TRUE(screen.comes("pull:at=2"));
  EXPECT_NE(screen.restingPicture(), last);
  screen.drag(middleOfRuler(), ruler, end, ruler);
  ASSERT_TRUE(screen.comes("pull:at=3"));
  EXPECT_EQ(screen.restingPicture(), last);
  const int y = key.y + key.height / 2;
  screen.drag(end, y, middleOfRuler(), y);
  EXPECT_TRUE(screen.comes("pull:key:focus:2"));
  EXPECT_TRUE(screen.comes("pull:at=2"));
  screen.key("shift+Delete");
  EXPECT_TRUE(screen.goes("pull:key:focus:2"));
  screen.key("ctrl+z", "ctrl+z");
  EXPECT_TRUE(screen.comes("pull:key:focus:3"));
}

TEST_F(FocusPullTest, KeysAreSavedRenderedByTheCopiedLineAndDroppedOnAnotherFrame) {
  ASSERT_NO_FATAL_FAILURE(startWithTwoKeys());
  ASSERT_NO_FATAL_FAILURE(save());
  EXPECT_EQ(saved(), nlohmann::json::parse("[[1, 3], [3, 12]]"));
  if (test::runProgram({"sh", "-c", "command -v xclip"}).code == 0) {
    screen.settle();
    screen.clickOn("pull:copy");
    screen.settle();
    const std::string line = screen.run({"xclip", "-selection", "clipboard", "-o"}).out;
    ASSERT_TRUE(line.starts_with("fathom dof render ")) << line;
    EXPECT_THAT(line, HasSubstr("shot.#.exr"));
    std::istringstream words(line.substr(6));
    const std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
    const test::Outcome outcome = test::runFathom(arguments, {.folder = folder.path()});
    EXPECT_EQ(outcome.code, 0) << line << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder / "focus.0003.exr")) << line;
  }
  screen.quit();  // nothing is unsaved: no question
  start("shot.2.exr");
  ASSERT_TRUE(screen.comes("pull:at=2"));
  EXPECT_FALSE(screen.has("pull:key:focus:1"));
  const Place area = screen.place("picture");
  screen.move(area.x + area.width / 2, area.y + area.height / 2);
  ASSERT_TRUE(screen.dropFiles({folder.file("focus-pull.json")}));
  ASSERT_TRUE(screen.comes("pull:key:focus:3"));
  screen.settle();
  screen.key("space");
  EXPECT_TRUE(screen.comes("pull:at=1"));
  EXPECT_TRUE(screen.comes("pull:at=3"));
  screen.key("space");
  EXPECT_TRUE(screen.comes("idle"));
}

TEST_F(FocusPullTest, ASignalLosesNoKey) {
  ASSERT_NO_FATAL_FAILURE(startWithAKey());
  screen.settle();
  screen.signal(SIGTERM);
  ASSERT_EQ(screen.waitForExit(), 0);
  start("shot.3.exr");
  ASSERT_TRUE(screen.comes("pull:at=3"));
  screen.clickOn("recovery:open");  // with what was open then
  EXPECT_TRUE(screen.comes("pull:key:focus:1"));
  EXPECT_TRUE(screen.comes("pull:at=1"));
}

/// A setting that is a file has the dialog beside it.
TEST_F(FocusPullTest, AMaskIsChosenInTheFileDialog) {
  writePicture(folder.file("black.png"), Image(64, 48, glm::vec4(0, 0, 0, 1)));
  start("shot.1.exr");
  const auto blurred = screen.restingPicture();
  screen.key("ctrl+f");
  screen.settle();
  screen.type("focus mask");
  ASSERT_TRUE(screen.comes("choose:mask"));
  screen.settle();
  screen.clickOn("choose:mask");
  ASSERT_TRUE(screen.comes("browser:path"));
  screen.settle();
  screen.type(folder.file("black.png"));
  screen.key("Return");
  ASSERT_TRUE(screen.comes("reset:mask"));
  EXPECT_NE(screen.restingPicture(), blurred);
  screen.clickOn("reset:mask");
  EXPECT_EQ(screen.restingPicture(), blurred);
}

/// The page of variants: a choice is used, impossible ones change nothing, a sweep leaves the
/// window answering, and its table holds a row for every variant.
TEST_F(ScreenTest, VariantsAreChosenAndSwept) {
  screen.startFathom({"planes", "--technique", "dof", "--open-panel", "variants", "--no-profile",
                      "--set", "operator=over", "--set", "max-radius=8", "--set", "layers=first"});
  const auto choice = [&] {  // the middle of its circle
    const Place at = screen.place("variants:order=btf");
    return shown({at.x + at.height / 2, at.y + at.height / 2});
  };
  const glm::ivec3 grey = choice();  // C1: early is block
  screen.clickOn("variants:early=none");
  screen.move(300, 600);
  ASSERT_TRUE(Screen::eventually([&] { return choice() != grey; }));
  screen.clickOn("variants:early=each");
  screen.move(300, 600);
  ASSERT_TRUE(Screen::eventually([&] { return choice() == grey; }));
  screen.clickOn("variants:order=btf");  // C1: early is each
  screen.move(300, 600);
  EXPECT_TRUE(Screen::eventually([&] { return choice() == grey; }));
  screen.clickOn("variants:early=none", "variants:order=btf");
  screen.settle();
  screen.clickOn("variants:measure");
  ASSERT_TRUE(screen.comes("variants:best"));
  for (int i = 0; i < 3; ++i) {
    const auto asked = std::chrono::steady_clock::now();
    screen.key("h");
    ASSERT_TRUE(screen.comes("help"));
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(3));
    screen.key("h");
    ASSERT_TRUE(screen.goes("help"));
    EXPECT_TRUE(screen.has("variants:stop"));  // it goes on meanwhile
  }
  screen.clickOn("variants:best", "variants:stop");
  ASSERT_TRUE(screen.comes("variants:measure"));
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

}  // namespace
}  // namespace fathom::viewer
