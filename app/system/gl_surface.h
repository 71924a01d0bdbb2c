// SPDX-License-Identifier: BSD-3-Clause
// OpenGL 4.5 core contexts of the system: made without a display, or shared with a context that
// another part of the process has current. They tell of resets where the driver can.
#pragma once

namespace fathom::system {

/// A context, and what it draws to.
class GlSurface {
 public:
  using Loader = void (*(*)(const char* name))();

  virtual ~GlSurface() = default;
  virtual void makeCurrent() = 0;
  /// None is current on this thread any more.
  virtual void release() {}
  /// Another context whose objects are the same, for another thread; null when there is none to be
  /// had. What is current stays so.
  virtual std::unique_ptr<GlSurface> shared() { return nullptr; }
  /// Finds the entry points of GL.
  virtual Loader loader() const = 0;
  /// "EGL device 0", "window": for the log.
  virtual std::string about() const = 0;
};

/// Makes a context without a display, current on this thread. `device` is tried first among the
/// hardware devices, counted round; `debug`: the driver checks every call. Null when no context is
/// to be had; then a line per attempt has been added to `tried`.
std::unique_ptr<GlSurface> makeHeadlessSurface(int device, bool debug,
                                               std::vector<std::string>& tried);

/// GPUs that there are for contexts without a display.
int hardwareDeviceCount();

/// Lets the contexts made after this, the window's too, be of that one of the GPUs (from 0, counted
/// round). For children of the process as well: it sets what the drivers read in the environment.
void useDevice(int device);

/// A context that is not ours.
class HostSurface {
 public:
  virtual ~HostSurface() = default;
  virtual bool isCurrent() const = 0;
  virtual bool makeCurrent() = 0;
  /// A context that shares with it; null when there can be none.
  virtual std::unique_ptr<GlSurface> share() = 0;
};

/// The one that is current on this thread; null when none is.
std::unique_ptr<HostSurface> currentHostSurface();

}  // namespace fathom::system
