// SPDX-License-Identifier: BSD-3-Clause
// The page of the comparison: its buttons, and a table of the settings in which A and B differ.
#include "app/viewer/panels/panels.h"

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace fathom::viewer {
using namespace ui;
namespace {

void drawCompareButtons(Workspace& w) {
  const bool hasB = w.compare.has();
  ImGui::PushTextWrapPos(0);
  textIn(fonts().text, color::kDim,
         hasB ? "A is edited, B is stored. Hold C to see only B."
              : "Store the current settings as B, then change some and compare.");
  ImGui::PopTextWrapPos();
  if (ImGui::Button("Store current as B")) w.compare.store(w.gpu, w.document);
  Landmarks::note("compare:keep");
  tooltip("The current settings and their picture become B (K).");
  if (!hasB) return;
  ImGui::SameLine();
  if (ImGui::Button("Swap")) w.compare.swap(w.gpu, w.document);
  tooltip("A takes the settings of B, and B those of A (X).");
  ImGui::SameLine();
  if (ImGui::Button("Clear")) w.compare.clear();
  switchControl("##split", w.compare.split);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  dimText("Split view");
}

/// Only what differs: all else is the same on both sides.
void drawDifferences(Workspace& w) {
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("differences", 3, flags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  textIn(fonts().small, color::kFaint, "Differences");
  ImGui::TableNextColumn();
  textIn(fonts().strong, color::kAccent, "A");
  ImGui::TableNextColumn();
  textIn(fonts().strong, color::kSecond, "B");
  const auto row = [](const std::string& name, const std::string& a, const std::string& b) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    dimText(name.c_str());
    ImGui::TableNextColumn();
    monoText(a.c_str());
    ImGui::TableNextColumn();
    monoText(b.c_str());
  };
  for (const FieldValue& value : valuesOf(w.document.technique()->settings()))
    for (const FieldValue& other : w.compare.values())
      if (value.name == other.name && value.text != other.text)
        row(value.name, value.text, other.text);
  row("GPU, sum of passes", fmt::format("{:.3f} ms", w.gpu.timings().gpuSumMs()),
      fmt::format("{:.3f} ms", w.compare.gpuMs()));
  ImGui::EndTable();
}

}  // namespace

void drawComparePage(Workspace& w) {
  ImGui::BeginChild("actions", {px(250), 0});
  w.reportErrors([&] { drawCompareButtons(w); });
  ImGui::EndChild();
  if (!w.compare.has() || !w.document.technique()) return;
  ImGui::SameLine(0, px(16));
  drawDifferences(w);
}

}  // namespace fathom::viewer
