// SPDX-License-Identifier: BSD-3-Clause
// Positions of controls on the screen, by name, so that scripts and tests can click them without
// knowing the layout.
#pragma once

namespace fathom::ui {

class Landmarks {
 public:
  /// Notes the rectangle of the last ImGui item under this name.
  static void note(const std::string& name);
  /// Notes a rectangle of the window.
  static void note(const std::string& name, glm::vec2 low, glm::vec2 high);
  /// Forgets what was noted in earlier frames.
  static void beginFrame();
  /// One line "NAME X Y WIDTH HEIGHT" each, in pixels of the window.
  static std::string text();
};

}  // namespace fathom::ui
