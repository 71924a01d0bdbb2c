// SPDX-License-Identifier: BSD-3-Clause
// The panel at the right: pages of the technique, and the page that every technique has: inputs,
// settings in sections with a field that filters them, display, info.
#include "app/window/document/flat_picture.h"
#include "app/window/panels/panels.h"
#include "app/window/widgets/setting_rows.h"
#include "app/window/workspace/actions.h"

#include <imgui_stdlib.h>

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr const char* kSettings = "settings";

void drawAddInput(Workspace& w) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(3)});
  if (button("Add input...", "add-input", {0, 0},
             "Opens a file together with these (Ctrl+Shift+O); or drop it with Shift held."))
    w.browser.open(FileBrowser::Purpose::Add, w.document.info().endings);
  ImGui::PopStyleVar();
}

/// A technique that lists its inputs on a page of that name: they are not listed twice.
bool hasInputsPage(Workspace& w) {
  const std::vector<TechniquePage> pages = w.document.active().parts().pages();
  return std::ranges::find(pages, "inputs", &TechniquePage::name) != pages.end();
}

void drawInputs(Workspace& w) {
  const std::vector<std::string> inputs = w.document.technique()->inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const IdScope scope{int(i)};
    const float room = ImGui::GetContentRegionAvail().x - (inputs.size() > 1 ? px(26) : 0);
    textToFit(fonts().text, color::kText, fileName(inputs[i]), room);
    tooltip(inputs[i]);
    if (inputs.size() > 1) {
      ImGui::SameLine(ImGui::GetContentRegionAvail().x - px(18));
      textIn(fonts().text, color::kDim, "\u00d7");
      tooltip("Remove this input.");
      if (ImGui::IsItemClicked()) {
        std::vector<std::string> rest = inputs;
        rest.erase(rest.begin() + std::ptrdiff_t(i));
        w.open(rest);
      }
    }
  }
  drawAddInput(w);
}

void drawInfo(const Engine& technique) {
  const auto facts = technique.facts();
  if (facts.empty()) return;
  heading("Info");
  factTable("info:", facts);
}

/// The page that is in front; its name, or kSettings.
std::string drawPageTabs(Workspace& w) {
  std::vector<std::string> names, titles, about;
  for (const TechniquePage& page : w.document.active().parts().pages())
    if (page.place == TechniquePage::Place::Side) {
      names.push_back(page.name);
      titles.push_back(page.title);
      about.push_back(page.about);
    }
  if (names.empty()) return kSettings;
  names.emplace_back(kSettings), titles.emplace_back("Settings");
  about.emplace_back("Inputs, settings, display");
  const auto known = std::find(names.begin(), names.end(), w.layout.sidePage);
  int index = known == names.end() ? 0 : int(known - names.begin()), over = -1;
  segments("side", index, titles, ImGui::GetContentRegionAvail().x, &over);
  if (over >= 0) tooltipAbove(about[std::size_t(over)]);
  ImGui::Dummy({0, px(2)});
  w.layout.sidePage = names[std::size_t(index)];
  return w.layout.sidePage;
}

/// A line that opens and closes what follows; true while it is open.
bool sectionHeader(Workspace& w, Section section, const RowCount& count) {
  bool open = isOpen(w.layout, section);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight();
  const IdScope scope{int(section)};
  if (ImGui::InvisibleButton("##section", {width, height}))
    setOpen(w.layout, section, open = !open);
  Landmarks::note(std::string("section:") + titleOf(section));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered())
    draw.AddRectFilled(at, {at.x + width, at.y + height}, packed(color::kRaised), px(4));
  const float middle = at.y + height / 2;
  if (open)
    draw.AddTriangleFilled({at.x + px(2), middle - px(3)}, {at.x + px(10), middle - px(3)},
                           {at.x + px(6), middle + px(4)}, packed(color::kDim));
  else
    draw.AddTriangleFilled({at.x + px(3), middle - px(4)}, {at.x + px(10), middle},
                           {at.x + px(3), middle + px(4)}, packed(color::kDim));
  drawText(draw, fonts().strong, {at.x + px(18), middle - fonts().strong->FontSize / 2},
           color::kText, titleOf(section));
  if (count.changed > 0) {
    const std::string text = std::to_string(count.changed) + " changed";
    drawText(draw, fonts().small, {at.x + width - px(6), middle - fonts().small->FontSize / 2},
             color::kAccent, text, 1);
  }
  return open;
}

void drawFilter(Workspace& w) {
  if (std::exchange(w.settingSearch.focus, false)) ImGui::SetKeyboardFocusHere();
  std::string& filter = w.settingSearch.filter;
  const float clear = filter.empty() ? 0 : buttonWidth("\u00d7") + px(4);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - clear);
  ImGui::InputTextWithHint("##filter", "Find a setting (Ctrl+F)", &filter,
                           ImGuiInputTextFlags_AutoSelectAll);
  Landmarks::note("settings:filter");
  if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
    filter.clear();  // ImGui has put back what it was before
  if (clear == 0) return;
  ImGui::SameLine(0, px(4));
  if (button("\u00d7##filter", "settings:clear")) filter.clear();
  tooltip("Show all settings (Esc in the field)");
}

/// What can be made of a picture: the other techniques that accept it.
void drawOffers(Workspace& w) {
  if (w.document.info().name != kFlatPicture || w.document.choices().size() < 2) return;
  heading("Convert");
  const TechniqueEntry* chosen = nullptr;
  for (const TechniqueEntry* entry : w.document.choices()) {
    if (entry->info.name == kFlatPicture) continue;
    const char* what = entry->info.name == "smoe"  ? "Fit a model (SMoE)"
                       : entry->info.name == "dof" ? "Blur by depth (depth of field)"
                                                   : nullptr;
    if (button(what ? what : ("Open with " + entry->info.title).c_str(),
               "offer:" + entry->info.name, {-1, 0}))
      chosen = entry;
    tooltip(entry->info.about);
  }
  if (chosen) useTechnique(w, *chosen);
}

/// A list of names with an empty one for the config's own choice.
void nameCombo(const char* label, std::string& value, std::vector<std::string> names) {
  ImGui::AlignTextToFramePadding();
  dimText(label);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x * 0.42f);
  ImGui::SetNextItemWidth(-px(26));
  names.insert(names.begin(), "Default");
  const auto picked =
      pickFrom(std::string("ocio:") + label, names, value.empty() ? names[0] : value);
  if (picked) value = *picked > 0 ? names[*picked] : "";
}

/// Display, view and look of the OpenColorIO config, and which config it is.
void drawColorConfig(Workspace& w) {
  if (w.display.curve != DisplaySettings::Curve::Ocio) return;
  ImGui::SetNextItemWidth(-px(26));
  ImGui::InputTextWithHint("##config", "Config file; empty: $OCIO", &w.display.ocioConfig,
                           ImGuiInputTextFlags_EnterReturnsTrue);
  Landmarks::note("ocio:config");
  const ColorConfig* const config = w.color.config();
  if (!config) return;
  textToFit(fonts().small, color::kFaint, config->name());
  nameCombo("Display", w.display.ocioDisplay, config->displays());
  nameCombo("View", w.display.ocioView, config->views(w.display.ocioDisplay));
  nameCombo("Look", w.display.ocioLook, config->looks());
}

RowOptions displayRows() {
  static const std::vector<FieldValue> defaults = [] {
    DisplaySettings fresh;
    return valuesOf(describing(fresh));
  }();
  RowOptions rows;
  rows.group = "display";
  rows.defaults = defaults;
  return rows;
}

/// All settings whose name, label or explanation holds the filter's text, whatever page they are
/// on.
void drawFound(Workspace& w, RowOptions rows, const Describe& display) {
  rows.filter = w.settingSearch.filter;
  rows.otherPages = true;
  RowOptions shown = displayRows();
  shown.filter = w.settingSearch.filter;
  int found = countRows(display, shown).shown;
  if (Engine* technique = w.document.technique()) {
    found += countRows(technique->settings(), rows).shown;
    drawRows(technique->settings(), rows);
  }
  drawRows(display, shown);
  if (found == 0) dimText("No setting of this name");
}

void drawSettings(Workspace& w) {
  Engine* const technique = w.document.technique();
  const Describe display = describing(w.display);
  RowOptions rows;
  rows.openPage = [&w](const std::string& page) {
    w.settingSearch.filter.clear();
    openPage(w, page);
  };
  rows.chooseFile = [&w](const std::string& setting, const std::vector<std::string>& endings,
                         const std::string& current) {
    w.browser.openForSetting(setting, endings, current);
  };
  if (technique) {
    rows.defaults = w.document.active().defaults();
    rows.chosen = technique->chosen();
  }
  drawFilter(w);
  if (!w.settingSearch.filter.empty()) return drawFound(w, rows, display);
  if (technique) {
    for (const Section section :
         {Section::Input, Section::Picture, Section::Algorithm, Section::Limits}) {
      rows.sections = {section};
      rows.group = titleOf(section);
      const RowCount count = countRows(technique->settings(), rows);
      if (count.shown == 0 && section != Section::Input) continue;
      if (!sectionHeader(w, section, count)) continue;
      if (section == Section::Input && !hasInputsPage(w)) drawInputs(w);
      drawRows(technique->settings(), rows);
      ImGui::Dummy({0, px(4)});
    }
  }
  heading("Display");
  RowOptions shown = displayRows();
  // On the toolbar, on the page Compare, below.
  shown.elsewhere = {"exposure",     "channel",   "false-color", "normalize",
                     "background",   "offset",    "difference",  "ocio-config",
                     "ocio-display", "ocio-view", "ocio-look"};
  drawRows(display, shown);
  drawColorConfig(w);
  if (!technique) return;
  drawOffers(w);
  drawInfo(*technique);
  w.reportErrors([&] { drawExrContents(w); });
  wrappedText(fonts().small, color::kFaint, w.document.info().about);
}

}  // namespace

void drawSidePanel(Workspace& w, const Area& area) {
  beginFixed("##side", area, color::kPanel, {px(16), px(12)}, ImGuiWindowFlags_None);
  std::string page = kSettings;
  if (w.document.technique()) page = drawPageTabs(w);
  // The scroll bar belongs to a child window per page, so that each page keeps its position.
  ImGui::BeginChild(("##rows " + page).c_str(), {0, 0}, false, ImGuiWindowFlags_NavFlattened);
  if (page == kSettings)
    drawSettings(w);
  else
    w.document.active().parts().panels->drawPage(page);
  if (page == "inputs") drawAddInput(w);
  ImGui::Dummy({0, px(6)});
  ImGui::EndChild();
  edge({area.x, area.y}, {area.x, area.y + area.height});
  ImGui::End();
}

}  // namespace fathom::viewer
