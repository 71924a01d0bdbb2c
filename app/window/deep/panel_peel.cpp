// SPDX-License-Identifier: BSD-3-Clause
// Peeling by depth: a strip of the fragments' mean colors from front to back, each as wide as the
// others, and the exact numbers.
#include "app/window/deep/panels.h"
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace fathom::deep {
using namespace ui;
namespace {

constexpr float kGripReach = 7, kStripHeight = 40;

void drawGrip(ImDrawList& draw, float x, float top, float bottom, bool hot) {
  draw.AddLine({x, top - px(2)}, {x, bottom + px(2)}, packed({0, 0, 0, 0.7f}), px(4));
  draw.AddLine({x, top - px(2)}, {x, bottom + px(2)}, packed(hot ? color::kText : color::kAccent),
               px(2));
  draw.AddCircleFilled({x, bottom + px(2)}, px(hot ? 5.5f : 4.5f),
                       packed(hot ? color::kText : color::kAccent));
}

void drawStripColors(const DepthSample& depths, ImVec2 at, ImVec2 size) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float step = size.x / float(depths.colors.size());
  for (std::size_t i = 0; i < depths.colors.size(); ++i) {
    const glm::vec3 c = depths.colors[i];
    const float x = at.x + step * float(i);
    draw.AddRectFilled({x, at.y}, {x + step + 0.5f, at.y + size.y},
                       packed(fromLinear(c.r, c.g, c.b)));
  }
}

/// The depths at equal shares of the fragments.
void drawStripDepths(const DepthSample& depths, ImVec2 at, float width) {
  ImFont& font = *fonts().small;
  for (int i = 0; i <= 4; ++i) {
    const std::string text = fmt::format("{:.4g}", depths.depthAt(float(i) / 4));
    const float wide = font.CalcTextSizeA(font.FontSize, 1e9f, 0, text.c_str()).x;
    ImGui::GetWindowDrawList()->AddText(&font, font.FontSize,
                                        {at.x + (width - wide) * float(i) / 4, at.y},
                                        packed(color::kDim), text.c_str());
  }
  ImGui::Dummy({0, font.FontSize + px(6)});
}

/// A label at the left; what follows takes the rest of the row.
void peelRow(const char* text, const char* about) {
  ImGui::AlignTextToFramePadding();
  dimText(text);
  tooltip(about);
  ImGui::SameLine(px(92));
  ImGui::SetNextItemWidth(-1);
}

}  // namespace

PeelStrip::Grip PeelStrip::gripAt(float share, const Ends& ends, float reach) const {
  const float toLow = std::abs(ends.low - share), toHigh = std::abs(ends.high - share);
  const bool lower = toLow < toHigh || (ends.low == ends.high && share < ends.low);
  const bool onEnd = std::min(toLow, toHigh) < reach;
  const bool inside = share > ends.low && share < ends.high;
  if (inside && !onEnd && (ends.low > 0 || ends.high < 1)) return Grip::Both;
  return lower ? Grip::Near : Grip::Far;
}

void PeelStrip::drag(Ends& ends, float share, float moved) {
  share = std::clamp(share, 0.0f, 1.0f);
  const float shift = std::clamp(moved, -ends.low, 1 - ends.high);
  if (grip_ == Grip::Near) ends.low = std::min(share, ends.high);
  if (grip_ == Grip::Far) ends.high = std::max(share, ends.low);
  if (grip_ == Grip::Both) ends.low += shift, ends.high += shift;
  const DepthSample& depths = surveyor_.depths();
  ZRange peeled;
  if (ends.low > 0) peeled.nearest = depths.depthAt(ends.low);
  if (ends.high < 1) peeled.farthest = depths.depthAt(ends.high);
  settings_.view.peel = textOf(peeled);
}

void PeelStrip::draw() {
  heading("Peel by depth");
  const DepthSample& depths = surveyor_.depths();
  if (depths.depths.empty())
    return dimText(surveyor_.isComplete() ? "There are no fragments."
                                          : "Looking at the fragments ...");
  const ZRange range = settings_.view.peeled().range;
  Ends ends{std::isinf(range.nearest) ? 0 : depths.shareAt(range.nearest),
            std::isinf(range.farthest) ? 1 : depths.shareAt(range.farthest)};
  ImGui::Dummy({0, px(2)});
  const float margin = px(6), width = ImGui::GetContentRegionAvail().x - 2 * margin;
  const ImVec2 at(ImGui::GetCursorScreenPos().x + margin, ImGui::GetCursorScreenPos().y);
  ImGui::InvisibleButton("strip", {width + 2 * margin, px(kStripHeight) + px(8)});
  Landmarks::note("depth:strip", {at.x, at.y}, {at.x + width, at.y + px(kStripHeight)});
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const float share = (ImGui::GetIO().MousePos.x - at.x) / width;
  if (ImGui::IsItemActivated()) grip_ = gripAt(share, ends, px(kGripReach) / width);
  // The mouse may have moved since the last frame when it is let go.
  if (grip_ != Grip::None && (active || ImGui::IsItemDeactivated()))
    drag(ends, share, ImGui::GetIO().MouseDelta.x / width);
  if (!active) grip_ = Grip::None;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && hovered)
    settings_.view.peel.clear(), grip_ = Grip::None;

  // The colors, a veil over what is peeled away, and the grips.
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float top = at.y, bottom = at.y + px(kStripHeight);
  const float low = at.x + ends.low * width, high = at.x + ends.high * width;
  drawStripColors(depths, at, {width, px(kStripHeight)});
  const ImU32 veil = packed(color::kPanel, 0.82f);
  draw.AddRectFilled({at.x, top}, {low, bottom}, veil);
  draw.AddRectFilled({high, top}, {at.x + width, bottom}, veil);
  draw.AddRect({at.x, top}, {at.x + width, bottom}, packed(color::kLine));
  drawGrip(draw, low, top, bottom, grip_ == Grip::Near);
  drawGrip(draw, high, top, bottom, grip_ == Grip::Far);
  drawStripDepths(depths, {at.x, bottom + px(9)}, width);
  if (hovered && !active) {
    const float shown = std::clamp(share, 0.0f, 1.0f);
    ImGui::SetTooltip(
        "%.0f %% of the fragments lie in front of Z %.5g.\nDrag an end, or what is "
        "between them; double click shows all.",
        double(shown) * 100, double(depths.depthAt(shown)));
  }
  drawNumbers();
}

void PeelStrip::drawNumbers() {
  ZRange range = settings_.view.peeled().range;
  const float width = (ImGui::GetContentRegionAvail().x - px(92) - px(8)) / 2;
  peelRow("Z from, to", "The exact range, both ends included.");
  const auto end = [&](const char* id, float& z, float open) {
    float shown = std::isinf(z) ? open : z;
    ImGui::SetNextItemWidth(width);
    if (ImGui::InputFloat(id, &shown, 0, 0, "%.5g", ImGuiInputTextFlags_EnterReturnsTrue))
      z = shown;
    Landmarks::note(std::string("depth:") + (id + 2));
  };
  end("##near", range.nearest, surveyor_.depths().depths.front());
  ImGui::SameLine(0, px(8));
  end("##far", range.farthest, surveyor_.depths().depths.back());
  if (!(range == settings_.view.peeled().range)) settings_.view.peel = textOf(range);

  ImGui::BeginDisabled(settings_.show == Show::Points);
  peelRow("Fragment", "Only the one with this number, counted from the front within the range.");
  int& number = settings_.view.peelNumber;
  const int max = std::clamp(int(surveyor_.survey().max), 1, 512);
  {
    const SliderTrack track(float(number) / float(max), ImGui::GetContentRegionAvail().x);
    ImGui::SliderInt("##number", &number, 0, max, number == 0 ? "all" : "number %d",
                     ImGuiSliderFlags_AlwaysClamp);
  }
  Landmarks::note("depth:number");
  ImGui::EndDisabled();
}

}  // namespace fathom::deep
