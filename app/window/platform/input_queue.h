// SPDX-License-Identifier: BSD-3-Clause
// Distributes input events over frames, in order. ImGui 1.86 sees only the state at the start of a
// frame: a press and its release in one frame would be lost, a drag within one frame would be a
// click, and the wheel would act wherever the mouse has moved since. Events that do not fit into a
// frame wait for the next one, so slow frames lose nothing.
#pragma once

#include <glm/vec2.hpp>

#include <cstddef>
#include <deque>
#include <set>

namespace fathom::viewer {

/// Numbers as GLFW has them.
struct InputEvent {
  enum class Kind { Key, Character, Cursor, Button, Wheel } kind = Kind::Key;
  int code = 0;  // of a key or button
  int scancode = 0, action = 0, mods = 0;
  unsigned character = 0;  // typed
  glm::vec2 amount{0};     // where the cursor is, or how far the wheel was turned
  double seconds = 0;      // when a button changed
};

class InputQueue {
 public:
  /// Key repeats and cursor moves are merged with the last waiting event, so that slow frames do
  /// not fall behind.
  void push(const InputEvent& event);
  bool empty() const { return events_.empty(); }

  /// Begins a frame; the events taken decide which others still fit. `typing`: a text field has the
  /// focus, so keys that type act through their characters.
  void beginFrame(bool typing);
  /// The next event of this frame; false when the others have to wait.
  bool take(InputEvent& event);

 private:
  bool fits(const InputEvent& event) const;
  bool onlyTypes(const InputEvent& event) const;

  std::deque<InputEvent> events_;
  // Taken in this frame.
  bool typing_ = false, pressedKey_ = false, wheeled_ = false, moved_ = false;
  std::set<int> keys_, buttons_;  // changed
};

}  // namespace fathom::viewer
