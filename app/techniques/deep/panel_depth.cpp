// SPDX-License-Identifier: BSD-3-Clause
// Seeing depth: what is shown, the strip that peels by depth, the points in space.
#include "app/techniques/deep/technique.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace fathom::deep {
using namespace ui;
namespace {

constexpr float kGripReach = 7, kStripHeight = 40;

/// A label at the left; what follows takes the rest of the row.
void rowLabel(const char* text, const char* about) {
  ImGui::AlignTextToFramePadding();
  dimText(text);
  tooltip(about);
  ImGui::SameLine(px(92));
  ImGui::SetNextItemWidth(-1);
}

bool slider(const char* id, float& value, float low, float high, const char* format) {
  const SliderTrack track(std::log(value / low) / std::log(high / low),
                          ImGui::GetContentRegionAvail().x);
  return ImGui::SliderFloat(id, &value, low, high, format,
                            ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
}

void handle(ImDrawList& draw, float x, float top, float bottom, bool hot) {
  draw.AddLine({x, top - px(2)}, {x, bottom + px(2)}, packed({0, 0, 0, 0.7f}), px(4));
  draw.AddLine({x, top - px(2)}, {x, bottom + px(2)}, packed(hot ? color::kText : color::kAccent),
               px(2));
  draw.AddCircleFilled({x, bottom + px(2)}, px(hot ? 5.5f : 4.5f),
                       packed(hot ? color::kText : color::kAccent));
}

}  // namespace

void DeepTechnique::drawDepthPage() {
  surveyWanted_ = true;
  static const std::vector<std::string> shows{"picture", "heat-map", "points"};
  int show = int(settings_.show);
  if (segments("seeing", show, shows, ImGui::GetContentRegionAvail().x))
    settings_.show = Show(show);
  drawPeel();
  drawPoints();
  drawSurvey();
}

// Peeling
// -------------------------------------------------------------------------------------------------

void DeepTechnique::drawPeel() {
  heading("Peel by depth");
  if (depths_.depths.empty()) {
    dimText(surveying_.done ? "There are no fragments." : "Looking at the fragments ...");
    return;
  }
  try {
    drawPeelStrip();
    drawPeelNumbers();
  } catch (const UsageError& error) {  // typed into the settings
    textIn(fonts().text, color::kError, error.what());
  }
}

/// The fragments from front to back as a strip of their mean colors, each as wide as the others,
/// with a grip at either end of what is seen.
void DeepTechnique::drawPeelStrip() {
  ZRange range = settings_.seeing.peeled().range;
  float low = std::isinf(range.nearest) ? 0 : depths_.shareAt(range.nearest);
  float high = std::isinf(range.farthest) ? 1 : depths_.shareAt(range.farthest);
  ImGui::Dummy({0, px(2)});
  const float margin = px(6), width = ImGui::GetContentRegionAvail().x - 2 * margin;
  const ImVec2 at(ImGui::GetCursorScreenPos().x + margin, ImGui::GetCursorScreenPos().y);
  ImGui::InvisibleButton("strip", {width + 2 * margin, px(kStripHeight) + px(8)});
  Landmarks::note("depth:strip", {at.x, at.y}, {at.x + width, at.y + px(kStripHeight)});
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const float mouse = ImGui::GetIO().MousePos.x, moved = ImGui::GetIO().MouseDelta.x / width;
  const auto near = [&](float share) { return std::abs(at.x + share * width - mouse); };

  if (ImGui::IsItemActivated()) {
    const bool lower = near(low) < near(high) || (low == high && mouse < at.x + low * width);
    const bool grips = std::min(near(low), near(high)) < px(kGripReach);
    const bool inside = mouse > at.x + low * width && mouse < at.x + high * width;
    const bool slab = inside && !grips && (low > 0 || high < 1);
    peelGrip_ = slab ? PeelGrip::Both : lower ? PeelGrip::Near : PeelGrip::Far;
  }
  if (!active) peelGrip_ = PeelGrip::None;
  const float share = std::clamp((mouse - at.x) / width, 0.0f, 1.0f);
  const float shift = std::clamp(moved, -low, 1 - high);
  if (peelGrip_ == PeelGrip::Near) low = std::min(share, high);
  if (peelGrip_ == PeelGrip::Far) high = std::max(share, low);
  if (peelGrip_ == PeelGrip::Both) low += shift, high += shift;
  if (active) {
    ZRange peeled;
    if (low > 0) peeled.nearest = depths_.depthAt(low);
    if (high < 1) peeled.farthest = depths_.depthAt(high);
    settings_.seeing.peel = textOf(peeled);
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && hovered) settings_.seeing.peel.clear();

  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float top = at.y, bottom = at.y + px(kStripHeight);
  const float step = width / float(depths_.colors.size());
  for (std::size_t i = 0; i < depths_.colors.size(); ++i) {
    const glm::vec3 c = depths_.colors[i];
    const float x = at.x + step * float(i);
    draw.AddRectFilled({x, top}, {x + step + 0.5f, bottom}, packed(fromLinear(c.r, c.g, c.b)));
  }
  const ImU32 veil = packed(color::kPanel, 0.82f);
  draw.AddRectFilled({at.x, top}, {at.x + low * width, bottom}, veil);
  draw.AddRectFilled({at.x + high * width, top}, {at.x + width, bottom}, veil);
  draw.AddRect({at.x, top}, {at.x + width, bottom}, packed(color::kLine));
  handle(draw, at.x + low * width, top, bottom, peelGrip_ == PeelGrip::Near);
  handle(draw, at.x + high * width, top, bottom, peelGrip_ == PeelGrip::Far);

  // The depths at equal shares of the fragments.
  const float y = bottom + px(9);
  for (int i = 0; i <= 4; ++i) {
    const std::string text = fmt::format("{:.4g}", depths_.depthAt(float(i) / 4));
    const float wide =
        fonts().small->CalcTextSizeA(fonts().small->FontSize, 1e9f, 0, text.c_str()).x;
    draw.AddText(fonts().small, fonts().small->FontSize, {at.x + (width - wide) * float(i) / 4, y},
                 packed(color::kDim), text.c_str());
  }
  ImGui::Dummy({0, fonts().small->FontSize + px(6)});
  if (hovered && !active)
    ImGui::SetTooltip(
        "%.0f %% of the fragments lie in front of Z %.5g.\nDrag an end, or what is "
        "between them; double click shows all.",
        double(share) * 100, double(depths_.depthAt(share)));
}

void DeepTechnique::drawPeelNumbers() {
  ZRange range = settings_.seeing.peeled().range;
  const float width = (ImGui::GetContentRegionAvail().x - px(92) - px(8)) / 2;
  rowLabel("Z from, to", "The exact range, both ends included.");
  const auto end = [&](const char* id, float& z, float open) {
    float shown = std::isinf(z) ? open : z;
    ImGui::SetNextItemWidth(width);
    if (ImGui::InputFloat(id, &shown, 0, 0, "%.5g", ImGuiInputTextFlags_EnterReturnsTrue))
      z = shown;
    Landmarks::note(std::string("depth:") + (id + 2));
  };
  end("##near", range.nearest, depths_.depths.front());
  ImGui::SameLine(0, px(8));
  end("##far", range.farthest, depths_.depths.back());
  if (!(range == settings_.seeing.peeled().range)) settings_.seeing.peel = textOf(range);

  ImGui::BeginDisabled(settings_.show == Show::Points);
  rowLabel("Fragment", "Only the one with this number, counted from the front within the range.");
  int& number = settings_.seeing.peelNumber;
  const int most = std::clamp(int(survey_.most), 1, 512);
  {
    const SliderTrack track(float(number) / float(most), ImGui::GetContentRegionAvail().x);
    ImGui::SliderInt("##number", &number, 0, most, number == 0 ? "all" : "number %d",
                     ImGuiSliderFlags_AlwaysClamp);
  }
  Landmarks::note("depth:number");
  ImGui::EndDisabled();
}

// Points
// -------------------------------------------------------------------------------------------------

void DeepTechnique::drawPoints() {
  heading("Points in space");
  Seeing& s = settings_.seeing;
  rowLabel("Region", "The part of the picture whose fragments are points.");
  const float width = (ImGui::GetContentRegionAvail().x - px(8)) / 2;
  const Rect r = parseRegion(s.region, size_.x, size_.y);
  const std::string chosen =
      s.region.empty() ? "Choose" : fmt::format("{} x {}", r.width, r.height);
  if (ImGui::Button(chooseNext_ ? "Drag now" : chosen.c_str(), {width, 0})) {
    chooseNext_ = !chooseNext_;
    if (chooseNext_) settings_.show = Show::Picture;
  }
  Landmarks::note("depth:choose");
  tooltip("Then drag a rectangle over the picture; Shift+Drag does it at any time.");
  ImGui::SameLine(0, px(8));
  if (ImGui::Button("Whole", {width, 0})) s.region.clear();
  Landmarks::note("depth:whole");

  ImGui::BeginDisabled(settings_.show != Show::Points);
  static const std::vector<std::string> colors{"color", "alpha", "input", "depth"};
  int mode = int(s.pointColor);
  rowLabel("Color by", "What colors a point.");
  if (segments("point-color", mode, colors, ImGui::GetContentRegionAvail().x))
    s.pointColor = PointColor(mode);
  rowLabel("Size", "Side of a point, in pixels.");
  slider("##size", s.pointSize, 1, 16, "%.1f px");
  Landmarks::note("depth:size");
  rowLabel("Z scale", "Depth of the box over its width.");
  slider("##depth", s.pointDepth, 0.05f, 20, "%.3g");
  Landmarks::note("depth:scale");
  rowLabel("At most", "Points; more fragments are thinned out evenly.");
  {
    const SliderTrack track(std::log(float(s.pointLimit) / 1e3f) / std::log(2e4f),
                            ImGui::GetContentRegionAvail().x);
    ImGui::SliderInt("##limit", &s.pointLimit, 1000, 20000000, "%d",
                     ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  }
  Landmarks::note("depth:limit");
  rowLabel("By alpha", "Of the points with some alpha, that share is drawn.");
  switchControl("##alpha", s.pointAlpha);
  Landmarks::note("depth:alpha");
  drawPointViews();
  ImGui::EndDisabled();
  if (showsPoints() && points_.stage >= PointStage::Draw) {
    ImGui::PushTextWrapPos(0);
    textIn(fonts().small, color::kDim, pointsText().c_str());
    ImGui::PopTextWrapPos();
  }
}

/// Where to look from: along the axes, or as at first.
void DeepTechnique::drawPointViews() {
  struct View {
    const char* name;
    glm::vec3 from;
  };
  static const View views[] = {{"Start", {2.6f, 1.7f, 4.6f}},
                               {"Front", {0, 0, 1}},
                               {"Side", {1, 0, 0}},
                               {"Top", {0, 1, 0.01f}}};
  const float width = (ImGui::GetContentRegionAvail().x - px(92) - 3 * px(6)) / 4;
  rowLabel("View", "Where to look from; Home is the start.");
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(2), ImGui::GetStyle().FramePadding.y});
  for (const View& view : views) {
    if (&view != views) ImGui::SameLine(0, px(6));
    if (ImGui::Button(view.name, {width, 0})) {
      Camera camera = firstPointCamera();
      camera.position = camera.target + glm::normalize(view.from) * glm::length(camera.position);
      points_.camera = camera;
      change_ = Effect::Rebuild;
    }
    Landmarks::note(std::string("depth:view-") + view.name);
  }
  ImGui::PopStyleVar();
}

}  // namespace fathom::deep
