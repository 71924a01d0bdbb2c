// SPDX-License-Identifier: BSD-3-Clause
// OpenGL contexts of windows: the one that people see, and hidden ones where there is no EGL.
#pragma once

#include "app/system/gl_surface.h"

struct GLFWwindow;

namespace fathom::viewer {

struct WindowOptions {
  glm::ivec2 size{1280, 720};
  bool visible = true;  // false: the window exists but is never shown
  bool debug = false;   // the driver checks every call
};

/// Makes a window with a context, current on this thread. Null when there can be none; then a line
/// has been added to `tried`.
std::unique_ptr<system::GlSurface> makeWindowSurface(const WindowOptions& options,
                                                     std::vector<std::string>& tried);
/// Its window; null when the surface is none of a window.
GLFWwindow* windowOf(const system::GlSurface& surface);

/// From now on commands without a window may use a hidden one for their context.
void offerHiddenWindows();

}  // namespace fathom::viewer
