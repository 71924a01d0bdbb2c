// SPDX-License-Identifier: BSD-3-Clause
// The timeline of flames in the program's own window, used as a person uses it.
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

/// Sierpinski's triangle, its last corner at (x, y).
std::string flame(const std::string& name, double time, double x, double y) {
  return fmt::format(R"(<flame name="{}" time="{}" size="320 240" center="0.4 0.4" scale="150"
  quality="20" estimator_radius="0" brightness="20" temporal_samples="20">
  <xform weight="1" color="0" linear="1" coefs="0.5 0 0 0.5 0 0"/>
  <xform weight="1" color="0.5" linear="1" coefs="0.5 0 0 0.5 0.5 0"/>
  <xform weight="1" color="1" linear="1" coefs="0.5 0 0 0.5 {} {}"/>
  <color index="0" rgb="255 80 40"/><color index="128" rgb="60 220 90"/>
  <color index="255" rgb="70 90 255"/>
</flame>
)",
                     name, time, x, y);
}

class TimelineTest : public ScreenTest {
 protected:
  void SetUp() override {
    folder.write("film.flame", "<flames>" + flame("left", 0, 0, 0.5) +
                                   flame("right", 20, 0.5, 0.5) + flame("top", 40, 0.2, 0.3) +
                                   "</flames>");
  }
  void start(const std::string& file = "film.flame", std::vector<std::string> more = {}) {
    more.insert(more.begin(), folder.file(file));
    screen.startFathom(more);
    screen.move(640, 712);
  }
  bool standsAt(const std::string& time) { return screen.comes("timeline:at=" + time); }
  /// The time that the strip says.
  double time() {
    for (const auto& [name, place] : screen.landmarks())
      if (name.starts_with("timeline:at=")) return std::stod(name.substr(12));
    return -1;
  }
  int kept() {
    for (const auto& [name, place] : screen.landmarks())
      if (name.starts_with("timeline:kept=")) return std::stoi(name.substr(14));
    return -1;
  }
  int keyCount() {
    int count = 0;
    for (const auto& [name, place] : screen.landmarks()) count += name.starts_with("key:");
    return count;
  }
  bool becomesKeys(int count) {
    return Screen::eventually([&] { return keyCount() == count; });
  }
  /// Where on the screen a time lies along the ruler.
  int xOf(double time) {
    const Place a = screen.place("key:0"), b = screen.place("key:1");
    const double perFrame = double(b.x - a.x) / 20;  // while these are at 0 and 20
    return a.x + a.width / 2 + int(std::lround(perFrame * time));
  }
  int rulerY() {  // among the numbers, where no keyframe is
    return screen.place("timeline:ruler").y + 8;
  }
  /// Mean difference of two pictures, in levels. Noise is well below 1.
  static double apart(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    if (a.size() != b.size() || a.empty()) return 255;
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(double(a[i]) - double(b[i]));
    return sum / double(a.size());
  }
  void scrubTo(double time) {
    const int y = rulerY(), at = screen.place("timeline:at=" + shownTime()).x + 2;
    screen.drag(at, y, xOf(time), y);
  }
  std::string shownTime() {
    for (const auto& [name, place] : screen.landmarks())
      if (name.starts_with("timeline:at=")) return name.substr(12);
    return "0";
  }
};

TEST_F(TimelineTest, ScrubbingShowsTheMomentsBetween) {
  start();
  const auto first = picture();
  scrubTo(10);
  EXPECT_TRUE(standsAt("10"));
  const auto between = picture();
  EXPECT_GT(apart(between, first), 1);
  screen.key("Next");  // to the keyframe at 20
  EXPECT_TRUE(standsAt("20"));
  EXPECT_GT(apart(picture(), between), 1);
  screen.key("Home");
  EXPECT_TRUE(standsAt("0"));
  EXPECT_EQ(picture(), first);
}

TEST_F(TimelineTest, SpacePlaysAndKeepsFrames) {
  start();
  const auto first = picture();
  EXPECT_EQ(kept(), 0);
  screen.key("space");
  EXPECT_TRUE(Screen::eventually([&] { return kept() == 40; }));  // the whole loop
  // Played from memory, it keeps its speed: 24 frames per second.
  const double from = time();
  std::this_thread::sleep_for(std::chrono::milliseconds(750));
  const double moved = std::fmod(time() - from + 40, 40.0);
  EXPECT_GE(moved, 12);
  EXPECT_LE(moved, 26);
  screen.key("space");
  double stopped = -1;
  ASSERT_TRUE(Screen::eventually([&] {
    stopped = time();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return screen.has("idle") && time() == stopped;
  }));
  EXPECT_EQ(stopped, std::floor(stopped));
  // At rest nothing is drawn any more.
  picture();
  const double before = screen.cpuSeconds();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_LT(screen.cpuSeconds() - before, 0.05 * 2);
  EXPECT_EQ(time(), stopped);
  screen.key("Home");
  EXPECT_EQ(picture(), first);
}

/// A flame whose last corner moves by curves: shown at the frame that the file names, played, and
/// made into keyframes, which can be edited.
TEST_F(TimelineTest, AFilmOfJWildfirePlays) {
  std::string moving = flame("film", 0, 0, 0.5);
  const auto insertBehind = [&](const std::string& found, const std::string& text) {
    moving.insert(moving.rfind(found) + found.size(), text);
  };
  insertBehind("coefs=\"0.5 0 0 0.5 0 0.5\"",
               R"( xyCoeff20Curve_enabled="true" xyCoeff20Curve_point_count="2"
 xyCoeff20Curve_x0="1" xyCoeff20Curve_y0="0" xyCoeff20Curve_x1="21" xyCoeff20Curve_y1="0.9")");
  insertBehind("<flame", R"( version="JWildfire V9.00" frame="5" frame_count="21")");
  folder.write("jwf.flame", moving);
  start("jwf.flame");
  EXPECT_TRUE(standsAt("5"));
  const auto middle = picture();
  screen.key("Home");
  EXPECT_GT(apart(picture(), middle), 1);
  screen.key("space");
  EXPECT_TRUE(Screen::eventually([&] { return kept() >= 8; }));
  screen.key("space");
  ASSERT_TRUE(screen.comes("idle"));
  screen.clickOn("timeline:film", "film:freeze");
  EXPECT_TRUE(becomesKeys(3));  // one every ten frames
}

TEST_F(TimelineTest, OnlyWhatChangedIsDrawnAgain) {
  start();
  screen.key("space");
  // Frames are dropped rather than late: on a busy machine all of them take a few rounds.
  bool all = false;
  for (int round = 0; round < 4 && !all; ++round)
    all = Screen::eventually([&] { return kept() == 40; });
  ASSERT_TRUE(all) << kept();
  screen.key("space");
  ASSERT_TRUE(screen.comes("idle"));
  screen.key("End");
  EXPECT_TRUE(standsAt("40"));
  picture();
  screen.clickOn("side=Palette", "palette:reverse");  // of the keyframe at 40
  // The first segment stays.
  EXPECT_TRUE(Screen::eventually([&] { return kept() == 20; })) << kept();
  screen.key("ctrl+z");
  EXPECT_TRUE(Screen::eventually([&] { return kept() == 40; }));  // known again
}

TEST_F(TimelineTest, KeyframesAreAddedMovedAndTakenAway) {
  start();
  scrubTo(10);
  ASSERT_TRUE(standsAt("10"));
  const auto between = picture();
  screen.clickOn("timeline:add");
  ASSERT_TRUE(becomesKeys(4));
  EXPECT_LT(apart(picture(), between), 0.3);  // it is what was seen
  const Place key = screen.place("key:1");
  const int perFrame = (screen.place("key:2").x - screen.place("key:0").x) / 20;
  screen.drag(key.x + key.width / 2, key.y + key.height / 2, key.x + key.width / 2 + 5 * perFrame,
              key.y + key.height / 2);
  EXPECT_TRUE(standsAt("15"));
  EXPECT_LT(apart(picture(), between), 0.3);  // it has moved, and the playhead with it
  screen.key("ctrl+z");                       // one step: the whole drag
  EXPECT_TRUE(Screen::eventually([&] { return std::abs(screen.place("key:1").x - key.x) <= 1; }));
  EXPECT_EQ(keyCount(), 4);
  screen.key("ctrl+y");
  EXPECT_TRUE(standsAt("15"));
  screen.key("shift+Delete");
  EXPECT_TRUE(becomesKeys(3));
  screen.key("ctrl+z");
  EXPECT_TRUE(becomesKeys(4));

  // Saved and read again, it is the same film.
  const auto edited = picture();
  screen.key("ctrl+s");
  screen.answerFile();  // the name it was read from
  screen.clickOn("browser:replace");
  ASSERT_TRUE(Screen::eventually(
      [&] { return readText(folder / "film.flame").find("time=\"15\"") != std::string::npos; }));
  picture();      // until the browser is gone
  screen.quit();  // nothing is unsaved: no question
  start("film.flame", {"--set", "time=15"});
  EXPECT_TRUE(becomesKeys(4));
  EXPECT_TRUE(standsAt("15"));
  EXPECT_EQ(picture(), edited);
}

TEST_F(TimelineTest, AStillBecomesALoop) {
  folder.write("still.flame", flame("still", 0, 0, 0.5));
  start("still.flame");
  EXPECT_FALSE(screen.has("timeline:ruler"));
  screen.settle();  // the bar moves until the first picture is there
  screen.clickOn("bar:timeline", "timeline:film", "film:sequence");
  EXPECT_TRUE(becomesKeys(61));
  screen.key("ctrl+z");
  EXPECT_TRUE(becomesKeys(1));
  // Or by keyframes of one's own.
  const Place ruler = screen.place("timeline:ruler");
  screen.move(ruler.x + ruler.width / 2, ruler.y + 8);
  screen.click(1);
  screen.key("ctrl+k");
  EXPECT_TRUE(becomesKeys(2));
}

}  // namespace
}  // namespace fathom::viewer
