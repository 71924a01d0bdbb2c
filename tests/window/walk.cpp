// SPDX-License-Identifier: BSD-3-Clause
// The linker puts these in place of ImGui's own functions (--wrap), which they call.
#include "tests/window/walk.h"

#include "app/engine/core/progress.h"
#include "app/window/ui/widgets.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <random>

namespace fathom::viewer {
namespace {

constexpr int kHeldFrames = 2, kQuietFrames = 2, kQuietAtEnd = 10;
constexpr float kCutWidth = 1280;  // of windows that hold all texts
constexpr int kCutFrames = 3;      // columns find their widths within fewer

/// Calls what GLFW would call.
template <class Set, class... Arguments>
void call(Set set, Arguments... arguments) {
  GLFWwindow* const window = glfwGetCurrentContext();
  const auto callback = set(window, nullptr);
  set(window, callback);
  callback(window, arguments...);
}
void pressKey(int code, int mods) {
  for (const int action : {GLFW_PRESS, GLFW_RELEASE})
    call(glfwSetKeyCallback, code, 0, action, mods);
}

struct Walk {
  std::vector<glm::ivec2> sizes;
  bool on = false;
  Planted planted = Planted::Nothing;
  bool started = false;  // the list of techniques is there: so is what was to be opened
  std::set<ImGuiID> lists, pages;
  int held = 0;  // frames for which the last thing stays open
  int quiet = 0;
  bool openedNow = false, inCombo = false;
  int opened = 0;
  std::map<ImGuiID, ImVec2> seen;  // in this frame
  std::set<ImGuiID> equal;
  std::set<std::string> cut;                           // texts
  std::map<std::string, std::pair<int, int>> seenCut;  // the last frame, and how many in a row
  bool typed = false;                                  // a text field is drawn, which scrolls

  /// Whether this is to be opened now: one thing at a time, pages when nothing else is left.
  bool takes(ImGuiID id, bool page = false) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const bool nested = g.BeginPopupStack.Size > 0;
    if (!on || openedNow || (g.CurrentItemFlags & ImGuiItemFlags_Disabled)) return false;
    if (page ? held > 0 || quiet < kQuietFrames : held > (nested ? 1 : 0)) return false;
    if (!(page ? pages : lists).insert(id).second) return false;
    openedNow = true, held = kHeldFrames, quiet = 0;
    ++opened;
    return true;
  }

  void endFrame() {
    seen.clear();
    if (!on || std::exchange(openedNow, false)) return;
    if (held == 0) ++quiet;
    if (held > 0 && --held == 0 && ImGui::GetCurrentContext()->OpenPopupStack.Size > 0)
      ImGui::ClosePopupToLevel(0, true);
    if (!started || quiet < kQuietAtEnd) return;
    quiet = 0;
    pages.clear();
    if (sizes.empty()) return Progress::interrupt();
    glfwSetWindowSize(glfwGetCurrentContext(), sizes.front().x, sizes.front().y);
    for (int i = 0; sizes.front().x > 2500 && i < 4; ++i)  // twice as large, as its monitor
      pressKey(GLFW_KEY_EQUAL, GLFW_MOD_CONTROL);
    sizes.erase(sizes.begin());
  }

  /// A line of text that ends beyond what is drawn of it, without an ellipsis.
  void askText(ImFont* font, float size, ImVec2 at, const char* text, const char* end,
               const ImVec4* clip) {
    const ImGuiWindow& window = *ImGui::GetCurrentContext()->CurrentWindow;
    if (!on || typed || window.Hidden || window.ScrollMax.x > 0) return;
    if (ImGui::GetIO().DisplaySize.x < kCutWidth) return;
    const ImVec4 all = window.DrawList->_CmdHeader.ClipRect;
    const float middle = at.y + size / 2, left = clip ? std::max(clip->x, all.x) : all.x,
                right = clip ? std::min(clip->z, all.z) : all.z;
    if (middle < all.y || middle > all.w || at.x >= right) return;
    const float wide = font->CalcTextSizeA(size, FLT_MAX, 0, text, end).x;
    if (at.x > left - 2 && at.x + wide < right + 2) return;
    const std::string line(text, end ? end : text + std::strlen(text));
    const int frame = ImGui::GetFrameCount();
    auto& [last, frames] = seenCut[line];
    if (last != frame) frames = last == frame - 1 ? frames + 1 : 1;
    last = frame;
    if (frames == kCutFrames && cut.insert(line).second)
      std::fprintf(stderr, "cut text in window %s: %s, %.0f of %.0f\n", window.Name, line.c_str(),
                   double(right - at.x), double(wide));
  }
} state;

// ---- At random

/// Inputs as GLFW would tell them.
class Chance {
 public:
  int left = 0;  // inputs
  std::vector<std::string> files;
  std::string title;
  void seed(std::uint32_t seed) { random_.seed(seed); }

  /// Between two frames.
  void next() {
    if (left <= 0 || ++frames_ % 2) return;
    if (--left == 0) return Progress::interrupt();
    move(at_);  // frames follow, even if no input does
    const int kind = of(100);
    if (kind < 45) {
      move(somewhere());
      for (int clicks = kind < 3 ? 2 : 1; clicks > 0; --clicks) press(kind >= 42 ? 1 : 0);
    } else if (kind < 60) {
      move(somewhere());
      button(kind < 57 ? 0 : 2, GLFW_PRESS);
      for (int i = 0; i < 3; ++i) move(anywhere());
      button(kind < 57 ? 0 : 2, GLFW_RELEASE);
    } else if (kind < 66) {
      move(somewhere());
      call(glfwSetScrollCallback, 0.0, of(2) ? 1.0 : -1.0);
    } else if (kind < 70) {
      for (int i = 0; i < 3; ++i) call(glfwSetCharCallback, unsigned("abc019.-"[of(8)]));
    } else if (kind < 73) {
      glfwSetWindowSize(window(), 720 + of(700), 480 + of(400));
    } else if (kind < 75 && !files.empty()) {
      const char* const file = files[std::size_t(of(int(files.size())))].c_str();
      const char* paths[] = {file};
      call(glfwSetDropCallback, 1, paths);
    } else if (kind < 81) {
      pressKey(GLFW_KEY_ESCAPE, 0);
    } else {
      pressSomeKey();
    }
  }

 private:
  static GLFWwindow* window() { return glfwGetCurrentContext(); }
  int of(int count) { return int(random_() % std::uint32_t(count)); }
  void move(glm::vec2 to) {
    at_ = to;
    call(glfwSetCursorPosCallback, double(to.x), double(to.y));
  }
  void button(int which, int action) { call(glfwSetMouseButtonCallback, which, action, 0); }
  void press(int which) { button(which, GLFW_PRESS), button(which, GLFW_RELEASE); }
  void pressSomeKey() {
    static const int others[] = {GLFW_KEY_SPACE, GLFW_KEY_ENTER, GLFW_KEY_TAB, GLFW_KEY_DELETE,
                                 GLFW_KEY_LEFT,  GLFW_KEY_RIGHT, GLFW_KEY_UP,  GLFW_KEY_DOWN,
                                 GLFW_KEY_HOME,  GLFW_KEY_END,   GLFW_KEY_F3,  GLFW_KEY_F6,
                                 GLFW_KEY_EQUAL, GLFW_KEY_MINUS, GLFW_KEY_0,   GLFW_KEY_1};
    static const int mods[] = {
        0, 0, 0, GLFW_MOD_CONTROL, GLFW_MOD_SHIFT, GLFW_MOD_ALT, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT};
    const int code = of(2) ? GLFW_KEY_A + of(26) : others[of(int(std::size(others)))];
    const int with = mods[of(int(std::size(mods)))];
    const bool leaves = code == GLFW_KEY_Q || code == GLFW_KEY_R || code == GLFW_KEY_N;
    if ((with & GLFW_MOD_CONTROL) && leaves) return;
    pressKey(code, with);
  }
  glm::vec2 anywhere() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {float(of(std::max(1, int(size.x)))), float(of(std::max(1, int(size.y))))};
  }
  /// The middle of something that has a name, but for samples: their scenes take seconds.
  glm::vec2 somewhere() {
    std::vector<glm::vec2> all;
    std::istringstream lines(ui::Landmarks::text());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("start:") || line.starts_with("sample:") ||
          line.starts_with("browser:place:"))
        continue;
      std::size_t end = line.size();
      for (int i = 0; i < 4; ++i) end = line.rfind(' ', end - 1);
      float x = 0, y = 0, width = 0, height = 0;
      std::istringstream(line.substr(end)) >> x >> y >> width >> height;
      all.emplace_back(x + width / 2, y + height / 2);
    }
    return all.empty() || of(5) == 0 ? anywhere() : all[std::size_t(of(int(all.size())))];
  }

  std::minstd_rand random_;
  glm::vec2 at_{0};
  int frames_ = 0;
} chance;

std::string windowName() { return ImGui::GetCurrentWindow()->Name; }

/// Whether the item belongs to the tabs of the side panel, segments("side", ...).
bool isSideTab() {
  const ImVector<ImGuiID>& stack = ImGui::GetCurrentWindow()->IDStack;
  return stack.Size > 1 && stack.back() == ImHashStr("side", 0, stack[stack.Size - 2]);
}

}  // namespace

void walk(std::vector<glm::ivec2> sizes, Planted planted) {
  state.sizes = std::move(sizes);
  state.on = true, state.planted = planted;
}

void walkAtRandom(std::uint32_t seed, int inputs, std::vector<std::string> files) {
  chance.seed(seed);
  chance.left = inputs, chance.files = std::move(files);
}

const std::string& windowTitle() { return chance.title; }
int openedByWalk() { return state.opened; }
bool faultsFound() { return !state.equal.empty() || !state.cut.empty(); }

}  // namespace fathom::viewer

using fathom::viewer::chance;
using fathom::viewer::isSideTab;
using fathom::viewer::Planted;
using fathom::viewer::state;
using fathom::viewer::windowName;

// NOLINTBEGIN
#define WRAPPED(Result, name, symbol, parameters)         \
  Result real##name parameters __asm__("__real_" symbol); \
  Result wrap##name parameters __asm__("__wrap_" symbol); \
  Result wrap##name parameters
// NOLINTEND

WRAPPED(bool, ItemAdd, "_ZN5ImGui7ItemAddERK6ImRectjPS1_i",
        (const ImRect& box, ImGuiID id, const ImRect* nav, ImGuiItemFlags flags)) {
  const bool shown = realItemAdd(box, id, nav, flags);
  if (id == 0) return shown;
  const auto [at, isNew] = state.seen.try_emplace(id, box.Min);
  const bool same = at->second.x == box.Min.x && at->second.y == box.Min.y;  // typed into
  if (!isNew && !same && state.equal.insert(id).second)
    std::fprintf(stderr, "equal ID in window %s: at %.0f %.0f and %.0f %.0f\n",
                 windowName().c_str(), double(at->second.x), double(at->second.y),
                 double(box.Min.x), double(box.Min.y));
  return shown || (state.on && state.inCombo);  // also below the fold
}

WRAPPED(bool, BeginCombo, "_ZN5ImGui10BeginComboEPKcS1_i",
        (const char* label, const char* preview, ImGuiComboFlags flags)) {
  const ImGuiID id = ImGui::GetID(label);
  if (!ImGui::GetCurrentWindow()->SkipItems && state.takes(id)) {
    ImGui::OpenPopup(ImHashStr("##ComboPopup", 0, id));
    state.started |= std::string(label) == "##technique";
  }
  state.inCombo = true;
  const bool open = realBeginCombo(label, preview, flags);
  state.inCombo = false;
  return open;
}

WRAPPED(bool, BeginMenu, "_ZN5ImGui9BeginMenuEPKcb", (const char* label, bool enabled)) {
  if (enabled && state.takes(ImGui::GetID(label))) ImGui::OpenPopup(label);
  return realBeginMenu(label, enabled);
}

WRAPPED(bool, Button, "_ZN5ImGui6ButtonEPKcRK6ImVec2", (const char* label, const ImVec2& size)) {
  const bool pressed = realButton(label, size);
  const std::string text = label, window = windowName();
  const ImGuiID id = ImGui::GetID(label);
  if (chance.left > 0 && (text == "Up" || text == "Home")) return false;
  if (window.starts_with("##dialog") && text == "Close" && state.on && state.held == 0) return true;
  if (window == "##top" ? text != "Settings" : text.ends_with("...") || text == "Symmetry")
    return state.takes(id) || pressed;
  if (window == "##status" && text != "\u00d7") return state.takes(id, true) || pressed;
  return pressed;
}

WRAPPED(bool, InvisibleButton, "_ZN5ImGui15InvisibleButtonEPKcRK6ImVec2i",
        (const char* label, const ImVec2& size, ImGuiButtonFlags flags)) {
  const bool pressed = realInvisibleButton(label, size, flags);
  const ImGuiID id = ImGui::GetID(label);
  // A section is opened and closed, whatever it was.
  if (std::string(label) == "##section")
    return state.takes(id) || state.takes(id + 1, true) || pressed;
  return (isSideTab() && state.takes(id, true)) || pressed;
}

WRAPPED(bool, Selectable, "_ZN5ImGui10SelectableEPKcbiRK6ImVec2",
        (const char* label, bool selected, ImGuiSelectableFlags flags, const ImVec2& size)) {
  const bool chosen = realSelectable(label, selected, flags, size);
  return chosen && !(chance.left > 0 && std::string_view(label).ends_with('/'));
}

WRAPPED(void, AddText, "_ZN10ImDrawList7AddTextEPK6ImFontfRK6ImVec2jPKcS7_fPK6ImVec4",
        (ImDrawList * draw, ImFont* font, float size, const ImVec2& at, ImU32 color,
         const char* text, const char* end, float wrap, const ImVec4* clip)) {
  if (wrap == 0)
    state.askText(font ? font : ImGui::GetFont(), size > 0 ? size : ImGui::GetFontSize(), at, text,
                  end, clip);
  realAddText(draw, font, size, at, color, text, end, wrap, clip);
}

WRAPPED(void, AddLine, "_ZN10ImDrawList7AddTextERK6ImVec2jPKcS4_",
        (ImDrawList * draw, const ImVec2& at, ImU32 color, const char* text, const char* end)) {
  wrapAddText(draw, nullptr, 0, at, color, text, end, 0, nullptr);
}

WRAPPED(bool, Input, "_ZN5ImGui9InputTextEPKcPc" SIZE_NAME "iPFiP26ImGuiInputTextCallbackDataEPv",
        (const char* label, char* text, std::size_t size, ImGuiInputTextFlags flags,
         ImGuiInputTextCallback callback, void* user)) {
  state.typed = true;
  const bool changed = realInput(label, text, size, flags, callback, user);
  state.typed = false;
  return changed;
}

WRAPPED(bool, InputWithHint,
        "_ZN5ImGui17InputTextWithHintEPKcS1_Pc" SIZE_NAME "iPFiP26ImGuiInputTextCallbackDataEPv",
        (const char* label, const char* hint, char* text, std::size_t size,
         ImGuiInputTextFlags flags, ImGuiInputTextCallback callback, void* user)) {
  state.typed = true;
  const bool changed = realInputWithHint(label, hint, text, size, flags, callback, user);
  state.typed = false;
  return changed;
}

WRAPPED(void, SetTitle, "glfwSetWindowTitle", (GLFWwindow * window, const char* title)) {
  realSetTitle(window, title);
  chance.title = title;
}

WRAPPED(void, Render, "_ZN5ImGui6RenderEv", ()) {
  if (state.planted != Planted::Nothing) {
    ImGui::Begin("planted");
    if (state.planted == Planted::UnbalancedPush)
      ImGui::PushID(1);
    else
      for (int i = 0; i < 2; ++i) ImGui::Button("X");
    ImGui::End();
  }
  chance.next();
  state.endFrame();
  realRender();
}

/// Walks look at no picture.
WRAPPED(void, Draw, "_Z32ImGui_ImplOpenGL3_RenderDrawDataP10ImDrawData", (ImDrawData * data)) {
  if (!state.on && chance.left <= 0) realDraw(data);
}

#undef WRAPPED
