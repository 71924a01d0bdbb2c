// SPDX-License-Identifier: BSD-3-Clause
// The table of shortcuts as three columns of groups, each key drawn as a key cap.
#include "app/viewer/widgets/help.h"

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#include <algorithm>
#include <string>

namespace fathom::viewer {
using namespace ui;
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
  const std::size_t maxRows = (shortcuts.size() + groups.size()) / kColumns + 4;
  std::size_t rows = 0;
  ImGui::BeginGroup();
  for (const std::string& group : groups) {
    if (rows > 0 && rows + rowsOfGroup(group) > maxRows) {
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
