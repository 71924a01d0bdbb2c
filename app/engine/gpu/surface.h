// SPDX-License-Identifier: BSD-3-Clause
// Where the OpenGL context comes from: a window of GLFW, or EGL without a display. Each makes an
// OpenGL 4.5 core context, which tells of resets where the driver can, and makes it current.
#pragma once

#include "app/engine/gpu/context.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::gpu {

class Surface {
 public:
  using Loader = void (*(*)(const char* name))();

  virtual ~Surface() = default;
  virtual void makeCurrent() = 0;
  /// None is current on this thread any more.
  virtual void release() {}
  /// Another context whose objects are the same, for another thread; null when there is none to be
  /// had. What is current stays so.
  virtual std::unique_ptr<Surface> shared() { return nullptr; }
  virtual GLFWwindow* window() const { return nullptr; }
  /// Finds the entry points of GL.
  virtual Loader loader() const = 0;
  /// "EGL device 0", "window": for the log.
  virtual std::string about() const = 0;
};

/// When set, the next Context takes it instead of making one (host/host_context.cpp).
std::unique_ptr<Surface>& surfaceToAdopt();

/// Null when no context is to be had; then a line per attempt has been added to `tried`.
/// ContextOptions::device is tried first among the hardware devices, counted round.
std::unique_ptr<Surface> makeEglSurface(const ContextOptions& options,
                                        std::vector<std::string>& tried);
std::unique_ptr<Surface> makeWindowSurface(const ContextOptions& options,
                                           std::vector<std::string>& tried);

}  // namespace fathom::gpu
