// SPDX-License-Identifier: BSD-3-Clause
// Which events share a frame, and keys as text.
#include "app/window/platform/shortcuts.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace fathom::viewer {
namespace {

TEST(Shortcuts, ActOnTheKeysThatTheyName) {
  std::string done;
  std::vector<Shortcut> table;
  for (const char* keys : {"Ctrl+Shift+S", "F12", "Esc", "Ctrl++", "Shift+Left"})
    table.push_back({"a", "b", keys, [&done, keys] { done += std::string(keys) + " "; }});
  for (const KeyPress press :
       {KeyPress{GLFW_KEY_S, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT}, KeyPress{GLFW_KEY_F12},
        KeyPress{GLFW_KEY_ESCAPE}, KeyPress{GLFW_KEY_KP_ADD, GLFW_MOD_CONTROL},
        KeyPress{GLFW_KEY_LEFT, GLFW_MOD_SHIFT}})
    dispatch(table, press);
  EXPECT_EQ(done, "Ctrl+Shift+S F12 Esc Ctrl++ Shift+Left ");
}

TEST(Shortcuts, OnlyTheKeyWithItsModifiersActs) {
  int plain = 0, control = 0;
  const std::vector<Shortcut> table = {{"a", "plain", "R", [&] { ++plain; }},
                                       {"a", "control", "Ctrl+R", [&] { ++control; }}};
  dispatch(table, {GLFW_KEY_R, GLFW_MOD_CONTROL, false});
  dispatch(table, {GLFW_KEY_R, GLFW_MOD_ALT, false});
  EXPECT_EQ(plain, 0);
  EXPECT_EQ(control, 1);
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

/// Of these events, all of them there before the first frame.
std::vector<std::string> framesOf(const std::vector<InputEvent>& events) {
  InputQueue queue;
  for (const InputEvent& event : events) queue.push(event);
  return framesOf(queue);
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

TEST(InputQueue, CountsWhatHappensWithinAFrame) {
  // A drag within a frame is a drag.
  EXPECT_EQ(framesOf({cursorAt(10), buttonEvent(GLFW_PRESS), cursorAt(20), cursorAt(30),
                      buttonEvent(GLFW_RELEASE), cursorAt(90)}),
            (Frames{"@10", "B", "@30b", "@90"}));
  // A double click has two presses.
  EXPECT_EQ(framesOf({buttonEvent(GLFW_PRESS), buttonEvent(GLFW_RELEASE), buttonEvent(GLFW_PRESS),
                      buttonEvent(GLFW_RELEASE)}),
            (Frames{"B", "b", "B", "b"}));
  // A wheel counts where it was turned.
  EXPECT_EQ(framesOf({cursorAt(1), kWheel, kWheel, cursorAt(2), kWheel}), (Frames{"@1ww", "@2w"}));
  InputQueue queue;
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
  EXPECT_EQ(
      framesOf({keyEvent(GLFW_KEY_LEFT_SHIFT, GLFW_PRESS), buttonEvent(GLFW_PRESS), cursorAt(5),
                buttonEvent(GLFW_RELEASE), keyEvent(GLFW_KEY_LEFT_SHIFT, GLFW_RELEASE)}),
      (Frames{"KB", "@5b", "k"}));
}

TEST(Shortcuts, WhatIsNotPossibleIsNotDone) {
  int done = 0;
  bool possible = false;
  std::vector<Shortcut> table = {{"Editing", "Undo", "Ctrl+Z", [&] { ++done; }}};
  table[0].possible = [&] { return possible; };
  EXPECT_TRUE(dispatch(table, {GLFW_KEY_Z, GLFW_MOD_CONTROL}));
  EXPECT_EQ(done, 0);
  possible = true;
  dispatch(table, {GLFW_KEY_Z, GLFW_MOD_CONTROL});
  EXPECT_EQ(done, 1);
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

/// ImGui drops the characters of a frame in which Ctrl is down.
TEST(InputQueue, CtrlWaitsForTheFrameAfterWhatWasTyped) {
  InputQueue queue;
  queue.push(keyEvent(GLFW_KEY_E, GLFW_PRESS));
  queue.push({.kind = InputEvent::Kind::Character, .character = unsigned('e')});
  queue.push(keyEvent(GLFW_KEY_E, GLFW_RELEASE));
  queue.push(keyEvent(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS));
  queue.push(keyEvent(GLFW_KEY_A, GLFW_PRESS, GLFW_MOD_CONTROL));
  EXPECT_EQ(framesOf(queue, true), (Frames{"Kek", "KK"}));
}

}  // namespace
}  // namespace fathom::viewer
