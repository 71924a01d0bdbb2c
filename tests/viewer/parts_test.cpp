// SPDX-License-Identifier: BSD-3-Clause
// The window's numbers, without a window.
#include "app/viewer/camera_control.h"
#include "app/viewer/display.h"
#include "app/viewer/file_watch.h"
#include "app/viewer/input_queue.h"
#include "app/viewer/inspector.h"
#include "app/viewer/layout.h"
#include "app/viewer/picture_view.h"
#include "app/viewer/resolution.h"
#include "app/viewer/shortcuts.h"
#include "app/viewer/workspace.h"
#include "tests/support/temp_folder.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

namespace fathom::viewer {
namespace {

PictureView viewOf(glm::ivec2 picture) {
  PictureView view;
  view.place({100, 50, 800, 400}, picture);
  return view;
}

TEST(PictureView, FitsTheWholePictureInTheMiddle) {
  const PictureView view = viewOf({1600, 400});
  EXPECT_FLOAT_EQ(view.zoom(), 0.5f);
  EXPECT_EQ(view.toWindow({800, 200}), glm::vec2(500, 250));
}

TEST(PictureView, ZoomKeepsThePointUnderTheCursor) {
  PictureView view = viewOf({1600, 400});
  const glm::vec2 cursor(321, 222), before = view.toPicture(cursor);
  view.zoomAt(cursor, 3.7f);
  EXPECT_NEAR(view.toPicture(cursor).x, before.x, 1e-2);
  EXPECT_NEAR(view.toPicture(cursor).y, before.y, 1e-2);
}

TEST(PictureView, ZoomStepsMeetOneToOne) {
  PictureView view = viewOf({1600, 400});
  view.zoomAt({500, 250}, 1.9f);
  view.zoomAt({500, 250}, 1.2f);  // 0.95, then past 1
  EXPECT_EQ(view.zoom(), 1.0f);
}

TEST(PictureView, FittedViewFollowsTheWindow) {
  PictureView view = viewOf({1600, 400});
  view.place({0, 0, 400, 400}, {1600, 400});
  EXPECT_FLOAT_EQ(view.zoom(), 0.25f);
}

TEST(PictureView, ZoomedViewKeepsItsMiddleWhenTheWindowChanges) {
  PictureView view = viewOf({1600, 400});
  view.zoomAt({300, 200}, 4.0f);
  const glm::vec2 middle = view.middle();
  view.place({0, 0, 1000, 700}, {1600, 400});
  EXPECT_NEAR(view.middle().x, middle.x, 1e-2);
  EXPECT_NEAR(view.middle().y, middle.y, 1e-2);
}

TEST(PictureView, PartOfThePictureAlwaysStaysInSight) {
  PictureView view = viewOf({1600, 400});
  view.pan({1e6f, -1e6f});
  EXPECT_LT(view.toWindow({0, 0}).x, 900);
  EXPECT_GT(view.toWindow({1600, 400}).y, 50);
}

TEST(PictureView, PixelsCountFromTheCorner) {
  const PictureView view = viewOf({800, 400});
  EXPECT_EQ(view.pixelAt({100.5f, 50.5f}), glm::ivec2(0, 0));
  EXPECT_EQ(view.pixelAt({99.5f, 50.5f}), glm::ivec2(-1, 0));
  EXPECT_FALSE(view.inPicture({-1, 0}));
  EXPECT_TRUE(view.inPicture({799, 399}));
}

class LayoutSizes : public ::testing::TestWithParam<glm::ivec2> {};

TEST_P(LayoutSizes, AreasTouchButDoNotOverlap) {
  const glm::vec2 size(GetParam());
  const Areas a = arrange(PanelLayout{}, size.x, size.y, 1);
  EXPECT_EQ(a.top.height, a.picture.y);
  EXPECT_EQ(a.picture.x + a.picture.width, a.side.x);
  EXPECT_EQ(a.picture.y + a.picture.height, a.bottom.y);
  EXPECT_EQ(a.bottom.y + a.bottom.height, a.status.y);
  EXPECT_EQ(a.side.y + a.side.height, a.status.y);
  EXPECT_EQ(a.side.x + a.side.width, size.x);
  EXPECT_EQ(a.status.y + a.status.height, size.y);
  EXPECT_GE(a.picture.width, size.x / 3);
  EXPECT_GE(a.picture.height, size.y / 5);
}
INSTANTIATE_TEST_SUITE_P(Windows, LayoutSizes,
                         ::testing::Values(glm::ivec2(720, 480), glm::ivec2(1280, 720),
                                           glm::ivec2(1920, 1080), glm::ivec2(3840, 2160)));

TEST(PanelLayout, TheStripOfATechniqueLiesRightBelowThePicture) {
  for (const glm::vec2 size : {glm::vec2(720, 480), glm::vec2(1920, 1080)}) {
    const Areas a = arrange(PanelLayout{}, size.x, size.y, 1, 124);
    EXPECT_GT(a.strip.height, 100);
    EXPECT_EQ(a.picture.y + a.picture.height, a.strip.y);
    EXPECT_EQ(a.strip.y + a.strip.height, a.bottom.y);
    EXPECT_EQ(a.strip.width, a.picture.width);
    EXPECT_GE(a.picture.height, size.y / 5);
  }
}

TEST(PanelLayout, HiddenPanelsGiveTheirRoomToThePicture) {
  PanelLayout layout;
  layout.side = layout.bottom = false;
  const Areas a = arrange(layout, 1280, 720, 1);
  EXPECT_EQ(a.picture.width, 1280);
  EXPECT_EQ(a.picture.y + a.picture.height, a.status.y);
}

TEST(Resolution, SlowPicturesGetSmallerUntilTheyAreFastEnough) {
  Resolution resolution(false);
  double ms = 0;
  for (int i = 0; i < 12; ++i) {
    resolution.moved({});
    const double scale = resolution.next();
    ms = 2000 * scale * scale;  // in full: two seconds
    resolution.measured(ms);
  }
  EXPECT_LT(ms, 200);  // five pictures per second
}

TEST(Resolution, StaysLargeWhereSmallerPicturesAreNoFaster) {
  Resolution resolution(false);
  for (int i = 0; i < 30; ++i) {
    const double scale = resolution.next();
    resolution.measured(200 + 10 * scale);  // triangles, not pixels, take the time
  }
  EXPECT_GT(resolution.scale(), 0.6);
}

TEST(Resolution, FastPicturesStayInFull) {
  Resolution resolution(false);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(resolution.next(), 1.0);
    resolution.measured(4);
  }
}

TEST(Resolution, RestComesAfterThePause) {
  using std::chrono::milliseconds;
  Resolution resolution(true);
  const Resolution::Time start{};
  resolution.moved(start);
  EXPECT_TRUE(resolution.moving(start + milliseconds(140)));
  EXPECT_FALSE(resolution.moving(start + milliseconds(160)));
  ASSERT_TRUE(resolution.restAt());
  resolution.rest();
  EXPECT_FALSE(resolution.restAt());
  EXPECT_EQ(resolution.scale(), 1.0);
}

TEST(DepthRange, HoldsAllFiniteDepths) {
  const float infinity = std::numeric_limits<float>::infinity();
  const DepthRange range = depthRange({{2, 3, 1, 0, 0, 0, 0}, {5, infinity, 1, 0, 0, 0, 0}});
  EXPECT_LT(range.low, 2);
  EXPECT_GT(range.high, 5);
  EXPECT_TRUE(std::isfinite(range.high));
  EXPECT_EQ(range.place(infinity), 1);
  EXPECT_EQ(range.place(std::nanf("")), 1);
}

TEST(DepthRange, OneDepthLiesInTheMiddle) {
  EXPECT_NEAR(depthRange({{4, 4, 1, 0, 0, 0, 0}}).place(4), 0.5f, 1e-3);
}

TEST(DepthRange, WideRangesAreLogarithmic) {
  const DepthRange range = depthRange({{1, 1, 1, 0, 0, 0, 0}, {10000, 10000, 1, 0, 0, 0, 0}});
  EXPECT_TRUE(range.logarithmic);
  EXPECT_NEAR(range.place(100), 0.5f, 1e-2);
}

TEST(DepthRange, NoFiniteDepthIsNoError) {
  const DepthRange range = depthRange({{std::nanf(""), std::nanf(""), 1, 0, 0, 0, 0}});
  EXPECT_LT(range.low, range.high);
}

TEST(ShownByte, FollowsExposureAndCurve) {
  DisplaySettings settings;
  EXPECT_EQ(shownByte(settings, 0.5f), 188);
  settings.exposureStops = 1;
  EXPECT_EQ(shownByte(settings, 0.5f), 255);
  settings.exposureStops = 0;
  settings.curve = DisplaySettings::Curve::Gamma;
  settings.gamma = 1;
  EXPECT_EQ(shownByte(settings, 0.5f), 128);
  EXPECT_EQ(shownByte(settings, std::nanf("")), 0);
  EXPECT_EQ(shownByte(settings, -3), 0);
}

TEST(Shortcuts, KeysHaveReadableNames) {
  EXPECT_EQ(keyText(GLFW_KEY_S, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT), "Ctrl+Shift+S");
  EXPECT_EQ(keyText(GLFW_KEY_F12, 0), "F12");
  EXPECT_EQ(keyText(GLFW_KEY_ESCAPE, 0), "Esc");
}

TEST(Shortcuts, OnlyTheKeyWithItsModifiersActs) {
  int plain = 0, control = 0;
  const std::vector<Shortcut> table = {
      {"a", "plain", GLFW_KEY_R, 0, [&] { ++plain; }},
      {"a", "control", GLFW_KEY_R, GLFW_MOD_CONTROL, [&] { ++control; }}};
  dispatch(table, {GLFW_KEY_R, GLFW_MOD_CONTROL, false});
  dispatch(table, {GLFW_KEY_R, GLFW_MOD_ALT, false});
  EXPECT_EQ(plain, 0);
  EXPECT_EQ(control, 1);
}

TEST(Recent, NewestComesFirstAndOnce) {
  std::vector<std::string> recent = {"one", "two"};
  remember(recent, "two");
  EXPECT_EQ(recent, (std::vector<std::string>{"two", "one"}));
  for (int i = 0; i < 40; ++i) remember(recent, std::to_string(i));
  EXPECT_LE(recent.size(), 12u);
  EXPECT_EQ(recent.front(), "39");
}

/// The events of each frame, a letter each.
std::vector<std::string> framesOf(InputQueue& queue, bool typing = false) {
  std::vector<std::string> frames;
  while (!queue.empty() && frames.size() < 100) {
    frames.emplace_back();
    queue.beginFrame(typing);
    for (InputEvent event; queue.take(event);) {
      const bool pressed = event.action != GLFW_RELEASE;
      switch (event.kind) {
        case InputEvent::Kind::Key:
          frames.back() += pressed ? 'K' : 'k';
          break;
        case InputEvent::Kind::Character:
          frames.back() += char(event.character);
          break;
        case InputEvent::Kind::Cursor:
          frames.back() += fmt::format("@{}", event.amount.x);
          break;
        case InputEvent::Kind::Button:
          frames.back() += pressed ? 'B' : 'b';
          break;
        case InputEvent::Kind::Wheel:
          frames.back() += 'w';
          break;
      }
    }
  }
  return frames;
}

using Frames = std::vector<std::string>;
const auto keyEvent = [](int key, int action, int mods = 0) {
  return InputEvent{InputEvent::Kind::Key, key, 0, action, mods};
};
const auto cursorAt = [](float x) {
  return InputEvent{.kind = InputEvent::Kind::Cursor, .amount = {x, 0}};
};
const auto buttonEvent = [](int action, int button = 0) {
  return InputEvent{.kind = InputEvent::Kind::Button, .code = button, .action = action};
};
const InputEvent kWheel{.kind = InputEvent::Kind::Wheel, .amount = {0, 1}};

TEST(InputQueue, ADragWithinAFrameIsADrag) {
  InputQueue queue;
  for (const InputEvent& event : {cursorAt(10), buttonEvent(GLFW_PRESS), cursorAt(20), cursorAt(30),
                                  buttonEvent(GLFW_RELEASE), cursorAt(90)})
    queue.push(event);
  EXPECT_EQ(framesOf(queue), (Frames{"@10", "B", "@30b", "@90"}));
}

TEST(InputQueue, ADoubleClickHasTwoPresses) {
  InputQueue queue;
  for (const int action : {GLFW_PRESS, GLFW_RELEASE, GLFW_PRESS, GLFW_RELEASE})
    queue.push(buttonEvent(action));
  EXPECT_EQ(framesOf(queue), (Frames{"B", "b", "B", "b"}));
}

TEST(InputQueue, AWheelCountsWhereItWasTurned) {
  InputQueue queue;
  for (const InputEvent& event : {cursorAt(1), kWheel, kWheel, cursorAt(2), kWheel})
    queue.push(event);
  EXPECT_EQ(framesOf(queue), (Frames{"@1ww", "@2w"}));
  // Many of them do not take a frame each.
  for (int i = 0; i < 200; ++i) queue.push(i % 2 ? kWheel : cursorAt(float(i)));
  EXPECT_LE(framesOf(queue).size(), 40u);
}

TEST(InputQueue, KeysAreDownForAFrame) {
  InputQueue queue;
  for (const InputEvent& event : {keyEvent(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS),
                                  keyEvent(GLFW_KEY_V, GLFW_PRESS, GLFW_MOD_CONTROL),
                                  keyEvent(GLFW_KEY_V, GLFW_RELEASE, GLFW_MOD_CONTROL),
                                  keyEvent(GLFW_KEY_LEFT_CONTROL, GLFW_RELEASE)})
    queue.push(event);
  EXPECT_EQ(framesOf(queue), (Frames{"KK", "kk"}));
  for (int i = 0; i < 5; ++i) queue.push(keyEvent(GLFW_KEY_W, i ? GLFW_REPEAT : GLFW_PRESS));
  EXPECT_EQ(framesOf(queue), (Frames{"K"}));
}

TEST(InputQueue, AKeyIsHeldWhileAButtonChanges) {
  InputQueue queue;
  for (const InputEvent& event :
       {keyEvent(GLFW_KEY_LEFT_SHIFT, GLFW_PRESS), buttonEvent(GLFW_PRESS), cursorAt(5),
        buttonEvent(GLFW_RELEASE), keyEvent(GLFW_KEY_LEFT_SHIFT, GLFW_RELEASE)})
    queue.push(event);
  EXPECT_EQ(framesOf(queue), (Frames{"KB", "@5b", "k"}));
}

TEST(InputQueue, TypedTextKeepsItsOrder) {
  InputQueue queue;
  for (const char c : {'a', 'b'}) {
    queue.push(keyEvent(GLFW_KEY_A + c - 'a', GLFW_PRESS));
    queue.push({.kind = InputEvent::Kind::Character, .character = unsigned(c)});
    queue.push(keyEvent(GLFW_KEY_A + c - 'a', GLFW_RELEASE));
  }
  queue.push(keyEvent(GLFW_KEY_BACKSPACE, GLFW_PRESS));
  queue.push({.kind = InputEvent::Kind::Character, .character = unsigned('c')});
  EXPECT_EQ(framesOf(queue, true), (Frames{"KakKbkK", "c"}));
}

TEST(CameraControl, WheelComesNearer) {
  Camera camera;
  CameraControl control;
  CameraInput input;
  input.wheel = 2;
  EXPECT_TRUE(control.apply(input, camera));
  EXPECT_LT(camera.position.z, 5);
  EXPECT_EQ(camera.target, glm::vec3(0));
}

TEST(CameraControl, NothingDoneChangesNothing) {
  Camera camera;
  CameraControl control;
  EXPECT_FALSE(control.apply({}, camera));
  EXPECT_EQ(camera, Camera{});
}

TEST(CameraControl, FlyingMovesEyeAndTarget) {
  Camera camera;
  CameraControl control;
  CameraInput input;
  input.fly = true;
  input.keys = {0, 0, 1};
  EXPECT_TRUE(control.apply(input, camera));
  EXPECT_TRUE(control.flying());
  EXPECT_LT(camera.position.z, 5);
  EXPECT_LT(camera.target.z, 0);
}

TEST(FileWatch, SeesAChangeOnceItRests) {
  const test::TempFolder folder;
  const std::string file = folder.file("watched");
  folder.write("watched", "one");
  FileWatch watch;
  watch.watch({file, "atrium"});
  EXPECT_FALSE(watch.changed());
  folder.write("watched", "another");
  int seen = 0;
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(FileWatch::kInterval / 2);
    seen += watch.changed();
  }
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace fathom::viewer
