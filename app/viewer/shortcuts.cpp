// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/shortcuts.h"

#include "app/viewer/landmarks.h"
#include "app/viewer/theme.h"
#include "app/viewer/widgets.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace fathom::viewer {

std::string keyText(int key, int mods) {
  static const std::map<int, std::string> named = {
      {GLFW_KEY_SPACE, "Space"},    {GLFW_KEY_ESCAPE, "Esc"},     {GLFW_KEY_HOME, "Home"},
      {GLFW_KEY_EQUAL, "+"},        {GLFW_KEY_MINUS, "-"},        {GLFW_KEY_TAB, "Tab"},
      {GLFW_KEY_LEFT_BRACKET, "["}, {GLFW_KEY_RIGHT_BRACKET, "]"}};
  std::string text;
  if (mods & GLFW_MOD_CONTROL) text += "Ctrl+";
  if (mods & GLFW_MOD_SHIFT) text += "Shift+";
  if (mods & GLFW_MOD_ALT) text += "Alt+";
  if (const auto found = named.find(key); found != named.end()) return text + found->second;
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25)
    return text + "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  return text + char(key);  // letters and digits have their ASCII codes
}

void dispatch(const std::vector<Shortcut>& shortcuts, const KeyPress& press) {
  for (const Shortcut& shortcut : shortcuts)
    if (shortcut.key == press.key && shortcut.mods == press.mods && shortcut.action) {
      shortcut.action();
      return;
    }
}

namespace {

void keyCap(const std::string& text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = fonts().mono->CalcTextSizeA(fonts().mono->FontSize, 1e9f, 0, text.c_str());
  const ImVec2 high(at.x + size.x + px(12), at.y + size.y + px(4));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(at, high, packed(color::kRaised), px(4));
  draw.AddRect(at, high, packed(color::kPress), px(4));
  draw.AddText(fonts().mono, fonts().mono->FontSize, {at.x + px(6), at.y + px(2)},
               packed(color::kText), text.c_str());
  ImGui::Dummy({high.x - at.x, high.y - at.y});
}

void drawGroup(const std::vector<Shortcut>& shortcuts, const char* group, float width) {
  heading(group);
  if (!ImGui::BeginTable(group, 2, ImGuiTableFlags_SizingFixedFit, {width, 0})) return;
  ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, px(128));
  ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
  for (const Shortcut& shortcut : shortcuts) {
    if (std::strcmp(shortcut.group, group) != 0) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    keyCap(shortcut.key ? keyText(shortcut.key, shortcut.mods) : shortcut.gesture);
    ImGui::TableNextColumn();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(2));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(shortcut.text);
    ImGui::PopTextWrapPos();
  }
  ImGui::EndTable();
}

}  // namespace

void drawHelp(const std::vector<Shortcut>& shortcuts, bool& open) {
  beginDialog("Keys and mouse", {px(1180), px(610)}, open);
  Landmarks::note("help");
  std::vector<const char*> groups;
  for (const Shortcut& shortcut : shortcuts)
    if (std::none_of(groups.begin(), groups.end(),
                     [&](const char* g) { return std::strcmp(g, shortcut.group) == 0; }))
      groups.push_back(shortcut.group);
  const auto rowsOfGroup = [&](const char* group) {
    return std::size_t(
        1 + std::count_if(shortcuts.begin(), shortcuts.end(),
                          [&](const Shortcut& s) { return std::strcmp(s.group, group) == 0; }));
  };
  // Three columns; a group stays whole.
  constexpr std::size_t kColumns = 3;
  const float gap = px(26);
  const float width = (ImGui::GetContentRegionAvail().x - gap * (kColumns - 1)) / kColumns;
  const std::size_t most = (shortcuts.size() + groups.size()) / kColumns + 4;
  std::size_t rows = 0;
  ImGui::BeginGroup();
  for (const char* group : groups) {
    if (rows > 0 && rows + rowsOfGroup(group) > most) {
      ImGui::EndGroup();
      ImGui::SameLine(0, gap);
      ImGui::BeginGroup();
      rows = 0;
    }
    drawGroup(shortcuts, group, width);
    rows += rowsOfGroup(group);
  }
  ImGui::EndGroup();
  ImGui::End();
}

}  // namespace fathom::viewer
