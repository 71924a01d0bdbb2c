// SPDX-License-Identifier: BSD-3-Clause
// Every action, as menus in the bar at the top, as a list to search, and as the help window; and
// what is open.
#include "app/engine/core/text.h"
#include "app/window/panels/panels.h"
#include "app/window/workspace/actions.h"

#include <fmt/ranges.h>
#include <imgui_stdlib.h>

namespace fathom::viewer {
using namespace ui;
// ---- Menus

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
      {"View", {"Panels"}, {"Image", "Views", "Camera of a scene", "Compare"}},
      {"Help", {"Help"}, {}}};
  return all;
}

void drawGroup(const Workspace& w, const std::string& group, std::function<void()>& chosen) {
  std::string last;
  for (const Shortcut& shortcut : allActions(w)) {
    // A gesture, or a second key of the same.
    if (shortcut.group != group || !shortcut.action || shortcut.text == last) continue;
    last = shortcut.text;
    const bool on = shortcut.on && shortcut.on();
    if (ImGui::MenuItem(last.c_str(), shortcut.keys.c_str(), on, possibleNow(shortcut)))
      chosen = shortcut.action;
    Landmarks::note("menu:" + last);
  }
}

/// Sets of files as a submenu; `ticks`: the one that is shown has one.
void drawSets(Workspace& w, const char* title, const std::vector<Opened::Entry>& sets, bool ticks,
              std::function<void()>& chosen) {
  const bool open = ImGui::BeginMenu(title, sets.size() > (ticks ? 1u : 0u));
  Landmarks::note(std::string("menu:") + title);
  if (!open) return;
  for (const Opened::Entry& entry : sets) {
    const IdScope scope{&entry};
    const std::string name = titleOf(entry.set);
    noteLetters(name);
    if (ImGui::MenuItem(name.c_str(), entry.technique.c_str(), ticks && w.opened.isShown(entry)))
      chosen = [&w, entry] { w.open(entry.set, false, entry.technique); };
    Landmarks::note("opened:" + name);
    tooltip(pathsOf(entry.set));
  }
  ImGui::EndMenu();
}

/// Of all of them, or of those that can be chosen.
std::vector<std::string> groupsOf(const std::vector<Shortcut>& shortcuts, bool all) {
  std::vector<std::string> groups;
  for (const Shortcut& shortcut : shortcuts)
    if ((all || shortcut.action) && std::ranges::find(groups, shortcut.group) == groups.end())
      groups.push_back(shortcut.group);
  return groups;
}

void drawMenu(Workspace& w, const Menu& menu, std::function<void()>& chosen) {
  for (const std::string& group : menu.own) drawGroup(w, group, chosen);
  std::vector<std::string> below = menu.below;
  if (std::string(menu.title) == "Edit") below = groupsOf(w.techniqueActions, false);
  if (std::string(menu.title) == "File") {
    ImGui::Separator();
    drawSets(w, "Opened", w.opened.entries(), true, chosen);
    std::vector<Opened::Entry> recent;
    for (const FileSet& set : w.recent) recent.push_back({set, {}});
    drawSets(w, "Open recent", recent, false, chosen);
  }
  if (!below.empty()) ImGui::Separator();
  for (const std::string& group : below) {
    if (ImGui::BeginMenu((group + "##group").c_str())) {  // a page may bear the same name
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

/// File, Edit, View, Help, on one line.
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
    const bool pressed = barButton(menu.title, std::string("menu:") + menu.title, open == i);
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

// ---- The list of all actions

bool holds(const std::string& text, const std::string& part) {
  return lowered(text).find(lowered(part)) != std::string::npos;
}

/// All actions, then pages, techniques and settings.
std::vector<Shortcut> paletteEntries(Workspace& w) {
  std::vector<Shortcut> entries = allActions(w);
  std::erase_if(entries, [](const Shortcut& shortcut) { return !shortcut.action; });
  for (const TechniquePage& page : w.document.active().parts().pages())
    entries.push_back({"Page", page.title, "", [&w, name = page.name] { openPage(w, name); }});
  for (const TechniqueEntry* entry : w.document.choices())
    entries.push_back({"Engine", entry->info.title, "", [&w, entry] { useTechnique(w, *entry); }});
  if (Engine* technique = w.document.technique())
    for (const FieldRow& row : rowsOf(technique->settings()))
      entries.push_back({"Setting",
                         labelOf(row.info),
                         "",
                         [&w, label = labelOf(row.info)] {
                           w.layout.side = true, w.layout.sidePage = "settings";
                           w.settingSearch.filter = label;
                         },
                         {},
                         {},
                         fmt::format(" {}", fmt::join(row.values, " "))});
  return entries;
}

}  // namespace

void drawPalette(Workspace& w) {
  static std::string text;
  static int marked = 0;
  if (!w.paletteOpen) return;
  beginDialog("Commands", {px(640), px(460)}, &w.paletteOpen);
  Landmarks::noteWindow("palette");
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
  const int last = marked;
  std::vector<Shortcut> found = paletteEntries(w);
  std::erase_if(found, [&](const Shortcut& each) {
    return !holds(each.group + " " + each.text + each.more, text);
  });
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) ++marked;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow))) --marked;
  marked = std::clamp(marked, 0, std::max(0, int(found.size()) - 1));
  std::function<void()> run;
  ImGui::BeginChild("##found");
  for (int i = 0; i < int(found.size()); ++i) {
    const Shortcut& entry = found[std::size_t(i)];
    const IdScope scope{i};
    const auto flags = possibleNow(entry) ? 0 : ImGuiSelectableFlags_Disabled;
    const bool clicked = ImGui::Selectable(entry.text.c_str(), i == marked, flags);
    Landmarks::note("palette:" + entry.text);
    if (possibleNow(entry) && (clicked || (entered && i == marked))) run = entry.action;
    if (i == marked && (text != before || marked != last)) ImGui::SetScrollHereY();
    ImGui::SameLine(px(380));
    textIn(fonts().small, color::kFaint, entry.group);
    if (!entry.keys.empty()) {
      ImGui::SameLine();
      textRight(fonts().mono, color::kDim, entry.keys);
    }
  }
  if (found.empty()) dimText("No command of this name");
  ImGui::EndChild();
  ImGui::End();
  if (!run) return;
  w.paletteOpen = false;
  run();
}

// ---- The bar

namespace {

void verticalGap() {
  ImGui::SameLine(0, px(10));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  edge({at.x, at.y + px(5)}, {at.x, at.y + ImGui::GetFrameHeight() - px(5)});
  ImGui::SameLine(0, px(11));
}

/// All techniques; those that cannot show what is open are gray and say why.
void drawTechniques(Workspace& w, float width) {
  const Engine* const technique = w.document.technique();
  if (!technique) return;
  const auto& choices = w.document.choices();
  ImGui::SetNextItemWidth(width);
  const TechniqueEntry* chosen = nullptr;
  const bool open = ImGui::BeginCombo("##technique", w.document.info().title.c_str(),
                                      ImGuiComboFlags_HeightLargest);
  Landmarks::note("technique");
  if (open) {
    for (const TechniqueEntry& entry : w.document.available()) {
      const bool fits = std::ranges::find(choices, &entry) != choices.end();
      const bool current = entry.info.name == w.document.info().name;
      const auto flags = fits ? 0 : ImGuiSelectableFlags_Disabled;
      if (ImGui::Selectable(entry.info.title.c_str(), current, flags)) chosen = &entry;
      Landmarks::note("technique=" + entry.info.title);
      tooltip(
          fits ? entry.info.about
               : fmt::format("Cannot show {}: it opens {}",
                             technique->inputs().size() > 1 ? "these files together" : "this input",
                             fmt::join(entry.info.endings, ", ")));
    }
    ImGui::EndCombo();
  } else {
    tooltip("The technique that shows the open files", w.document.info().about);
  }
  if (chosen) useTechnique(w, *chosen);
}

std::string documentName(const Workspace& w) {
  const Engine* const technique = w.document.technique();
  if (!technique || technique->inputs().empty()) return {};
  return (w.document.unsaved() ? "* " : "") + titleOf(technique->inputs());
}

/// What is edited, and can be saved; its name on the button.
std::optional<std::string> savable(const Workspace& w) {
  const Editing* const editing = w.document.active().parts().editing;
  const auto file = editing ? editing->savable() : std::nullopt;
  return file ? std::optional("Save " + file->what) : std::nullopt;
}

/// Undo and redo, and save for techniques that edit.
void drawEditing(Workspace& w) {
  w.reportErrors([&] {
    if (barButton("Undo", "bar:undo", false, "Undo (Ctrl+Z)", w.steps.canUndo(w.document)))
      w.steps.undo(w.document);
    ImGui::SameLine(0, px(2));
    if (barButton("Redo", "bar:redo", false, "Redo (Ctrl+Y)", w.steps.canRedo(w.document)))
      w.steps.redo(w.document);
  });
  ImGui::SameLine(0, px(2));
  const auto save = savable(w);
  if (!save) return;
  if (barButton(save->c_str(), "bar:save", false, *save + " (Ctrl+S)")) askForFile(w);
  ImGui::SameLine(0, px(2));
}

float editingWidth(const Workspace& w) {
  return buttonWidth("Undo") + buttonWidth("Redo") + px(8) +
         (savable(w) ? buttonWidth(savable(w)->c_str()) : 0);
}

}  // namespace

void drawTopBar(Workspace& w, const Area& area) {
  beginFixed("##top", area, color::kBar,
             {px(14), std::round((area.height - ImGui::GetFrameHeight()) / 2)});
  edge({area.x, area.y + area.height - 1}, {area.x + area.width, area.y + area.height - 1});
  const bool narrow = area.width < px(960);
  if (!narrow) {
    ImGui::AlignTextToFramePadding();
    textIn(fonts().strong, color::kAccent, "Fathom");
    ImGui::SameLine(0, px(12));
  }
  drawMenus(w);
  verticalGap();
  drawTechniques(w, px(narrow ? 130 : 176));
  ImGui::SameLine(0, px(12));
  const float right =
      editingWidth(w) + buttonWidth("Export...") + px(30) + (narrow ? 0 : buttonWidth("Settings"));
  const float room = area.width - right - ImGui::GetCursorPosX();
  if (room > px(60)) {
    ImGui::AlignTextToFramePadding();
    textToFit(fonts().text, color::kText, documentName(w), room);
    Landmarks::note("bar:document");
    const Engine* const technique = w.document.technique();
    if (technique && !technique->inputs().empty()) tooltip(pathsOf(technique->inputs()));
  }
  ImGui::SameLine(std::max(area.width - right, ImGui::GetCursorPosX()));
  drawEditing(w);
  if (button("Export...", "bar:export", {0, 0}, "Write the image or animation to a file (Ctrl+E)",
             w.document.hasPicture()))
    openExport(w);
  if (!narrow) {
    ImGui::SameLine(0, px(6));
    if (barButton("Settings", "bar:settings", w.layout.side, "The panel at the right (P)"))
      w.layout.side = !w.layout.side;
  }
  ImGui::End();
}

// ---- The help window

namespace {

void keyCap(const std::string& text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = textSize(fonts().mono, text);
  const ImVec2 high(at.x + size.x + px(12), at.y + size.y + px(4));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(at, high, packed(color::kRaised), px(4));
  draw.AddRect(at, high, packed(color::kPress), px(4));
  drawText(draw, fonts().mono, {at.x + px(6), at.y + px(2)}, color::kText, text);
  ImGui::Dummy({high.x - at.x, high.y - at.y});
}

void drawKeys(const std::vector<Shortcut>& shortcuts, const std::string& group, float width) {
  heading(group.c_str());
  if (!ImGui::BeginTable(group.c_str(), 2, ImGuiTableFlags_SizingFixedFit, {width, 0})) return;
  ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, px(128));
  ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
  for (const Shortcut& shortcut : shortcuts) {
    if (shortcut.group != group) continue;
    nextRow();
    keyCap(shortcut.keys);
    ImGui::TableNextColumn();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(2));
    const bool on = shortcut.on && shortcut.on();
    wrappedText(fonts().text, on ? color::kAccent : color::kText,
                (shortcut.text + (on ? " (on)" : "")));
  }
  ImGui::EndTable();
}

}  // namespace

void drawHelp(Workspace& w) {
  if (!w.helpOpen) return;
  const std::vector<Shortcut> shortcuts = allActions(w);
  beginDialog("Keys and mouse", {px(1240), px(690)}, &w.helpOpen);
  Landmarks::note("help");
  // Columns as wide as the dialog allows; a group stays whole, the next goes into the shortest one.
  ImGui::BeginChild("##keys");
  Landmarks::noteWindow("help:keys");
  const float gap = px(26), room = ImGui::GetContentRegionAvail().x;
  const std::size_t columns = std::size_t(std::clamp(int((room + gap) / (px(350) + gap)), 1, 3));
  const float width = (room - gap * float(columns - 1)) / float(columns);
  const ImVec2 corner = ImGui::GetCursorPos();
  std::vector<float> ends(columns, corner.y);
  for (const std::string& group : groupsOf(shortcuts, true)) {
    const std::size_t c = std::size_t(std::ranges::min_element(ends) - ends.begin());
    ImGui::SetCursorPos({corner.x + (width + gap) * float(c), ends[c]});
    ImGui::BeginGroup();
    drawKeys(shortcuts, group, width);
    ImGui::EndGroup();
    Landmarks::note("help:" + group);
    ends[c] = ImGui::GetCursorPosY();
  }
  ImGui::SetCursorPos({corner.x, *std::ranges::max_element(ends)});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace fathom::viewer
