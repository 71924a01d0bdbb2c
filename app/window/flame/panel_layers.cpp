// SPDX-License-Identifier: BSD-3-Clause
// The layers of a flame of JWildfire: which is edited, which are seen, and how much.
#include "app/window/flame/panel_rows.h"
#include "app/window/flame/panels.h"
#include "app/engine/flame/genome/operations.h"

#include <fmt/format.h>

#include <string>

namespace fathom::flame {
using namespace ui;
namespace {

std::string titleOf(const LayerSettings& settings, std::size_t number) {
  return settings.name.empty() ? fmt::format("Layer {}", number) : settings.name;
}

/// A row of a layer that is not edited. True: it is removed.
bool drawRow(LayerSettings& settings, std::size_t number, bool& picked) {
  ImGui::Checkbox("##visible", &settings.visible);
  Landmarks::note(fmt::format("layer:{}:visible", number));
  tooltip("Whether it is drawn.");
  ImGui::SameLine();
  picked = ImGui::Button(titleOf(settings, number).c_str(), {px(110), 0});
  Landmarks::note(fmt::format("layer:{}", number));
  tooltip("Edits its xforms and its palette.");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - px(26));
  const double low = 0, high = 10;
  ImGui::DragScalar("##weight", ImGuiDataType_Double, &settings.weight, 0.005f, &low, &high, "%.3g",
                    ImGuiSliderFlags_AlwaysClamp);
  tooltip("A factor to its colors.");
  ImGui::SameLine(0, px(8));
  dimText("\u00d7");
  return ImGui::IsItemClicked();
}

}  // namespace

void drawLayers(Editor& editor) {
  if (editor.genome().dialect != Dialect::JWildfire) return;
  if (!editor.genome().layers.empty()) ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  const bool open = ImGui::TreeNode("Layers");
  Landmarks::note("xforms:layers");
  if (!open) return;
  Genome next = editor.genome();
  dimText((titleOf(next.layer, 1) + " is edited.").c_str());
  numberRow("Layer's weight", next.layer.weight, 0.005f, 0, 10, "%.3g", "A factor to its colors.");
  numberRow("Layer's density", next.layer.density, 0.005f, 0, 1, "%.3g",
            "Its square is the share of its hits that count.");
  if (!next.layers.empty()) ImGui::Checkbox("Visible", &next.layer.visible);
  for (std::size_t i = 0; i < next.layers.size(); ++i) {
    ImGui::PushID(int(i));
    bool picked = false;
    const bool removed = drawRow(next.layers[i].settings, i + 2, picked);
    ImGui::PopID();
    if (picked) swapLayer(next, next.layers[i]);
    if (removed) next.layers.erase(next.layers.begin() + std::ptrdiff_t(i--));
  }
  if (ImGui::Button("Add a layer")) addLayer(next);
  Landmarks::note("layers:add");
  tooltip("A copy of the one that is edited.");
  editor.change(std::move(next));
  ImGui::TreePop();
}

}  // namespace fathom::flame
