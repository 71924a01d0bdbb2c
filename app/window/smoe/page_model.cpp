// SPDX-License-Identifier: BSD-3-Clause
// The page about the current model and picture: view, lists, certificate.
#include "app/window/smoe/parts.h"

#include "app/engine/core/text.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::smoe {
using namespace ui;
namespace {

constexpr std::size_t kBars = 48;  // of the histogram

/// How many tiles have lists of which length.
void drawHistogram(const std::vector<std::uint32_t>& lengths) {
  const auto [low, size, high, draw] = PlotGround("model:histogram", px(90));
  if (lengths.empty()) return;
  const std::uint32_t longest = *std::max_element(lengths.begin(), lengths.end());
  const std::uint32_t width = longest / std::uint32_t(kBars) + 1;
  std::vector<std::size_t> bars(kBars);
  for (const std::uint32_t length : lengths) ++bars[length / width];
  const std::size_t largest = *std::max_element(bars.begin(), bars.end());
  const float step = size.x / float(kBars), bottom = low.y + size.y - px(16);
  for (std::size_t i = 0; i < kBars; ++i) {
    if (bars[i] == 0) continue;
    const float height = std::max(1.0f, float(bars[i]) / float(largest) * (size.y - px(22)));
    const float x = low.x + step * float(i);
    draw.AddRectFilled({x, bottom - height}, {x + std::max(step - 1, 1.0f), bottom},
                       packed(color::kAccent));
  }
  ImFont* font = fonts().small;
  const std::string end = std::to_string(width * std::uint32_t(kBars));
  const float y = low.y + size.y - font->FontSize - px(1);
  drawText(draw, font, {low.x + px(3), y}, color::kDim, "0");
  drawText(draw, font, {low.x + size.x - px(3), y}, color::kDim, end, 1);
  if (!ImGui::IsItemHovered()) return;
  const auto i =
      std::size_t(std::clamp((ImGui::GetIO().MousePos.x - low.x) / step, 0.0f, float(kBars - 1)));
  ImGui::SetTooltip("%zu of %zu tiles evaluate %u to %u components", bars[i], lengths.size(),
                    unsigned(i) * width, unsigned(i + 1) * width - 1);
}

void drawViewRows(SmoeWindowParts& page) {
  if (page.engine.models()->leading() == 0) return;
  heading(page.engine.models()->leading() == 2 ? "View" : "Time");
  glm::vec2 at(page.mouse.view());
  const ViewRange range = viewRangeOf(*page.engine.models(), page.engine.settingsStruct().beyond);
  const auto slider = [](const char* name, const char* format, float& value, double low,
                         double high) {
    return trackSlider(std::string("model:") + name, value, float(low), float(high), format);
  };
  bool changed = false;
  if (page.engine.models()->leading() == 2) {
    changed |= slider("a1", "right %.2f", at.x, range.low.x, range.high.x);
    changed |= slider("a2", "down %.2f", at.y, range.low.y, range.high.y);
    bool disparity = page.engine.settingsStruct().show == Show::Disparity;
    if (checkbox("Disparity", "model:disparity", disparity,
                 "By how many pixels each point moves from view to view."))
      page.engine.settingsStruct().show = disparity ? Show::Disparity : Show::Picture;
  } else {
    changed = slider("t", "frame %.2f", at.x, range.low.x, range.high.x);
  }
  checkbox(page.engine.models()->leading() == 2 ? "Orbit" : "Play", "model:orbit",
           page.engine.settingsStruct().orbit);
  if (changed) page.mouse.setView(at);
}

void drawFacts(const Model& model) {
  heading("Model");
  const auto parts = [&](auto value) {  // of alpha, too
    return value(model) + (model.alpha ? ", alpha " + value(*model.alpha) : "");
  };
  factTable("model:fact=",
            {{"components", parts([](const Model& m) { return grouped(m.components.size()); })},
             {"PSNR", parts([](const Model& m) {
                return m.psnr > 0 ? fmt::format("{:.2f} dB", m.psnr) : "unknown";
              })}});
}

void drawLists(SmoeWindowParts& page) {
  heading("Lists");
  if (!page.engine.drawn()) return;
  const ListFacts& lists = page.engine.listFacts();
  factTable("model:fact=",
            {{"components per tile", fmt::format("{:.1f}, max. {}", lists.kpb, lists.longest)},
             {"evaluations per sample", fmt::format("{:.1f}", lists.evaluationsPerSample)},
             {"certified error", std::isfinite(lists.maxErrorBound)
                                     ? fmt::format("{:.2e}", lists.maxErrorBound)
                                     : "none: the window rule has no bound"}});
  drawHistogram(page.engine.listLengths());
  dimText("Tiles by component count");
}

}  // namespace

void drawModelPage(SmoeWindowParts& page) {
  drawFacts(*page.engine.models());
  drawViewRows(page);
  drawLists(page);
}

}  // namespace fathom::smoe
