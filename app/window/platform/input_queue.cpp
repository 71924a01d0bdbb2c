// SPDX-License-Identifier: BSD-3-Clause
// The rules for which events may share a frame, by kind.
#include "app/window/platform/input_queue.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace fathom::viewer {
namespace {

using Kind = InputEvent::Kind;

constexpr std::size_t kBacklog =
    64;  // from here on, the exact positions of wheel events matter less

}  // namespace

void InputQueue::push(const InputEvent& event) {
  if (!events_.empty()) {
    InputEvent& last = events_.back();
    if (event.kind == Kind::Cursor && last.kind == Kind::Cursor) {
      last = event;
      return;
    }
    const bool repeat = event.kind == Kind::Key && event.action == GLFW_REPEAT;
    if (repeat && last.kind == Kind::Key && last.code == event.code) return;
  }
  events_.push_back(event);
}

void InputQueue::beginFrame(bool typing) {
  typing_ = typing;
  pressedKey_ = wheeled_ = moved_ = false;
  keys_.clear(), buttons_.clear();
}

bool InputQueue::onlyTypes(const InputEvent& event) const {
  const bool types = event.code >= GLFW_KEY_SPACE && event.code <= GLFW_KEY_GRAVE_ACCENT;
  return typing_ && types && !(event.mods & GLFW_MOD_CONTROL);
}

bool InputQueue::fits(const InputEvent& event) const {
  switch (event.kind) {
    case Kind::Character:
      return !pressedKey_ && buttons_.empty();  // not after a key that edits the text
    case Kind::Key:
      if (onlyTypes(event)) return buttons_.empty();
      // Once a frame, and no release in the frame of a press: Ctrl would be up again when V is
      // seen. A key held while a button changes is held for that frame.
      return buttons_.empty() && !keys_.contains(event.code) &&
             !(pressedKey_ && event.action == GLFW_RELEASE);
    case Kind::Cursor:
      return buttons_.empty() && (!wheeled_ || events_.size() > kBacklog);
    case Kind::Button:
      // Hovering needs a frame of its own before the press, to find out which item it hits.
      return !buttons_.contains(event.code) && !wheeled_ && !(moved_ && event.action == GLFW_PRESS);
    case Kind::Wheel:
      return buttons_.empty();
  }
  return true;
}

bool InputQueue::take(InputEvent& event) {
  if (events_.empty() || !fits(events_.front())) return false;
  event = events_.front();
  events_.pop_front();
  if (event.kind == Kind::Key && !onlyTypes(event)) {
    keys_.insert(event.code);
    pressedKey_ |= event.action != GLFW_RELEASE;
  }
  if (event.kind == Kind::Button) buttons_.insert(event.code);
  wheeled_ |= event.kind == Kind::Wheel;
  moved_ |= event.kind == Kind::Cursor;
  return true;
}

}  // namespace fathom::viewer
