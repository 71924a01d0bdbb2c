// SPDX-License-Identifier: BSD-3-Clause
// The strip: a histogram of depths with the sharp zone behind it; a drag moves the focus. Below it
// the few numbers that a photographer sets; all others stand in the settings.
#include "app/window/dof/parts.h"

#include "app/window/ui/widgets.h"

namespace fathom::dof {
using namespace ui;
namespace {

constexpr float kLabelWidth = 112, kStripHeight = 92;
constexpr float kSlider[] = {0.7f, 32};  // f-numbers; others are typed in the settings

/// A switch for what the program chooses, and a slider where the user does.
void automaticRow(const char* name, float& value, double chosen, const char* about, float low,
                  float high, const char* format) {
  rowLabel(name, nullptr, kLabelWidth);
  bool automatic = value == 0;
  if (switchControl(std::string("lens:auto-") + name, automatic, about))
    value = automatic ? 0 : float(chosen);
  ImGui::SameLine(0, px(8));
  if (!automatic) {
    trackSlider(std::string("lens:") + name, value, low, high, format);
    return;
  }
  ImGui::AlignTextToFramePadding();
  textToFit(fonts().text, color::kText, fmt::format("Automatic: {:.4g}", chosen));
}

void drawShow(Show& show) {
  int index = int(show), over = -1;
  const std::vector<std::string> names = {"Image", "Circles", "Focal plane", "Difference"};
  segments("lens-show", index, names, ImGui::GetContentRegionAvail().x, &over);
  static constexpr const char* kAbout[] = {
      "The blurred image", "Circles of confusion: near in blue, far in orange",
      "Highlights sharp pixels (radius below 1 px)", "Image minus lens sampling, around gray"};
  if (over >= 0) tooltipAbove(kAbout[over]);
  show = Show(index);
}

void drawChoices(Settings& s) {
  rowLabel("Aperture");
  choiceList("lens:Aperture", s.blades,
             {"Round", "5 blades", "6 blades", "7 blades", "8 blades", "9 blades"}, -1,
             "Shape of the discs");
  rowLabel("Max. blur");
  choiceList("lens:Max. blur", s.maxRadius,
             {"8 px", "16 px", "32 px", "64 px", "128 px", "256 px", "512 px"}, -1,
             "Radius to which larger discs are cut");
}

std::string distanceText(double depth) {
  return std::isfinite(depth) && depth < double(kFarthest) ? fmt::format("{:.4g}", depth)
                                                           : std::string("infinity");
}

}  // namespace

float DepthBins::place(double depth) const {
  return float(std::clamp(std::log(depth / double(low)) / std::log(double(high / low)), 0.0, 1.0));
}

double DepthBins::depthAt(float where) const {
  return double(low) * std::pow(double(high / low), double(where));
}

DepthBins depthBinsOf(const Image& sharp) {
  DepthBins bins;
  float low = kFarthest, high = 0;
  for (const glm::vec4& pixel : sharp.pixels)
    if (!isBackground(pixel.a)) low = std::min(low, pixel.a), high = std::max(high, pixel.a);
  if (high <= 0) return bins;
  bins.empty = false;
  bins.low = low / 1.05f, bins.high = high * 1.05f;
  for (const glm::vec4& pixel : sharp.pixels)
    if (!isBackground(pixel.a)) {
      const int bin = int(bins.place(double(pixel.a)) * float(DepthBins::kCount));
      ++bins.counts[std::size_t(std::clamp(bin, 0, DepthBins::kCount - 1))];
    }
  return bins;
}

void LensPage::drawStrip(DofEngine& engine, const Lens& lens) {
  if (engine.complete() && engine.sharp() && engine.generation() != countedAt_) {
    countedAt_ = engine.generation();
    bins_ = depthBinsOf(engine.sharp()->downloadImage());
  }
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, px(kStripHeight));
  const ImVec2 high(low.x + size.x, low.y + size.y);
  ImGui::InvisibleButton("##depths", size);
  Landmarks::note("lens:strip");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float base = high.y - px(20);
  draw.AddRectFilled(low, {high.x, base}, packed(color::kRaised), px(4));
  if (bins_.empty)
    return draw.AddText({low.x + px(10), low.y + px(26)}, packed(color::kDim),
                        "Nothing but background in view");
  const auto x = [&](double depth) { return low.x + bins_.place(depth) * size.x; };
  const Lens::Zone zone = lens.sharpZone();
  draw.AddRectFilled({x(zone.nearest), low.y},
                     {std::max(x(zone.farthest), x(zone.nearest) + 1), base},
                     packed(color::kAccent, 0.22f));
  const float most = std::log1p(float(*std::max_element(bins_.counts.begin(), bins_.counts.end())));
  const float step = size.x / float(DepthBins::kCount);
  for (int i = 0; i < DepthBins::kCount; ++i) {
    const float share = std::log1p(float(bins_.counts[std::size_t(i)])) / std::max(most, 1e-6f);
    const float left = low.x + step * float(i);
    if (share > 0)
      draw.AddRectFilled({std::round(left), base - share * (base - low.y - px(8))},
                         {std::round(left + step), base}, packed(color::kThird, 0.7f));
  }
  const float focus = x(lens.focus);
  draw.AddLine({focus, low.y}, {focus, base}, packed(color::kAccent), px(2));
  draw.AddTriangleFilled({focus - px(6), low.y}, {focus + px(6), low.y}, {focus, low.y + px(8)},
                         packed(color::kAccent));
  for (const float where : {0.0f, 0.5f, 1.0f})
    drawText(draw, fonts().small, {low.x + size.x * where, base + px(4)}, color::kDim,
             fmt::format("{:.3g}", bins_.depthAt(where)), where);
  const float mouse = std::clamp((ImGui::GetIO().MousePos.x - low.x) / size.x, 0.0f, 1.0f);
  if (ImGui::IsItemActive()) engine.settingsStruct().focusDistance = float(bins_.depthAt(mouse));
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetTooltip("Depth %.4g: radius %.2f px\nDrag to focus", bins_.depthAt(mouse),
                      std::abs(lens.cocRadius(bins_.depthAt(mouse))));
}

void LensPage::draw(DofEngine& engine, double previewScale) {
  Settings& s = engine.settingsStruct();
  Lens lens = engine.lens();
  lens.pictureWidth = int(std::lround(lens.pictureWidth / previewScale));
  drawShow(s.show);
  heading("Focus");
  wrappedText(fonts().small, color::kDim,
              "Click where to focus, or drag along the depths: pixels (log) over depth, the sharp "
              "zone in green.");
  drawStrip(engine, lens);
  automaticRow("Focus", s.focusDistance, lens.focus, "On the image's center", bins_.low, bins_.high,
               "%.4g units");
  const Lens::Zone zone = lens.sharpZone();
  const std::string sharp = fmt::format("Sharp from {} to {} units", distanceText(zone.nearest),
                                        distanceText(zone.farthest));
  textToFit(fonts().small, color::kDim, sharp);
  Landmarks::note("lens:" + sharp);
  heading("Lens");
  rowLabel("f-number", nullptr, kLabelWidth);
  trackSlider("lens:f-number", s.fNumber, kSlider[0], kSlider[1], "f/%.2f");
  automaticRow("Focal length", s.focalLength, lens.focalLength, "From the camera's field of view",
               10, 500, "%.0f mm");
  automaticRow("Scene scale", s.mmPerUnit, engine.shot().mmPerUnit(),
               "Millimeters in one unit of depth, from the depths of the inputs", 0.01f, 1e5f,
               "%.4g mm/unit");
  drawChoices(s);
  const double wide = lens.farRadius(), most = lens.maxRadius;
  const std::string atInfinity =
      fmt::format("Blur radius at infinity: {:.1f} px{}", std::min(wide, most),
                  wide > most ? fmt::format(" of {:.1f}, by Max. blur", wide) : "");
  textToFit(fonts().small, color::kDim, atInfinity);
  Landmarks::note("lens:" + atInfinity);
}

}  // namespace fathom::dof
