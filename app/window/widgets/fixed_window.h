// SPDX-License-Identifier: BSD-3-Clause
// ImGui windows that fill an area exactly, and what the panels around the picture share.
#pragma once

#include "app/window/ui/layout.h"
#include "app/window/ui/theme.h"

#include <imgui.h>

namespace fathom::viewer {

inline constexpr ImGuiWindowFlags kFixedFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus;

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

}  // namespace fathom::viewer
