// SPDX-License-Identifier: BSD-3-Clause
// The plot of rate and distortion on the page Fit: every model of this session that was measured
// against its source, as each encoding saves it.
#include "app/window/smoe/panel.h"

#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace fathom::smoe {
using namespace ui;
namespace {

constexpr std::array<const char*, kEncodings> kNamesOfRates{"f32", "archive", "compact", "packed"};

ImVec4 colorOf(Encoding encoding) {
  switch (encoding) {
    case Encoding::Packed:
      return color::kAccent;
    case Encoding::Compact:
      return color::kText;
    case Encoding::Archive:
      return color::kSecond;
    default:
      return color::kDim;
  }
}

/// Bits per pixel by their logarithm across, decibels upward, whole ones at the edges.
struct RateAxes {
  ImVec2 low, high;  // on the screen
  double firstOctave, lastOctave, bottom, top;
  ImVec2 at(const MeasuredRate& rate) const {
    const double x = (std::log2(rate.bitsPerPixel) - firstOctave) / (lastOctave - firstOctave);
    const double y = (rate.psnr - bottom) / (top - bottom);
    return {low.x + float(x) * (high.x - low.x), high.y - float(y) * (high.y - low.y)};
  }
};

RateAxes axesFor(const std::vector<MeasuredRate>& rates, ImVec2 low, ImVec2 high) {
  RateAxes axes{low, high, 1e9, -1e9, 1e9, -1e9};
  for (const MeasuredRate& rate : rates) {
    const double octave = std::log2(rate.bitsPerPixel);
    axes.firstOctave = std::min(axes.firstOctave, std::floor(octave));
    axes.lastOctave = std::max(axes.lastOctave, std::ceil(octave));
    axes.bottom = std::min(axes.bottom, std::floor(rate.psnr));
    axes.top = std::max(axes.top, std::ceil(rate.psnr));
  }
  axes.lastOctave = std::max(axes.lastOctave, axes.firstOctave + 1);
  axes.top = std::max(axes.top, axes.bottom + 1);
  return axes;
}

void drawScales(ImDrawList& draw, const RateAxes& axes) {
  ImFont* font = fonts().small;
  for (double octave = axes.firstOctave; octave <= axes.lastOctave; ++octave) {
    const float x = axes.at({std::exp2(octave), axes.bottom, 0, {}}).x;
    draw.AddLine({x, axes.low.y}, {x, axes.high.y}, packed(color::kLine));
  }
  const auto text = [&](ImVec2 at, const std::string& words) {
    draw.AddText(font, font->FontSize, at, packed(color::kDim), words.c_str());
  };
  text({axes.low.x + px(4), axes.low.y + px(2)}, fmt::format("{:.0f} dB", axes.top));
  text({axes.low.x + px(4), axes.high.y - 2 * font->FontSize}, fmt::format("{:.0f} dB", axes.bottom));
  text({axes.low.x + px(4), axes.high.y - font->FontSize},
       fmt::format("{:.3g} to {:.3g} bits per pixel", std::exp2(axes.firstOctave),
                   std::exp2(axes.lastOctave)));
}

void drawPoints(ImDrawList& draw, const RateAxes& axes, const std::vector<MeasuredRate>& rates) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool hovered = ImGui::IsItemHovered();
  const MeasuredRate* nearest = nullptr;
  float distance = px(12) * px(12);
  for (const MeasuredRate& rate : rates) {
    const ImVec2 at = axes.at(rate);
    draw.AddCircleFilled(at, px(3.5f), packed(colorOf(rate.encoding)));
    const float d = (at.x - mouse.x) * (at.x - mouse.x) + (at.y - mouse.y) * (at.y - mouse.y);
    if (hovered && d < distance) distance = d, nearest = &rate;
  }
  if (!nearest) return;
  const std::string words =
      fmt::format("{}, {} components: {:.3f} bits per pixel, {:.2f} dB",
                  kNamesOfRates[std::size_t(nearest->encoding)], nearest->components,
                  nearest->bitsPerPixel, nearest->psnr);
  ImGui::SetTooltip("%s", words.c_str());
}

}  // namespace

void drawRates(const std::vector<MeasuredRate>& rates) {
  if (rates.empty()) return;
  dimText("Quality over size, measured here");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, px(130)};
  ImGui::Dummy(size);
  Landmarks::note(fmt::format("fit:rates={}", rates.size()));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 high(low.x + size.x, low.y + size.y);
  draw.AddRectFilled(low, high, packed(color::kRaised), px(3));
  const RateAxes axes =
      axesFor(rates, {low.x + px(6), low.y + px(6)}, {high.x - px(6), high.y - px(6)});
  drawScales(draw, axes);
  drawPoints(draw, axes, rates);
}

}  // namespace fathom::smoe
