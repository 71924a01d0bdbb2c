// SPDX-License-Identifier: BSD-3-Clause
// What the user does, in its order, dealt out to frames. ImGui 1.86 sees only the state at the
// start of a frame: a press and its release in one frame would be nothing, a drag within one frame
// a click, and a wheel turned over the picture would count where the mouse has gone since. What
// does not fit into a frame waits for the next, so slow frames lose nothing.
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
  /// Repeats of a held key and ways of the cursor join what waits last: they must not run ahead of
  /// slow frames.
  void push(const InputEvent& event);
  bool empty() const { return events_.empty(); }

  /// Begins a frame; what follows decides what take() still lets into it. `typing`: keys that only
  /// type act through their characters.
  void beginFrame(bool typing);
  /// The next event of this frame; false when the rest has to wait.
  bool take(InputEvent& event);

 private:
  bool fits(const InputEvent& event) const;
  bool onlyTypes(const InputEvent& event) const;

  std::deque<InputEvent> events_;
  // What this frame has taken in.
  bool typing_ = false, pressedKey_ = false, wheeled_ = false, moved_ = false;
  std::set<int> keys_, buttons_;  // changed
};

}  // namespace fathom::viewer
