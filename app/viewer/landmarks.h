// SPDX-License-Identifier: BSD-3-Clause
// Where controls are on the screen, by name, so that scripts and tests can click on them without
// knowing the layout.
#pragma once

#include <string>

namespace fathom::viewer {

class Landmarks {
 public:
  /// Notes the rectangle of the last ImGui item under this name.
  static void note(const std::string& name);
  /// Forgets what was noted in earlier frames.
  static void beginFrame();
  /// One line "NAME X Y WIDTH HEIGHT" each, in pixels of the window.
  static std::string text();
};

}  // namespace fathom::viewer
