// SPDX-License-Identifier: BSD-3-Clause
// Variations of an xform: weights and parameters of those in use, and all 99 to pick from by name,
// each with what it does to a grid.
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "app/window/flame/page_rows.h"
#include "app/window/flame/pages.h"

#include <imgui_stdlib.h>

namespace fathom::flame {
using namespace ui;
namespace {

/// The same draws for every point, so that blurs show a shape and not noise.
class MiddleDraws : public Draws {
 public:
  double unit() override { return 0.5 + 0.37 * std::sin(double(++count_) * 2.4); }
  int bit() override { return ++count_ % 2; }

 private:
  int count_ = 0;
};

/// Lines of a grid over [-1.2, 1.2]^2 as the variation bends them.
void drawGrid(const VariationUse& use, float side) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImGui::Dummy({side, side});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 high(low.x + side, low.y + side);
  draw.AddRectFilled(low, high, packed(color::kBar), px(5));
  draw.PushClipRect(low, high, true);
  constexpr int kLines = 13, kPoints = 40;
  constexpr double kReach = 1.2, kShown = 2.0;
  const VariationInfo& info = variations()[std::size_t(use.index)];
  const Affine identity;
  MiddleDraws draws;
  for (int axis = 0; axis < 2; ++axis)
    for (int line = 0; line < kLines; ++line) {
      ImVec2 last{};
      bool hasLast = false;
      for (int i = 0; i < kPoints; ++i) {
        const double u = kReach * (2.0 * i / (kPoints - 1) - 1 + 1e-3),
                     v = kReach * (2.0 * line / (kLines - 1) - 1 + 1e-3);
        const double x = axis == 0 ? u : v, y = axis == 0 ? v : u;
        const VariationInput input{x, y, 1, use.parameters.data(), &identity};
        const glm::dvec2 p = info.evaluate(input, draws);
        const bool fine = std::abs(p.x) < 20 && std::abs(p.y) < 20;
        const ImVec2 at(low.x + side * float(0.5 + p.x / (2 * kShown)),
                        low.y + side * float(0.5 + p.y / (2 * kShown)));
        const float step = std::hypot(at.x - last.x, at.y - last.y);
        if (fine && hasLast && step < side * 0.4f)  // longer ones jump over a cut
          draw.AddLine(last, at, packed(axis == 0 ? color::kAccent : color::kThird, 0.75f), 1);
        last = at, hasLast = fine;
      }
    }
  draw.PopClipRect();
}

VariationUse freshUse(int index) {
  VariationUse use{index, 1, {}};
  const VariationInfo& info = variations()[std::size_t(index)];
  for (std::size_t i = 0; i < info.parameters.size(); ++i)
    use.parameters[i] = info.parameters[i].fallback;
  return use;
}

/// The list of all; the index that was picked, or -1.
int pickVariation() {
  static std::string search;
  int picked = -1;
  if (ImGui::Button("Add a variation ...", {-1, 0})) {
    search.clear();
    ImGui::OpenPopup("variations");
  }
  Landmarks::note("variations:add");
  ImGui::SetNextWindowSize({px(250), px(380)});
  if (!ImGui::BeginPopup("variations")) return picked;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool entered =
      ImGui::InputTextWithHint("##search", "Search", &search, ImGuiInputTextFlags_EnterReturnsTrue);
  Landmarks::note("variations:search");
  ImGui::BeginChild("names");
  for (int i = 0; i < variationCount(); ++i) {
    const std::string name(variations()[std::size_t(i)].name);
    if (name.find(search) == std::string::npos) continue;
    if (ImGui::Selectable(name.c_str()) || (entered && picked < 0)) picked = i;
    Landmarks::note("variation:" + name);
    if (ImGui::IsItemHovered()) {
      ImGui::BeginTooltip();
      drawGrid(freshUse(i), px(170));
      dimText(name.c_str());
      ImGui::EndTooltip();
    }
  }
  ImGui::EndChild();
  if (picked >= 0) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return picked;
}

}  // namespace

bool drawVariations(Xform& xform) {
  const Xform before = xform;
  int removed = -1;
  for (VariationUse& use : xform.variations) {
    const VariationInfo& info = variations()[std::size_t(use.index)];
    const std::string name(info.name);
    ImGui::PushID(use.index);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name.c_str());
    if (ImGui::IsItemHovered()) {
      ImGui::BeginTooltip();
      drawGrid(use, px(170));
      ImGui::EndTooltip();
    }
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.42f);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - px(26));
    ImGui::DragScalar("##weight", ImGuiDataType_Double, &use.weight, 0.005f, nullptr, nullptr,
                      "%.4f");
    Landmarks::note("weight:" + name);
    ImGui::SameLine(0, px(8));
    dimText("\u00d7");
    tooltip("Delete this variation.");
    if (ImGui::IsItemClicked()) removed = use.index;
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
      const ParameterInfo& parameter = info.parameters[i];
      if (parameter.low == parameter.high) continue;  // code of a formula
      const float step = float(std::max((parameter.high - parameter.low) / 500, 1e-4));
      numberRow(("  " + std::string(parameter.name)).c_str(), use.parameters[i], step, -1e6, 1e6);
    }
    ImGui::PopID();
  }
  if (removed >= 0)
    std::erase_if(xform.variations, [&](const VariationUse& use) { return use.index == removed; });
  if (const int picked = pickVariation(); picked >= 0) {
    const bool had = weightIn(xform, picked) != 0;
    VariationUse& use = variationIn(xform, picked);
    if (!had) use.weight = 1;
  }
  return !(xform == before);
}

}  // namespace fathom::flame
