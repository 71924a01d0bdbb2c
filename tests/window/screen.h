// SPDX-License-Identifier: BSD-3-Clause
// A virtual display of its own with the window on it, real key presses and clicks, and what is on
// the screen afterwards. Positions come from the names that the window notes (landmarks.h).
#pragma once

#include "tests/support/program.h"
#include "tests/support/temp_folder.h"
#include "tests/window/x_client.h"

#include <sys/types.h>

namespace fathom::viewer {

/// What the display shows: uint8_t[height][width][3].
struct Shot {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
  glm::ivec3 at(int x, int y) const;
  /// The first column of row y, from x on, that differs from column x; width when none does.
  int nextEdge(int x, int y) const;
};

struct Place {
  int x = 0, y = 0, width = 0, height = 0;
};

/// An X server without a screen, for as long as this lives.
class XServer {
 public:
  XServer();
  ~XServer();
  XServer(const XServer&) = delete;
  XServer& operator=(const XServer&) = delete;
  const std::string& display() const { return display_; }

 private:
  pid_t process_ = -1;
  std::string display_;
};

class Screen : public XServer, public XClient {
 public:
  /// Starts the display; `folder` is where the window runs and keeps its session.
  explicit Screen(const test::TempFolder& folder);
  ~Screen();  // says what the window showed, if the test has failed
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Starts the window and waits until it shows its picture and rests.
  void start(std::vector<std::string> arguments, const std::vector<std::string>& environment = {});
  /// The same with the program itself: `fathom view ARGUMENTS`.
  void startFathom(const std::vector<std::string>& arguments, const std::string& until = "idle");
  /// The same, but waits only for the picture, which may go on refining.
  void startRefining(const std::vector<std::string>& arguments) {
    startFathom(arguments, "status:work");
  }
  /// What the window has written on standard error since the start.
  std::string errors() const;
  /// Waits for the program's end; its exit code, or 128 + signal.
  int waitForExit();
  /// As a user ends it; it must ask nothing and end well.
  void quit() {
    key("ctrl+q");
    EXPECT_EQ(waitForExit(), 0);
  }
  bool running();
  /// Sends the window a signal.
  void signal(int number);

  /// Once the window has seen the mouse there.
  void clickAt(glm::ivec2 at);
  void clickOn(const std::string& landmark);
  template <class... More>  // one after the other
  void clickOn(const std::string& landmark, const std::string& next, const More&... more) {
    clickOn(landmark), clickOn(next, more...);
  }
  void drag(int fromX, int fromY, int toX, int toY, int button = 1);

  /// Waits until the window has taken in all of this; it may go on working.
  void awaitTaken();
  /// The same, until it rests again.
  void settle();

  std::map<std::string, Place> landmarks() const;
  Place place(const std::string& landmark);  // waits for it
  bool has(const std::string& landmark) const { return landmarks().contains(landmark); }
  /// Waits until it is there, or no more; whether it is so.
  bool comes(const std::string& landmark) const {
    return eventually([&] { return has(landmark); });
  }
  bool goes(const std::string& landmark) const {
    return eventually([&] { return !has(landmark); });
  }
  glm::ivec2 middleOf(const std::string& landmark) {
    const Place at = place(landmark);
    return {at.x + at.width / 2, at.y + at.height / 2};
  }
  /// Turns the wheel over a page that is longer than the window.
  void scrollTo(const std::string& landmark);
  /// Answers the dialog that asks for a file, or the sheet of exports; empty: with what it offers.
  void answerFile(const std::string& path = {}) { answer("browser:path", path); }
  void answerExport(const std::string& path = {}) { answer("export:file", path); }
  Shot shot();
  /// What it shows of the picture once the window rests, with the mouse off it: rows of RGB.
  std::vector<std::uint8_t> restingPicture();
  /// Runs another program on this display.
  test::Outcome run(const std::vector<std::string>& command) const;
  /// Seconds of CPU time that the window has used so far.
  double cpuSeconds() const;
  /// MiB of memory that the window has resident, and its open descriptors.
  std::pair<double, int> holds() const;

  /// Waits until it holds, for as long as patience lasts; whether it does.
  static bool eventually(const std::function<bool()>& holds);

 private:
  void launchWindow(std::vector<std::string> command, const std::vector<std::string>& environment,
                    const std::string& until);
  void stopWindow();
  std::string state();
  void answer(const std::string& field, const std::string& path);
  const test::TempFolder& folder_;
  pid_t window_ = -1;
  int marks_ = 0;  // keys sent by settle()
};

/// A window on a display of its own and the folder where it runs. Neither the driver nor a
/// sanitizer may have complained at the end.
class ScreenTest : public ::testing::Test {
 protected:
  void TearDown() override;
  std::vector<std::uint8_t> picture() { return screen.restingPicture(); }
  glm::ivec2 middle() { return screen.middleOf("picture"); }
  glm::ivec3 shown(glm::ivec2 at) { return screen.shot().at(at.x, at.y); }
  bool becomes(glm::ivec2 at, glm::ivec3 color) {
    return Screen::eventually([&] { return shown(at) == color; });
  }
  /// Whether the window's title begins so, or comes to.
  bool shows(const std::string& title);
  /// Writes a picture of one color; its path.
  std::string flatPicture(const char* name, glm::vec4 linear) const;
  /// Writes an EXR of these channels, 40 x 30 at this place of a frame of this size; 0.5 in
  /// "diffuse.R" and 0 else. Its path.
  std::string layers(glm::ivec2 at, glm::ivec2 frame, const std::vector<std::string>& names) const;
  /// Whether a file of this name is there, or comes.
  bool written(const std::string& name) const {
    return Screen::eventually([&] { return std::filesystem::exists(folder / name); });
  }

  test::TempFolder folder;
  Screen screen{folder};
};

/// Sierpinski's triangle, quickly drawn.
inline constexpr const char* kFlame =
    R"(<flame name="test" size="320 240" center="0.4 0.4" scale="150"
  quality="20" estimator_radius="0" brightness="20">
  <xform weight="1" color="0" linear="1" coefs="0.5 0 0 0.5 0 0"/>
  <xform weight="1" color="0.5" linear="1" coefs="0.5 0 0 0.5 0.5 0"/>
  <xform weight="1" color="1" linear="1" coefs="0.5 0 0 0.5 0 0.5"/>
  <color index="0" rgb="255 80 40"/><color index="128" rgb="60 220 90"/>
  <color index="255" rgb="70 90 255"/>
</flame>)";

/// A window that shows it, with the mouse off it.
class FlameTest : public ScreenTest {
 protected:
  void SetUp() override {
    folder.write("test.flame", kFlame);
    start();
  }
  void start() {
    screen.startFathom({folder.file("test.flame")});
    screen.move(640, 712);
  }
};

inline const glm::ivec3 kBlack(0), kRed(188, 0, 0), kGreen(0, 188, 0), kBlue(0, 0, 188);  // of 0.5

/// A window that shows a picture of 640 x 400: green in the left half, black in the right one.
class PictureTest : public ScreenTest {
 protected:
  void SetUp() override { picture = folder.write("a.pic", "PIC 640 400").string(); }
  void start(std::vector<std::string> more = {}, const std::vector<std::string>& environment = {});
  /// In the file dialog.
  void open(const std::string& path);
  int border() { return screen.shot().nextEdge(left.x, left.y); }  // of the halves

  std::string picture;
  glm::ivec2 left{0}, right{0};  // within the halves, on the screen
};

}  // namespace fathom::viewer
