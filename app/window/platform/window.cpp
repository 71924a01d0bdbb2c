// SPDX-License-Identifier: BSD-3-Clause
// GLFW and ImGui: the window with its context, and the queue that hands events over one frame at a
// time.
#include "app/window/platform/window.h"

#include "app/engine/core/error.h"
#include "app/window/ui/widgets.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui_internal.h>

namespace fathom::viewer {
using namespace ui;

// ---- Its context

namespace {

constexpr const char* kTitle = "Fathom";

int windowCount = 0;
std::mutex glfwMutex;  // guards hints and windows: jobs create hidden ones in parallel

std::string lastGlfwError() {
  const char* text = nullptr;
  return glfwGetError(&text) == GLFW_NO_ERROR || !text ? "no reason given" : text;
}

/// Of the work area of the monitor, which a first start fills by four fifths.
glm::ivec2 mostOfTheScreen() {
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* const monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  return glm::max(glm::ivec2(width, height) * 4 / 5, glm::ivec2(1280, 720));
}

/// Where there is no context of the version that is wanted: what there is, and what helps.
std::string foundVersion() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* const any = glfwCreateWindow(1, 1, "", nullptr, nullptr);
  if (!any) return {};
  const int major = glfwGetWindowAttrib(any, GLFW_CONTEXT_VERSION_MAJOR),
            minor = glfwGetWindowAttrib(any, GLFW_CONTEXT_VERSION_MINOR);
  glfwDestroyWindow(any);
  return fmt::format(
      "; found OpenGL {}.{}: update the graphics driver, or start with LIBGL_ALWAYS_SOFTWARE=1",
      major, minor);
}

/// The library ends with the last one.
class WindowSurface : public system::GlSurface {
 public:
  explicit WindowSurface(GLFWwindow* window) : window_(window) { ++windowCount; }
  ~WindowSurface() override {
    const std::lock_guard lock(glfwMutex);
    glfwDestroyWindow(window_);
    if (--windowCount == 0) glfwTerminate();
  }
  void makeCurrent() override { glfwMakeContextCurrent(window_); }
  void release() override { glfwMakeContextCurrent(nullptr); }
  std::unique_ptr<system::GlSurface> shared() override {
    const std::lock_guard lock(glfwMutex);
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

/// Its window; null when the surface is none of a window.
GLFWwindow* windowOf(const system::GlSurface& surface) {
  const auto* window = dynamic_cast<const WindowSurface*>(&surface);
  return window ? window->window() : nullptr;
}

}  // namespace

std::unique_ptr<system::GlSurface> makeWindowSurface(const WindowOptions& options,
                                                     std::vector<std::string>& tried) {
  const std::lock_guard lock(glfwMutex);
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
  const glm::ivec2 size = options.size.x > 0 ? options.size : mostOfTheScreen();
  GLFWwindow* window = glfwCreateWindow(size.x, size.y, kTitle, nullptr, nullptr);
  if (!window) {  // a driver that knows of resets by name only
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
    window = glfwCreateWindow(size.x, size.y, kTitle, nullptr, nullptr);
  }
  if (!window) {
    const std::string why = lastGlfwError(), found = foundVersion();
    tried.push_back("window: " + why + found);
    if (windowCount == 0) glfwTerminate();
    return nullptr;
  }
  glfwMakeContextCurrent(window);
  return std::make_unique<WindowSurface>(window);
}

void offerHiddenWindows() {
  gpu::offerHiddenWindows([](bool debug, std::vector<std::string>& tried) {
    return makeWindowSurface({.visible = false, .debug = debug}, tried);
  });
}

// ---- Events over frames

using Kind = InputEvent::Kind;

constexpr std::size_t kBacklog =
    64;  // from here on, the exact positions of wheel events matter less

void InputQueue::push(const InputEvent& event) {
  if (!events_.empty()) {
    InputEvent& last = events_.back();
    if (event.kind == Kind::Cursor && last.kind == Kind::Cursor) {
      last = event;
      return;
    }
    const bool repeat = event.kind == Kind::Key && event.action == GLFW_REPEAT;
    if (repeat && last.kind == Kind::Key && last.code == event.code) return;
  }
  events_.push_back(event);
}

void InputQueue::beginFrame(bool typing) {
  typing_ = typing;
  typed_ = pressedKey_ = wheeled_ = moved_ = false;
  keys_.clear(), buttons_.clear();
}

bool InputQueue::onlyTypes(const InputEvent& event) const {
  const bool types = event.code >= GLFW_KEY_SPACE && event.code <= GLFW_KEY_GRAVE_ACCENT;
  return typing_ && types && !(event.mods & GLFW_MOD_CONTROL);
}

bool InputQueue::fits(const InputEvent& event) const {
  switch (event.kind) {
    case Kind::Character:
      return !pressedKey_ && buttons_.empty();  // not after a key that edits the text
    case Kind::Key:
      if (onlyTypes(event)) return buttons_.empty();
      // ImGui drops the characters of a frame in which Ctrl is down.
      if (typed_ && (event.code == GLFW_KEY_LEFT_CONTROL || event.code == GLFW_KEY_RIGHT_CONTROL))
        return false;
      // Once a frame, and no release in the frame of a press: Ctrl would be up again when V is
      // seen. A key held while a button changes is held for that frame.
      return buttons_.empty() && !keys_.contains(event.code) &&
             !(pressedKey_ && event.action == GLFW_RELEASE);
    case Kind::Cursor:
      return buttons_.empty() && (!wheeled_ || events_.size() > kBacklog);
    case Kind::Button:
      // Hovering needs a frame of its own before the press, to find out which item it hits.
      return !buttons_.contains(event.code) && !wheeled_ && !(moved_ && event.action == GLFW_PRESS);
    case Kind::Wheel:
      return buttons_.empty();
  }
  return true;
}

bool InputQueue::take(InputEvent& event) {
  if (events_.empty() || !fits(events_.front())) return false;
  event = events_.front();
  events_.pop_front();
  if (event.kind == Kind::Key && !onlyTypes(event)) {
    keys_.insert(event.code);
    pressedKey_ |= event.action != GLFW_RELEASE;
  }
  if (event.kind == Kind::Button) buttons_.insert(event.code);
  typed_ |= event.kind == Kind::Character;
  wheeled_ |= event.kind == Kind::Wheel;
  moved_ |= event.kind == Kind::Cursor;
  return true;
}

// ---- The window

constexpr double kDoubleClick = 0.3;  // seconds between the presses
constexpr float kAnyTime = 1e6f;

/// Every callback says by this that something has come.
Window& Window::of(GLFWwindow* window) {
  Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
  self.eventful_ = true;
  return self;
}

void Window::listen() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int mods) {
    of(window).input_.push({Kind::Key, key, scancode, action, mods});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned code) {
    of(window).input_.push({.kind = Kind::Character, .character = code});
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int) {
    of(window).input_.push(
        {.kind = Kind::Button, .code = button, .action = action, .seconds = glfwGetTime()});
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double x, double y) {
    of(window).input_.push({.kind = Kind::Wheel, .amount = {float(x), float(y)}});
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) {
    of(window).input_.push({.kind = Kind::Cursor, .amount = {float(x), float(y)}});
  });
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    of(window).drops_.push_back(
        {{paths, paths + count}, glfwGetKey(window, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS});
  });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int focused) {
    ImGui_ImplGlfw_WindowFocusCallback(of(window).window_, focused);
  });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int entered) {
    ImGui_ImplGlfw_CursorEnterCallback(of(window).window_, entered);
  });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) { of(window); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { of(window); });
  glfwSetWindowContentScaleCallback(
      window_, [](GLFWwindow* window, float x, float) { of(window).wantedScale_ = x; });
}

Window::Window(gpu::Context& context, float scale)
    : context_(context), window_(windowOf(context.surface())), scale_(scale) {
  FATHOM_CHECK(window_ != nullptr);
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;               // panels have fixed places; the session keeps the layout
  io.ConfigInputTextCursorBlink = false;  // an idle window draws nothing
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  float scaleX = 1, scaleY = 1;
  glfwGetWindowContentScale(window_, &scaleX, &scaleY);
  wantedScale_ = scaleX;
  applyTheme(usedScale());

  double x = 0, y = 0;
  glfwGetCursorPos(window_, &x, &y);
  cursor_ = {float(x), float(y)};
  listen();
  if (glfwGetWindowAttrib(window_, GLFW_VISIBLE))  // screenshots may be smaller
    glfwSetWindowSizeLimits(window_, 720, 480, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSwapInterval(1);

  ImGui_ImplGlfw_InitForOpenGL(window_, false);
  ImGui_ImplOpenGL3_Init("#version 450 core");
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwSetWindowUserPointer(window_, nullptr);
}

bool Window::waitEvents(double seconds) {
  if (seconds > 0 && !eventful_)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
  return std::exchange(eventful_, false);
}

void Window::wake() { glfwPostEmptyEvent(); }

void Window::apply(const InputEvent& event) {
  switch (event.kind) {
    case Kind::Key:
      ImGui_ImplGlfw_KeyCallback(window_, event.code, event.scancode, event.action, event.mods);
      if (event.action != GLFW_RELEASE)
        keys_.push_back({event.code,
                         event.mods & (GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT),
                         event.action == GLFW_REPEAT});
      break;
    case Kind::Character:
      ImGui_ImplGlfw_CharCallback(window_, event.character);
      break;
    case Kind::Cursor:
      cursor_ = event.amount;
      break;
    case Kind::Button:
      changeButton(event);
      break;
    case Kind::Wheel:
      ImGui_ImplGlfw_ScrollCallback(window_, double(event.amount.x), double(event.amount.y));
      break;
  }
}

void Window::changeButton(const InputEvent& event) {
  const auto button = std::size_t(event.code);
  if (button >= buttons_.size()) return;
  buttons_[button] = event.action == GLFW_PRESS;
  if (event.action != GLFW_PRESS) return;
  // ImGui measures double clicks in frames, which may be slow: decide by the times of the events.
  const bool second =
      event.seconds - std::exchange(pressedAt_[button], event.seconds) < kDoubleClick;
  ImGui::GetIO().MouseDoubleClickTime = second ? kAnyTime : 0.0f;
}

void Window::applyInput() {
  input_.beginFrame(ImGui::GetIO().WantTextInput);
  for (InputEvent event; input_.take(event);) apply(event);
}

/// The window may have moved to a monitor of another scale: fonts and sizes follow. So do fonts
/// when names have letters that they lack.
void Window::followScale() {
  if (uiScale() == usedScale() && !lettersMissing()) return;
  applyTheme(usedScale());
  ImGuiContext& g = *ImGui::GetCurrentContext();
  for (int i = 0; i < g.Tables.GetMapSize(); ++i)  // columns as wide as their texts are now
    if (ImGuiTable* const table = g.Tables.TryGetMapData(i)) table->IsResetAllRequest = true;
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

namespace {

bool focusGone = false;  // what the keyboard was on is no more

/// A frame around what the keyboard is on, one look for all: ImGui has none for invisible buttons.
void drawFocus() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  focusGone = !g.NavIdIsAlive;
  if (!g.NavWindow || !g.NavIdIsAlive || g.NavDisableHighlight) return;
  ImRect at = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[g.NavLayer]);
  at.Expand(px(1));
  const ImRect& clip = g.NavWindow->OuterRectClipped;
  ImDrawList& draw = *g.NavWindow->DrawList;
  draw.PushClipRect(clip.Min, clip.Max);
  draw.AddRect(at.Min, at.Max, packed(color::kAccent), px(4), 0, px(2));
  draw.PopClipRect();
}

}  // namespace

void Window::beginFrame() {
  followScale();
  applyInput();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  // The mouse as of this frame's events, not its current state; outside of the window ImGui has
  // none.
  ImGuiIO& io = ImGui::GetIO();
  const bool held = std::find(buttons_.begin(), buttons_.end(), true) != buttons_.end();
  if (io.MousePos.x != -FLT_MAX || held) io.MousePos = {cursor_.x, cursor_.y};
  std::copy(buttons_.begin(), buttons_.end(), io.MouseDown);
  // Ctrl+Tab goes through what is opened, not through ImGui's windows.
  io.KeyMap[ImGuiKey_Tab] = io.KeyCtrl ? -1 : GLFW_KEY_TAB;
  // Enter presses what has the focus, as Space does.
  for (const int key : {GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER})
    if (io.KeysDown[key]) io.NavInputs[ImGuiNavInput_Activate] = 1;
  ImGui::NewFrame();
  moveByTab();
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (focusGone && g.NavTabbingDir > 0) g.NavTabbingDir = 0;  // on with the first
}

std::optional<Capture> Window::endFrame(bool capture) {
  ImGui::PopItemFlag();
  eventful_ |= lettersMissing();  // the next frame has them
  drawFocus();
  ImGui::Render();
  const auto draw = [] { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); };
  const glm::vec4 background(color::kCanvas.x, color::kCanvas.y, color::kCanvas.z, 1);
  const glm::ivec2 size = this->size();
  std::optional<Capture> captured;
  if (capture) {
    // The window's own framebuffer is undefined while it is hidden, so the frame goes to a texture.
    if (captureTexture_.size() != size) {
      captureTexture_ =
          gpu::Texture(context_, "window capture", gpu::TextureFormat::Rgba8, size.x, size.y);
      captureTarget_ = gpu::Target(context_, "window capture", &captureTexture_, nullptr);
    }
    captureTarget_.clear(background);
    gpu::drawInto(captureTarget_, draw);
    captured = Capture{size.x, size.y, {}};
    captured->rgba.resize(std::size_t(size.x) * std::size_t(size.y) * 4);
    captureTexture_.read(captured->rgba.data(), std::int64_t(captured->rgba.size()));
    const std::size_t row = std::size_t(size.x) * 4;  // GL's first row is the lowest
    for (std::size_t y = 0, rows = std::size_t(size.y); y < rows / 2; ++y)
      std::swap_ranges(captured->rgba.begin() + std::ptrdiff_t(y * row),
                       captured->rgba.begin() + std::ptrdiff_t((y + 1) * row),
                       captured->rgba.begin() + std::ptrdiff_t((rows - 1 - y) * row));
    for (std::size_t i = 3; i < captured->rgba.size(); i += 4) captured->rgba[i] = 255;
  }
  gpu::drawIntoWindow(size, background, draw);
  glfwSwapBuffers(window_);
  return captured;
}

bool Window::keyHeld(int key) const { return glfwGetKey(window_, key) == GLFW_PRESS; }

bool Window::takeClose() {
  const bool asked = glfwWindowShouldClose(window_);
  if (asked) glfwSetWindowShouldClose(window_, GLFW_FALSE);
  return asked;
}

glm::ivec2 Window::size() const {
  glm::ivec2 size(0);
  glfwGetFramebufferSize(window_, &size.x, &size.y);
  return glm::max(size, glm::ivec2(1));
}

glm::ivec2 Window::outerSize() const {
  glm::ivec2 size(0);
  glfwGetWindowSize(window_, &size.x, &size.y);
  return size;
}

void Window::setTitle(const std::string& title) {
  if (title == title_) return;
  glfwSetWindowTitle(window_, title.c_str());
  title_ = title;
}

}  // namespace fathom::viewer
