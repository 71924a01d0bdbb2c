// SPDX-License-Identifier: BSD-3-Clause
// Menus and the command palette, both from the table of actions.
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"
#include "app/window/panels/panels.h"
#include "app/window/widgets/fixed_window.h"
#include "app/window/workspace/actions.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <functional>

namespace fathom::viewer {
using namespace ui;
namespace {

/// Groups of actions that a menu lists itself, and those that it has as submenus.
struct Menu {
  const char* title;
  std::vector<std::string> own, below;
};
const std::vector<Menu>& menus() {
  static const std::vector<Menu> all = {
      {"File", {"Files"}, {}},
      {"Edit", {"Editing"}, {}},
      {"View", {"Panels"}, {"Picture", "Camera of a scene", "Compare"}},
      {"Help", {"Help"}, {}}};
  return all;
}

bool drawItem(const Shortcut& shortcut) {
  if (!shortcut.action) return false;
  const bool on = shortcut.on && shortcut.on();
  const bool chosen =
      ImGui::MenuItem(shortcut.text.c_str(), keysOf(shortcut).c_str(), on, possibleNow(shortcut));
  Landmarks::note("menu:" + shortcut.text);
  return chosen;
}

void drawGroup(const Workspace& w, const std::string& group, std::function<void()>& chosen) {
  std::string last;
  for (const Shortcut* shortcut : allActions(w)) {
    if (shortcut->group != group || shortcut->text == last) continue;  // a second key of the same
    if (drawItem(*shortcut)) chosen = shortcut->action;
    last = shortcut->text;
  }
}

void drawRecent(Workspace& w, std::function<void()>& chosen) {
  if (!ImGui::BeginMenu("Open recent", !w.recent.empty())) return;
  for (const RecentSet& set : w.recent) {
    ImGui::PushID(&set);
    if (ImGui::MenuItem(titleOf(set).c_str()))
      chosen = [&w, inputs = set.inputs] { w.open(inputs); };
    tooltip(pathsOf(set));
    ImGui::PopID();
  }
  ImGui::EndMenu();
}

/// In the order in which they were opened, the one that is shown with a tick.
void drawOpened(Workspace& w, std::function<void()>& chosen) {
  const bool any = w.opened.entries().size() > 1;
  const bool open = ImGui::BeginMenu("Opened", any);
  Landmarks::note("menu:Opened");
  if (!open) return;
  for (const Opened::Entry& entry : w.opened.entries()) {
    ImGui::PushID(&entry);
    const std::string title = titleOf(entry.set);
    if (ImGui::MenuItem(title.c_str(), entry.technique.c_str(), w.opened.isShown(entry)))
      chosen = [&w, entry] { w.open(entry.set.inputs, false, entry.technique); };
    Landmarks::note("opened:" + title);
    tooltip(pathsOf(entry.set));
    ImGui::PopID();
  }
  ImGui::EndMenu();
}

/// The technique's own groups of actions go into the menu Edit.
std::vector<std::string> groupsOf(const std::vector<Shortcut>& actions) {
  std::vector<std::string> groups;
  for (const Shortcut& shortcut : actions)
    if (shortcut.action && std::find(groups.begin(), groups.end(), shortcut.group) == groups.end())
      groups.push_back(shortcut.group);
  return groups;
}

void drawMenu(Workspace& w, const Menu& menu, std::function<void()>& chosen) {
  for (const std::string& group : menu.own) drawGroup(w, group, chosen);
  std::vector<std::string> below = menu.below;
  if (std::string(menu.title) == "Edit") below = groupsOf(w.techniqueActions);
  if (std::string(menu.title) == "File") {
    ImGui::Separator();
    drawOpened(w, chosen);
    drawRecent(w, chosen);
  }
  if (!below.empty()) ImGui::Separator();
  for (const std::string& group : below) {
    if (ImGui::BeginMenu(group.c_str())) {
      drawGroup(w, group, chosen);
      ImGui::EndMenu();
    }
    Landmarks::note("menu:" + group);
  }
  if (std::string(menu.title) == "Help") {
    ImGui::Separator();
    ImGui::MenuItem(w.gpu.device().renderer.c_str(), nullptr, false, false);
    ImGui::MenuItem("Fathom " FATHOM_VERSION, nullptr, false, false);
  }
}

bool holds(const std::string& text, const std::string& part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

struct PaletteEntry {
  std::string group, text, keys;
  std::function<void()> run;
  bool possible = true;
};

/// All actions, then pages and techniques.
std::vector<PaletteEntry> paletteEntries(Workspace& w) {
  std::vector<PaletteEntry> entries;
  for (const Shortcut* shortcut : allActions(w))
    if (shortcut->action)
      entries.push_back({shortcut->group, shortcut->text, keysOf(*shortcut), shortcut->action,
                         possibleNow(*shortcut)});
  if (const Panels* panels = w.document.active().panels())
    for (const TechniquePage& page : panels->pages())
      entries.push_back({"Page", page.title, "", [&w, name = page.name] { openPage(w, name); }});
  for (const TechniqueEntry* entry : w.document.choices())
    entries.push_back(
        {"Engine", entry->info.title, "", [&w, entry] { useTechnique(w, *entry); }});
  if (Engine* technique = w.document.technique())
    for (const FieldRow& row : rowsOf(technique->settings()))
      entries.push_back({"Setting", labelOf(row.info), "", [&w, label = labelOf(row.info)] {
                           w.layout.side = true, w.layout.sidePage = "settings";
                           w.settingFilter = label;
                         }});
  return entries;
}

}  // namespace

void drawMenus(Workspace& w) {
  std::function<void()> chosen;  // run once no menu is being drawn
  static int open = -1;
  bool any = false;
  const int count = int(menus().size());
  for (int i = 0; i < count; ++i) any |= ImGui::IsPopupOpen(menus()[std::size_t(i)].title);
  if (!any) open = -1;
  for (int i = 0; i < count; ++i) {
    const Menu& menu = menus()[std::size_t(i)];
    if (i > 0) ImGui::SameLine(0, px(1));
    const bool pressed = barButton(menu.title, open == i, nullptr);
    Landmarks::note(std::string("menu:") + menu.title);
    const bool slid = any && open != i &&
                      ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (pressed || slid) {
      open = i;
      ImGui::OpenPopup(menu.title);
    }
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + px(6)});
    if (ImGui::BeginPopup(menu.title, ImGuiWindowFlags_NoMove)) {
      drawMenu(w, menu, chosen);
      ImGui::EndPopup();
    }
  }
  if (chosen) chosen();
}

void drawPalette(Workspace& w) {
  static std::string text;
  static int marked = 0;
  if (!w.paletteOpen) return;
  beginDialog("Commands", {px(640), px(460)}, w.paletteOpen);
  Landmarks::note("palette", {ImGui::GetWindowPos().x, ImGui::GetWindowPos().y},
                  {ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
                   ImGui::GetWindowPos().y + ImGui::GetWindowSize().y});
  if (ImGui::IsWindowAppearing()) {
    text.clear(), marked = 0;
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  const std::string before = text;
  const bool entered = ImGui::InputTextWithHint("##command", "What do you want to do?", &text,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  Landmarks::note("palette:text");
  if (text != before) marked = 0;
  std::vector<PaletteEntry> found;
  for (PaletteEntry& entry : paletteEntries(w))
    if (holds(entry.group + " " + entry.text, text)) found.push_back(std::move(entry));
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) ++marked;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow))) --marked;
  marked = std::clamp(marked, 0, std::max(0, int(found.size()) - 1));
  std::function<void()> run;
  ImGui::BeginChild("##found");
  for (int i = 0; i < int(found.size()); ++i) {
    const PaletteEntry& entry = found[std::size_t(i)];
    ImGui::PushID(i);
    const auto flags = entry.possible ? 0 : ImGuiSelectableFlags_Disabled;
    const bool clicked = ImGui::Selectable(entry.text.c_str(), i == marked, flags);
    Landmarks::note("palette:" + entry.text);
    if (entry.possible && (clicked || (entered && i == marked))) run = entry.run;
    if (i == marked && text != before) ImGui::SetScrollHereY();
    ImGui::SameLine(px(380));
    textIn(fonts().small, color::kFaint, entry.group.c_str());
    if (!entry.keys.empty()) {
      ImGui::SameLine();
      textRight(fonts().mono, color::kDim, entry.keys.c_str());
    }
    ImGui::PopID();
  }
  if (found.empty()) dimText("No command of this name");
  ImGui::EndChild();
  ImGui::End();
  if (!run) return;
  w.paletteOpen = false;
  run();
}

}  // namespace fathom::viewer
