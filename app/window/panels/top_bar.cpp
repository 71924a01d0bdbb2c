// SPDX-License-Identifier: BSD-3-Clause
// The bar at the top: menus, what is open and with which technique, undo and redo where there is
// something to edit, and the picture's way out.
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"
#include "app/window/panels/panels.h"
#include "app/window/widgets/fixed_window.h"
#include "app/window/workspace/actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::viewer {
using namespace ui;
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
      const bool fits = std::find(choices.begin(), choices.end(), &entry) != choices.end();
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
    tooltip("The technique that shows what is open", w.document.info().about);
  }
  if (chosen) useTechnique(w, *chosen);
}

std::string documentName(const Workspace& w) {
  const Engine* const technique = w.document.technique();
  if (!technique || technique->inputs().empty()) return {};
  return (w.document.unsaved() ? "* " : "") + titleOf(RecentSet{technique->inputs()});
}

/// Save, undo and redo, for techniques that edit.
void drawEditing(Workspace& w) {
  Editing* const editing = w.document.active().editing();
  const auto file = editing ? editing->savable() : std::nullopt;
  if (!file) return;
  const auto button = [](const char* label, bool enabled, const char* tip, const char* landmark) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = barButton(label, false, tip);
    ImGui::EndDisabled();
    Landmarks::note(landmark);
    ImGui::SameLine(0, px(2));
    return pressed;
  };
  if (button("Undo", editing->canUndo(), "Undo (Ctrl+Z)", "bar:undo")) editing->undo();
  if (button("Redo", editing->canRedo(), "Redo (Ctrl+Y)", "bar:redo")) editing->redo();
  if (button(fmt::format("Save {}", file->what).c_str(), true,
             fmt::format("Save the {} (Ctrl+S)", file->what).c_str(), "bar:save"))
    askForFile(w);
}

float editingWidth(Workspace& w) {
  Editing* const editing = w.document.active().editing();
  const auto file = editing ? editing->savable() : std::nullopt;
  if (!file) return 0;
  return buttonWidth("Undo") + buttonWidth("Redo") +
         buttonWidth(fmt::format("Save {}", file->what).c_str()) + px(8);
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
  const float right = editingWidth(w) + buttonWidth("Export image...") + px(30) +
                      (narrow ? 0 : buttonWidth("Settings"));
  const float room = area.width - right - ImGui::GetCursorPosX();
  if (room > px(60)) {
    ImGui::AlignTextToFramePadding();
    textToFit(fonts().text, color::kText, documentName(w), room);
    Landmarks::note("bar:document");
    const Engine* const technique = w.document.technique();
    if (technique && !technique->inputs().empty()) tooltip(pathsOf(RecentSet{technique->inputs()}));
  }
  ImGui::SameLine(std::max(area.width - right, ImGui::GetCursorPosX()));
  drawEditing(w);
  ImGui::BeginDisabled(!w.document.hasPicture());
  if (ImGui::Button("Export image...")) exportImage(w);
  ImGui::EndDisabled();
  Landmarks::note("bar:export");
  tooltip("Write the picture as EXR (linear) or PNG (Ctrl+E)");
  if (!narrow) {
    ImGui::SameLine(0, px(6));
    if (barButton("Settings", w.layout.side, "The panel at the right (P)"))
      w.layout.side = !w.layout.side;
    Landmarks::note("bar:settings");
  }
  ImGui::End();
}

}  // namespace fathom::viewer
