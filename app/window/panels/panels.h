// SPDX-License-Identifier: BSD-3-Clause
// The fixed parts around the picture, a function each over the workspace: top bar, settings,
// strips, status line, progress of reading, the question about unsaved edits. And what they share.
#pragma once

#include "app/window/ui/widgets.h"
#include "app/window/workspace/workspace.h"

namespace fathom::viewer {

inline constexpr ImGuiWindowFlags kFixedFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;

/// A window that fills an area exactly; end with ImGui::End().
inline void beginFixed(const char* name, const Area& area, ImVec4 background, ImVec2 padding,
                       ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, background);
  ImGui::Begin(name, nullptr, kFixedFlags | flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

/// A border line; reaches into the window's padding, where contents are cut off.
inline void edge(ImVec2 from, ImVec2 to) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRectFullScreen();
  draw.AddLine(from, to, ui::packed(ui::color::kLine), 1);
  draw.PopClipRect();
}

inline std::string fileName(const std::string& input) {
  const std::size_t slash = input.find_last_of('/');
  return slash == std::string::npos ? input : input.substr(slash + 1);
}

inline float buttonWidth(const char* text) {
  return ImGui::CalcTextSize(text).x + ImGui::GetStyle().FramePadding.x * 2;
}

void drawTopBar(Workspace& workspace, const Area& area);
/// The list of all actions with a field that searches it, while it is open.
void drawPalette(Workspace& workspace);
/// The help window, every key and gesture, while it is open.
void drawHelp(Workspace& workspace);
/// The export sheet, while it is open, and how exports end.
void drawExport(Workspace& workspace);
/// How the picture is displayed, zoom and comparison.
void drawToolbar(Workspace& workspace, const Area& area);
/// Techniques, samples and recent files, in place of the picture.
void drawStartPage(Workspace& workspace, const Area& area);
/// Parts, layers, channels and headers of the EXR files that are open; within a panel.
void drawExrContents(Workspace& workspace);
void drawSidePanel(Workspace& workspace, const Area& area);
/// The technique's own strip; only while Workspace::stripShown().
void drawTechniqueStrip(Workspace& workspace, const Area& area);
void drawBottomStrip(Workspace& workspace, const Area& area);
void drawStatusLine(Workspace& workspace, const Area& area, std::optional<glm::ivec2> hovered);
/// Over the picture while inputs are read: phase, progress bar, Cancel.
void drawProgress(Workspace& workspace, const Area& area);
/// Resizes panels by dragging their borders.
void dragBorders(PanelLayout& layout, const Areas& areas);
/// The question about edits that an earlier run could not save.
void drawRecovery(Workspace& workspace);
/// The question about unsaved edits (save, don't save, cancel), while an action waits for it.
void drawUnsaved(Workspace& workspace);
/// The question about a file that is being written (keep, when it is done, cancel it), likewise.
void drawLeaving(Workspace& workspace);

}  // namespace fathom::viewer
