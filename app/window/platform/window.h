// SPDX-License-Identifier: BSD-3-Clause
// The window of the system: its context, its events in order, its frames, its pixels.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"
#include "app/system/gl_surface.h"

struct GLFWwindow;

namespace fathom::viewer {

struct WindowOptions {
  glm::ivec2 size{1280, 720};  // 0: most of the screen
  bool visible = true;         // false: the window exists but is never shown
  bool debug = false;          // the driver checks every call
};

/// Makes a window with a context, current on this thread. Null when there can be none; then a line
/// has been added to `tried`.
std::unique_ptr<system::GlSurface> makeWindowSurface(const WindowOptions& options,
                                                     std::vector<std::string>& tried);
/// From now on commands without a window may use a hidden one for their context.
void offerHiddenWindows();

/// Numbers as GLFW has them.
struct InputEvent {
  enum class Kind { Key, Character, Cursor, Button, Wheel } kind = Kind::Key;
  int code = 0;  // of a key or button
  int scancode = 0, action = 0, mods = 0;
  unsigned character = 0;  // typed
  glm::vec2 amount{0};     // where the cursor is, or how far the wheel was turned
  double seconds = 0;      // when a button changed
};

/// Distributes input events over frames, in order. ImGui 1.86 sees only the state at the start of a
/// frame: a press and its release in one frame would be lost, a drag within one frame would be a
/// click, and the wheel would act wherever the mouse has moved since. Events that do not fit into a
/// frame wait for the next one, so slow frames lose nothing.
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
  bool typing_ = false, typed_ = false, pressedKey_ = false, wheeled_ = false, moved_ = false;
  std::set<int> keys_, buttons_;  // changed
};

/// Numbers as GLFW has them.
struct KeyPress {
  int key = 0, mods = 0;
  bool repeat = false;
};

struct Drop {
  std::vector<std::string> files;
  bool add = false;  // Shift was held: add to the current inputs
};

/// The whole window as it was drawn, opaque, top row first: uint8_t[height][width][4].
struct Capture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

class Window {
 public:
  /// The context must have been made with a window.
  /// `scale`: of the controls; 0: the monitor's, followed when it changes.
  explicit Window(gpu::Context& context, float scale = 0);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Scale of the controls from the next frame on; 0: the monitor's.
  void setScale(float scale) { scale_ = scale; }
  /// Waits up to `seconds` for events (0: takes what is there); true when any came.
  bool waitEvents(double seconds);
  /// Ends that waiting, from any thread.
  static void wake();
  /// Between these two, ImGui calls are legal. endFrame() shows the frame; with `capture` it also
  /// returns it.
  void beginFrame();
  std::optional<Capture> endFrame(bool capture);
  /// True when events wait for the next frame.
  bool hasQueuedInput() const { return !input_.empty(); }

  std::vector<KeyPress> takeKeys() { return std::exchange(keys_, {}); }
  std::vector<Drop> takeDrops() { return std::exchange(drops_, {}); }
  bool keyHeld(int key) const;
  /// True once after the user tried to close the window; it stays open.
  bool takeClose();

  glm::ivec2 size() const;       // of the framebuffer, in pixels
  glm::ivec2 outerSize() const;  // what a session remembers
  void setTitle(const std::string& title);

 private:
  static Window& of(GLFWwindow* window);
  void listen();
  void applyInput();
  void apply(const InputEvent& event);
  float usedScale() const { return std::clamp(scale_ > 0 ? scale_ : wantedScale_, 1.0f, 3.0f); }
  void followScale();
  void changeButton(const InputEvent& event);

  gpu::Context& context_;
  GLFWwindow* window_;
  std::string title_;
  InputQueue input_;
  std::vector<KeyPress> keys_;
  std::vector<Drop> drops_;
  // As of this frame.
  glm::vec2 cursor_{0};
  std::array<bool, 5> buttons_{};
  std::array<double, 5> pressedAt_{-1, -1, -1, -1, -1};  // seconds of GLFW's clock
  bool eventful_ = true;
  float scale_ = 0, wantedScale_ = 1;  // fixed one, or 0; and what the next frame is to have
  gpu::Texture captureTexture_;
  gpu::Target captureTarget_;
};

}  // namespace fathom::viewer
