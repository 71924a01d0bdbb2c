// SPDX-License-Identifier: BSD-3-Clause
// The GLFW window and the interface library: events in, frames out.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"
#include "app/window/platform/input_queue.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <glm/vec2.hpp>

namespace fathom::viewer {

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

  int width() const;  // of the framebuffer, in pixels
  int height() const;
  glm::ivec2 outerSize() const;  // what a session remembers
  void setTitle(const std::string& title);

 private:
  friend struct Callbacks;
  void applyInput();
  void apply(const InputEvent& event);
  float usedScale() const;
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
