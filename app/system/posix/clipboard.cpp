// SPDX-License-Identifier: BSD-3-Clause
// The desktop's helpers: xclip under X11 (and XWayland), wl-copy and wl-paste under Wayland.
#include "app/system/clipboard.h"

#include "app/system/process.h"

namespace fathom::system {
namespace {

bool onWayland() { return std::getenv("WAYLAND_DISPLAY") && !std::getenv("DISPLAY"); }

}  // namespace

std::string clipboardHelper() {
  return onWayland() ? "wl-copy of the package wl-clipboard" : "xclip of the package xclip";
}

bool copyPng(const std::string& file) {
  if (onWayland()) return run({"wl-copy", "--type", "image/png"}, file) == 0;
  return run({"xclip", "-selection", "clipboard", "-t", "image/png"}, file) == 0;
}

bool pastePng(const std::string& file) {
  if (onWayland()) return run({"wl-paste", "--type", "image/png"}, {}, file) == 0;
  return run({"xclip", "-selection", "clipboard", "-t", "image/png", "-o"}, {}, file) == 0;
}

}  // namespace fathom::system
