// SPDX-License-Identifier: BSD-3-Clause
// The panel at the right: pages of the technique, and the page that every technique has: inputs,
// settings, display, info.
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/fixed_window.h"
#include "app/viewer/widgets/setting_rows.h"
#include "app/viewer/workspace/actions.h"

#include <algorithm>

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr const char* kSettings = "settings";

void drawInputs(Workspace& w) {
  const std::vector<std::string> inputs = w.document.technique()->inputs();
  heading(inputs.size() == 1 ? "Input" : "Inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ImGui::PushID(int(i));
    textIn(fonts().text, color::kText, fileName(inputs[i]).c_str());
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
    ImGui::PopID();
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(3)});
  if (ImGui::Button("Add input..."))
    w.browser.open(FileBrowser::Purpose::Add, w.document.info().endings);
  ImGui::PopStyleVar();
  tooltip("Opens a file together with these (Ctrl+Shift+O); or drop it with Shift held.");
}

void drawInfo(const Technique& technique) {
  const auto facts = technique.facts();
  if (facts.empty()) return;
  heading("Info");
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(4), px(2)});
  if (ImGui::BeginTable("info", 2, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.45f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.55f);
    for (const auto& [name, value] : facts) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      dimText(name.c_str());
      ImGui::TableNextColumn();
      ImGui::PushTextWrapPos(0);
      monoText(value.c_str());
      ImGui::PopTextWrapPos();
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

/// The techniques that can show the current inputs; picking one switches to it.
void drawTechniques(Workspace& w) {
  const auto& choices = w.document.choices();
  if (choices.size() < 2) {
    textIn(fonts().strong, color::kText, w.document.info().title.c_str());
    return;
  }
  std::vector<std::string> titles;
  int index = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    titles.push_back(choices[i]->info.title);
    if (choices[i]->info.name == w.document.info().name) index = int(i);
  }
  if (segments("technique", index, titles, ImGui::GetContentRegionAvail().x))
    useTechnique(w, *choices[std::size_t(index)]);
}

/// The page that is in front; its name, or kSettings.
std::string drawPageTabs(Workspace& w) {
  std::vector<std::string> names, titles, about;
  if (const Panels* panels = w.document.active().panels())
    for (const TechniquePage& page : panels->pages())
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
  if (over >= 0) ImGui::SetTooltip("%s", about[std::size_t(over)].c_str());
  ImGui::Dummy({0, px(2)});
  w.layout.sidePage = names[std::size_t(index)];
  return w.layout.sidePage;
}

void drawSettings(Workspace& w) {
  if (Technique* technique = w.document.technique()) {
    ImGui::PushTextWrapPos(0);
    textIn(fonts().small, color::kDim, w.document.info().about.c_str());
    ImGui::PopTextWrapPos();
    drawInputs(w);
    heading("Settings");
    drawRows("settings", technique->settings(), w.document.active().defaults());
  }
  heading("Display");
  static const std::vector<FieldValue> displayDefaults = [] {
    DisplaySettings fresh;
    return valuesOf([&](FieldVisitor& field) { describe(fresh, field); });
  }();
  drawRows(
      "display", [&](FieldVisitor& field) { describe(w.display, field); }, displayDefaults);
  if (w.document.technique()) drawInfo(*w.document.technique());
}

}  // namespace

void drawSidePanel(Workspace& w, const Area& area) {
  beginFixed("##side", area, color::kPanel, {px(16), px(12)}, ImGuiWindowFlags_None);
  std::string page = kSettings;
  if (w.document.technique()) {
    drawTechniques(w);
    page = drawPageTabs(w);
  }
  // The scroll bar belongs to a child window per page, so that each page keeps its position.
  ImGui::BeginChild(("##rows " + page).c_str(), {0, 0});
  if (page == kSettings)
    drawSettings(w);
  else
    w.document.active().panels()->drawPage(page);
  ImGui::Dummy({0, px(6)});
  ImGui::EndChild();
  edge({area.x, area.y}, {area.x, area.y + area.height});
  ImGui::End();
}

}  // namespace fathom::viewer
