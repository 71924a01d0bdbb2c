// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/shortcuts.h"

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace fathom::viewer {
using namespace ui;

namespace {
const std::map<int, std::string>& namedKeys() {
  static const std::map<int, std::string> names = {
      {GLFW_KEY_SPACE, "Space"},    {GLFW_KEY_ESCAPE, "Esc"},      {GLFW_KEY_HOME, "Home"},
      {GLFW_KEY_EQUAL, "+"},        {GLFW_KEY_MINUS, "-"},         {GLFW_KEY_TAB, "Tab"},
      {GLFW_KEY_LEFT_BRACKET, "["}, {GLFW_KEY_RIGHT_BRACKET, "]"}, {GLFW_KEY_DELETE, "Delete"},
      {GLFW_KEY_PAGE_UP, "PgUp"},   {GLFW_KEY_PAGE_DOWN, "PgDn"},  {GLFW_KEY_LEFT, "Left"},
      {GLFW_KEY_RIGHT, "Right"},    {GLFW_KEY_END, "End"}};
  return names;
}
}  // namespace

std::string keyText(int key, int mods) {
  std::string text;
  if (mods & GLFW_MOD_CONTROL) text += "Ctrl+";
  if (mods & GLFW_MOD_SHIFT) text += "Shift+";
  if (mods & GLFW_MOD_ALT) text += "Alt+";
  const auto found = namedKeys().find(key);
  if (found != namedKeys().end()) return text + found->second;
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25)
    return text + "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  return text + char(key);  // letters and digits have their ASCII codes
}

KeyPress keyNamed(const std::string& text) {
  KeyPress press;
  std::string rest = text;
  const std::pair<std::string, int> modifiers[] = {
      {"Ctrl+", GLFW_MOD_CONTROL}, {"Shift+", GLFW_MOD_SHIFT}, {"Alt+", GLFW_MOD_ALT}};
  for (const auto& [name, mod] : modifiers)
    if (rest.starts_with(name)) rest = rest.substr(name.size()), press.mods |= mod;
  const bool plain = rest.size() == 1 && std::isupper(static_cast<unsigned char>(rest[0]));
  if (plain || (rest.size() == 1 && std::isdigit(static_cast<unsigned char>(rest[0]))))
    press.key = rest[0];
  for (const auto& [key, name] : namedKeys())
    if (rest == name) press.key = key;
  return press.key ? press : KeyPress{};
}

std::vector<Shortcut> shortcutsOf(PictureTools* tools) {
  std::vector<Shortcut> list;
  if (!tools) return list;
  for (TechniqueAction& action : tools->actions()) {
    const KeyPress press = action.run ? keyNamed(action.keys) : KeyPress{};
    list.push_back({action.group, action.text, press.key, press.mods, std::move(action.run),
                    press.key ? std::string() : action.keys});
  }
  return list;
}

bool dispatch(const std::vector<Shortcut>& shortcuts, const KeyPress& press) {
  for (const Shortcut& shortcut : shortcuts)
    if (shortcut.key == press.key && shortcut.mods == press.mods && shortcut.action) {
      shortcut.action();
      return true;
    }
  return false;
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

void drawGroup(const std::vector<Shortcut>& shortcuts, const std::string& group, float width) {
  heading(group.c_str());
  if (!ImGui::BeginTable(group.c_str(), 2, ImGuiTableFlags_SizingFixedFit, {width, 0})) return;
  ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, px(128));
  ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
  for (const Shortcut& shortcut : shortcuts) {
    if (shortcut.group != group) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    keyCap(shortcut.key ? keyText(shortcut.key, shortcut.mods) : shortcut.gesture);
    ImGui::TableNextColumn();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(2));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(shortcut.text.c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::EndTable();
}

}  // namespace

void drawHelp(const std::vector<Shortcut>& shortcuts, bool& open) {
  beginDialog("Keys and mouse", {px(1240), px(690)}, open);
  Landmarks::note("help");
  std::vector<std::string> groups;
  for (const Shortcut& shortcut : shortcuts)
    if (std::find(groups.begin(), groups.end(), shortcut.group) == groups.end())
      groups.push_back(shortcut.group);
  const auto rowsOfGroup = [&](const std::string& group) {
    return std::size_t(1 + std::count_if(shortcuts.begin(), shortcuts.end(),
                                         [&](const Shortcut& s) { return s.group == group; }));
  };
  // Three columns; a group stays whole.
  constexpr std::size_t kColumns = 3;
  const float gap = px(26);
  const float width = (ImGui::GetContentRegionAvail().x - gap * (kColumns - 1)) / kColumns;
  const std::size_t most = (shortcuts.size() + groups.size()) / kColumns + 4;
  std::size_t rows = 0;
  ImGui::BeginGroup();
  for (const std::string& group : groups) {
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
