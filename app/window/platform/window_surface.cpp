// SPDX-License-Identifier: BSD-3-Clause
// GLFW makes the window; the library ends with the last one.
#include "app/window/platform/window_surface.h"

#include "app/engine/gpu/context.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace fathom::viewer {
namespace {

constexpr const char* kTitle = "Fathom";

int windowCount = 0;

std::string lastGlfwError() {
  const char* text = nullptr;
  return glfwGetError(&text) == GLFW_NO_ERROR || !text ? "no reason given" : text;
}

class WindowSurface : public system::GlSurface {
 public:
  explicit WindowSurface(GLFWwindow* window) : window_(window) { ++windowCount; }
  ~WindowSurface() override {
    glfwDestroyWindow(window_);
    if (--windowCount == 0) glfwTerminate();
  }
  void makeCurrent() override { glfwMakeContextCurrent(window_); }
  void release() override { glfwMakeContextCurrent(nullptr); }
  std::unique_ptr<system::GlSurface> shared() override {
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // the other hints are those of this window
    GLFWwindow* other = glfwCreateWindow(1, 1, "", nullptr, window_);
    return other ? std::make_unique<WindowSurface>(other) : nullptr;
  }
  GLFWwindow* window() const { return window_; }
  Loader loader() const override { return glfwGetProcAddress; }
  std::string about() const override { return "window"; }

 private:
  GLFWwindow* window_;
};

}  // namespace

std::unique_ptr<system::GlSurface> makeWindowSurface(const WindowOptions& options,
                                                     std::vector<std::string>& tried) {
  if (!glfwInit()) {
    tried.push_back("window: " + lastGlfwError());
    return nullptr;
  }
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // scenes have targets of their own
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  // By these a desktop finds the program's menu entry and with it the icon.
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "fathom");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "fathom");
  GLFWwindow* window = glfwCreateWindow(options.size.x, options.size.y, kTitle, nullptr, nullptr);
  if (!window) {  // a driver that knows of resets by name only
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
    window = glfwCreateWindow(options.size.x, options.size.y, kTitle, nullptr, nullptr);
  }
  if (!window) {
    tried.push_back("window: " + lastGlfwError());
    if (windowCount == 0) glfwTerminate();
    return nullptr;
  }
  glfwMakeContextCurrent(window);
  return std::make_unique<WindowSurface>(window);
}

GLFWwindow* windowOf(const system::GlSurface& surface) {
  const auto* window = dynamic_cast<const WindowSurface*>(&surface);
  return window ? window->window() : nullptr;
}

void offerHiddenWindows() {
  gpu::offerHiddenWindows([](bool debug, std::vector<std::string>& tried) {
    return makeWindowSurface({.visible = false, .debug = debug}, tried);
  });
}

}  // namespace fathom::viewer
