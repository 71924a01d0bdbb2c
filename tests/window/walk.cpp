// SPDX-License-Identifier: BSD-3-Clause
// The linker puts these in place of ImGui's own functions (--wrap), which they call.
#include "tests/window/walk.h"

#include "app/engine/core/progress.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

namespace fathom::viewer {
namespace {

constexpr int kHeldFrames = 2, kQuietFrames = 2, kQuietAtEnd = 10;

struct Walk {
  std::vector<glm::ivec2> sizes;
  bool on = false, planted = false;
  bool started = false;  // the list of techniques is there: so is what was to be opened
  std::set<ImGuiID> lists, pages;
  int held = 0;  // frames for which the last thing stays open
  int quiet = 0;
  bool openedNow = false, inCombo = false;
  int opened = 0;
  std::map<ImGuiID, ImVec2> seen;  // in this frame
  std::set<ImGuiID> equal;

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
    sizes.erase(sizes.begin());
  }
} state;

std::string windowName() { return ImGui::GetCurrentWindow()->Name; }

/// Whether the item belongs to the tabs of the side panel, segments("side", ...).
bool isSideTab() {
  const ImVector<ImGuiID>& stack = ImGui::GetCurrentWindow()->IDStack;
  return stack.Size > 1 && stack.back() == ImHashStr("side", 0, stack[stack.Size - 2]);
}

}  // namespace

void walk(std::vector<glm::ivec2> sizes, bool planted) {
  state.sizes = std::move(sizes);
  state.on = true, state.planted = planted;
}

int openedByWalk() { return state.opened; }
bool equalIdsFound() { return !state.equal.empty(); }

}  // namespace fathom::viewer

using fathom::viewer::isSideTab;
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
  if (window == "##dialog" && text == "Close" && state.on && state.held == 0) return true;
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

WRAPPED(void, Render, "_ZN5ImGui6RenderEv", ()) {
  if (state.planted) {
    ImGui::Begin("planted");
    for (int i = 0; i < 2; ++i) ImGui::Button("X");
    ImGui::End();
  }
  state.endFrame();
  realRender();
}

/// The walk looks at no picture.
WRAPPED(void, Draw, "_Z32ImGui_ImplOpenGL3_RenderDrawDataP10ImDrawData", (ImDrawData * data)) {
  if (!state.on) realDraw(data);
}
