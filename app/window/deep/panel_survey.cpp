// SPDX-License-Identifier: BSD-3-Clause
// Fragments per pixel: totals, histogram, and the pixels that have the most.
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

constexpr int kBars = 44;
constexpr float kPlotHeight = 92;

/// Heights go with the logarithm of the pixels: one is as easily seen as a million.
void drawHistogram(const std::vector<Bar>& bars) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, px(kPlotHeight)};
  ImGui::Dummy({size.x, size.y + fonts().small->FontSize + px(4)});
  Landmarks::note("depth:histogram");
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 high(low.x + size.x, low.y + size.y);
  draw.AddRectFilled(low, high, packed(color::kBar), px(4));
  std::uint64_t max = 1;
  for (const Bar& bar : bars) max = std::max(max, bar.pixels);
  const float top = std::log10(float(max) * 1.3f + 1), pad = px(4);
  for (float power = 1; power < top; ++power) {  // 10, 100, ...
    const float y = high.y - power / top * (size.y - pad);
    draw.AddLine({low.x, y}, {high.x, y}, packed(color::kLine), 1);
  }
  const float step = (size.x - 2 * pad) / float(bars.size());
  const float gap = step > px(4) ? px(1) : 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const float x = low.x + pad + step * float(i);
    const bool over =
        hovered && ImGui::GetIO().MousePos.x >= x && ImGui::GetIO().MousePos.x < x + step;
    if (over) {
      const Bar& bar = bars[i];
      const std::string range = bar.first == bar.last
                                    ? fmt::format("{}", bar.first)
                                    : fmt::format("{} to {}", bar.first, bar.last);
      ImGui::SetTooltip("%s fragments: %llu pixels", range.c_str(),
                        static_cast<unsigned long long>(bar.pixels));
    }
    if (bars[i].pixels == 0) continue;
    const float height = std::log10(float(bars[i].pixels) + 1) / top * (size.y - pad);
    draw.AddRectFilled({x, high.y - std::max(height, px(2))}, {x + step - gap, high.y},
                       packed(over ? color::kText : color::kAccent, over ? 1.0f : 0.8f));
  }
  // A few numbers below, as far as they have room.
  float last = low.x - px(40);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const std::string text = std::to_string(bars[i].first);
    const float wide =
        fonts().small->CalcTextSizeA(fonts().small->FontSize, 1e9f, 0, text.c_str()).x;
    const float x = std::min(low.x + pad + step * (float(i) + 0.5f) - wide / 2, high.x - wide);
    if (x < last + px(14)) continue;
    draw.AddText(fonts().small, fonts().small->FontSize, {x, high.y + px(3)}, packed(color::kDim),
                 text.c_str());
    last = x + wide;
  }
}

void drawHeaviest(const DepthPage& page, TechniqueRequest& request) {
  const Survey& survey = page.surveyor.survey();
  const glm::ivec2 origin = page.inputs.origin();
  if (survey.heaviest.empty()) return;
  heading("Heaviest pixels");
  if (!ImGui::BeginTable("heaviest", 2, ImGuiTableFlags_SizingStretchProp)) return;
  for (std::size_t i = 0; i < survey.heaviest.size(); ++i) {
    const Survey::Heavy& heavy = survey.heaviest[i];
    ImGui::PushID(int(i));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::string place =
        fmt::format("{}, {}", heavy.pixel.x + origin.x, heavy.pixel.y + origin.y);
    if (ImGui::Selectable(place.c_str(), false, ImGuiSelectableFlags_SpanAllColumns)) {
      if (page.settings.show == Show::Points) page.settings.show = Show::Picture;
      request.pixel = heavy.pixel;
    }
    Landmarks::note(fmt::format("depth:heavy-{}", i + 1));
    tooltip("Shows it and its fragments.");
    ImGui::TableNextColumn();
    monoText(fmt::format("{:>6}", heavy.count).c_str());
    ImGui::PopID();
  }
  ImGui::EndTable();
}

}  // namespace

void drawSurveySection(const DepthPage& page, TechniqueRequest& request) {
  heading("Fragments per pixel");
  const Survey& survey = page.surveyor.survey();
  if (survey.pixels == 0) {
    dimText("Counting ...");
    return;
  }
  dimText(fmt::format("{} fragments in {} pixels", survey.fragments, survey.pixels).c_str());
  dimText(fmt::format("{:.2f} per pixel, at most {}", survey.mean(), survey.max).c_str());
  dimText(fmt::format("{} pixels are empty", survey.emptyPixels()).c_str());
  ImGui::Dummy({0, px(2)});
  drawHistogram(barsOf(survey, kBars));
  textIn(fonts().small, color::kFaint, "pixels (a line per power of ten) over fragments");
  drawHeaviest(page, request);
}

}  // namespace fathom::deep
