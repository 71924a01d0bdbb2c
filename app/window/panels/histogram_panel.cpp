// SPDX-License-Identifier: BSD-3-Clause
// The histogram of the shown picture: three channels over each other, both axes with numbers.
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"
#include "app/window/panels/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::viewer {
using namespace ui;
namespace {

void drawBins(const PictureStatistics& s, ImVec2 low, ImVec2 high) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::uint32_t most = 1;
  for (const auto& channel : s.bins)
    for (const std::uint32_t count : channel) most = std::max(most, count);
  // Counts differ by orders of magnitude: their logarithm is drawn.
  const double top = std::log1p(double(most));
  static const ImVec4 tints[] = {color::rgb(0xf0706a), color::rgb(0x7bc86c), color::rgb(0x6ea8fe)};
  // Bars end between whole pixels: where there are fewer pixels than bins, the highest of them.
  const float step = (high.x - low.x) / float(PictureStatistics::kBins);
  const int each = std::max(1, int(std::ceil(1 / step)));
  for (std::size_t c = 0; c < 3; ++c)
    for (int i = 0; i < PictureStatistics::kBins; i += each) {
      const int end = std::min(i + each, PictureStatistics::kBins);
      const auto bins = s.bins[c].begin();
      const std::uint32_t count = *std::max_element(bins + i, bins + end);
      if (count == 0) continue;
      const float height = float(std::log1p(double(count)) / top) * (high.y - low.y);
      draw.AddRectFilled({std::round(low.x + step * float(i)), high.y - height},
                         {std::round(low.x + step * float(end)), high.y}, packed(tints[c], 0.45f));
    }
  for (const double count : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7}) {
    if (count > most) break;
    const float y = high.y - float(std::log1p(count) / top) * (high.y - low.y);
    draw.AddLine({low.x, y}, {high.x, y}, packed(color::kLine, 0.7f));
    const std::string text = fmt::format("{:.0f}", count);
    const ImVec2 size =
        fonts().small->CalcTextSizeA(fonts().small->FontSize, 1e9f, 0, text.c_str());
    draw.AddText(fonts().small, fonts().small->FontSize, {low.x - size.x - px(6), y - size.y / 2},
                 packed(color::kDim), text.c_str());
  }
  const float span = s.high - s.low;
  for (int i = 0; i <= 4; ++i) {
    const float x = low.x + (high.x - low.x) * float(i) / 4;
    const std::string text = fmt::format("{:.3g}", s.low + span * float(i) / 4);
    const ImVec2 size =
        fonts().small->CalcTextSizeA(fonts().small->FontSize, 1e9f, 0, text.c_str());
    const float at = std::clamp(x - size.x / 2, low.x, high.x - size.x);
    draw.AddText(fonts().small, fonts().small->FontSize, {at, high.y + px(4)}, packed(color::kDim),
                 text.c_str());
  }
}

}  // namespace

void drawHistogramPage(Workspace& w) {
  const auto& latest = w.statistics.latest();
  if (!latest) return dimText("The histogram follows when the picture is complete.");
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float info = std::min(px(190), std::max(px(160), room.x * 0.3f));
  ImGui::BeginChild("numbers", {info, room.y});
  const auto fact = [](const char* name, const std::string& value) {
    dimText(name);
    ImGui::SameLine(px(84));
    monoText(value.c_str());
  };
  fact("Smallest", fmt::format("{:.5g}", latest->low));
  fact("Largest", fmt::format("{:.5g}", latest->high));
  if (latest->invalid > 0) fact("NaN, inf", std::to_string(latest->invalid));
  ImGui::PushTextWrapPos(0);
  textIn(fonts().small, color::kFaint, "Pixels (log) over linear value");
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  const ImVec2 low(at.x + info + px(56), at.y + px(4));
  const ImVec2 high(at.x + room.x - px(8), at.y + room.y - px(22));
  if (high.x - low.x > px(60) && high.y - low.y > px(30)) drawBins(*latest, low, high);
  Landmarks::note("histogram", {low.x, low.y}, {high.x, high.y});
}

}  // namespace fathom::viewer
