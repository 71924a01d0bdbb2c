// SPDX-License-Identifier: BSD-3-Clause
// The table of shortcuts as columns of groups, each key drawn as a key cap; what is on says so.
#include "app/window/widgets/help.h"

#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

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
    keyCap(keysOf(shortcut));
    ImGui::TableNextColumn();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(2));
    const bool on = shortcut.on && shortcut.on();
    ImGui::PushTextWrapPos(0);
    textIn(fonts().text, on ? color::kAccent : color::kText,
           (shortcut.text + (on ? " (on)" : "")).c_str());
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
  // Columns as wide as the dialog allows; a group stays whole, the next goes into the shortest one.
  ImGui::BeginChild("##keys");
  Landmarks::note("help:keys", {ImGui::GetWindowPos().x, ImGui::GetWindowPos().y},
                  {ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
                   ImGui::GetWindowPos().y + ImGui::GetWindowSize().y});
  const float gap = px(26), room = ImGui::GetContentRegionAvail().x;
  const std::size_t columns = std::size_t(std::clamp(int((room + gap) / (px(350) + gap)), 1, 3));
  const float width = (room - gap * float(columns - 1)) / float(columns);
  const ImVec2 corner = ImGui::GetCursorPos();
  std::vector<float> ends(columns, corner.y);
  for (const std::string& group : groups) {
    const std::size_t c = std::size_t(std::min_element(ends.begin(), ends.end()) - ends.begin());
    ImGui::SetCursorPos({corner.x + (width + gap) * float(c), ends[c]});
    ImGui::BeginGroup();
    drawGroup(shortcuts, group, width);
    ImGui::EndGroup();
    Landmarks::note("help:" + group);
    ends[c] = ImGui::GetCursorPosY();
  }
  ImGui::SetCursorPos({corner.x, *std::max_element(ends.begin(), ends.end())});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace fathom::viewer
