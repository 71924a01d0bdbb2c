// SPDX-License-Identifier: BSD-3-Clause
// Rows of a panel or sheet: a label, and a value that is dragged or typed.
#pragma once

#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::ui {

/// Within a popup.
inline void closeOnEscape() {
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false)) ImGui::CloseCurrentPopup();
}

/// A name, and its value `width` units of the design behind where it begins.
inline void fact(const char* name, float width, const std::string& value) {
  dimText(name);
  ImGui::SameLine(px(width));
  monoText(value.c_str());
}

/// The label left, the next item to the right of it in the rest of the row.
inline void rowLabel(const char* label, const char* about = nullptr) {
  ImGui::AlignTextToFramePadding();
  dimText(label);
  if (about) tooltip(about);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.42f);
  ImGui::SetNextItemWidth(-1);
}

/// True while it is being changed. `step`: change per pixel of a drag. Ctrl+click types a number.
inline bool numberRow(const char* label, double& value, float step, double low, double high,
                      const char* format = "%.4g", const char* about = nullptr) {
  ImGui::PushID(label);
  rowLabel(label, about);
  const bool changed = ImGui::DragScalar("##value", ImGuiDataType_Double, &value, step, &low, &high,
                                         format, ImGuiSliderFlags_AlwaysClamp);
  Landmarks::note(std::string("row:") + label);
  ImGui::PopID();
  return changed;
}

}  // namespace fathom::ui
