// SPDX-License-Identifier: BSD-3-Clause
// Points in space: the region, how points look, and where to look from.
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

/// A label at the left; what follows takes the rest of the row.
void depthRow(const char* text, const char* about) {
  ImGui::AlignTextToFramePadding();
  dimText(text);
  tooltip(about);
  ImGui::SameLine(px(92));
  ImGui::SetNextItemWidth(-1);
}

bool logSlider(const char* id, float& value, float low, float high, const char* format) {
  const SliderTrack track(std::log(value / low) / std::log(high / low),
                          ImGui::GetContentRegionAvail().x);
  return ImGui::SliderFloat(id, &value, low, high, format,
                            ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
}

/// Where to look from: along the axes, or as at first. True when that has changed.
bool drawPointViews(PointScene& points) {
  bool moved = false;
  struct View {
    const char* name;
    glm::vec3 from;
  };
  static const View views[] = {{"Start", {2.6f, 1.7f, 4.6f}},
                               {"Front", {0, 0, 1}},
                               {"Side", {1, 0, 0}},
                               {"Top", {0, 1, 0.01f}}};
  const float width = (ImGui::GetContentRegionAvail().x - px(92) - 3 * px(6)) / 4;
  depthRow("View", "Where to look from; Home is the start.");
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(2), ImGui::GetStyle().FramePadding.y});
  for (const View& view : views) {
    if (&view != views) ImGui::SameLine(0, px(6));
    if (ImGui::Button(view.name, {width, 0})) {
      Camera camera = homePointCamera();
      camera.position = camera.target + glm::normalize(view.from) * glm::length(camera.position);
      points.camera() = camera;
      moved = true;
    }
    Landmarks::note(std::string("depth:view-") + view.name);
  }
  ImGui::PopStyleVar();
  return moved;
}

}  // namespace

bool drawPointsSection(const DepthPage& page) {
  heading("Points in space");
  Settings& settings = page.settings;
  DepthView& s = settings.view;
  depthRow("Region", "The part of the picture whose fragments are points.");
  const float width = (ImGui::GetContentRegionAvail().x - px(8)) / 2;
  const Rect r = parseRegion(s.region, page.inputs.size().x, page.inputs.size().y);
  const std::string chosen =
      s.region.empty() ? "Choose" : fmt::format("{} x {}", r.width, r.height);
  if (ImGui::Button(page.tool.isArmed() ? "Drag now" : chosen.c_str(), {width, 0})) {
    page.tool.arm(!page.tool.isArmed());
    if (page.tool.isArmed()) settings.show = Show::Picture;
  }
  Landmarks::note("depth:choose");
  tooltip("Then drag a rectangle over the picture; Shift+Drag does it at any time.");
  ImGui::SameLine(0, px(8));
  if (ImGui::Button("Whole", {width, 0})) s.region.clear();
  Landmarks::note("depth:whole");

  ImGui::BeginDisabled(settings.show != Show::Points);
  static const std::vector<std::string> colors{"color", "alpha", "input", "depth"};
  int mode = int(s.pointColor);
  depthRow("Color by", "What colors a point.");
  if (segments("point-color", mode, colors, ImGui::GetContentRegionAvail().x))
    s.pointColor = PointColor(mode);
  depthRow("Size", "Side of a point, in pixels.");
  logSlider("##size", s.pointSize, 1, 16, "%.1f px");
  Landmarks::note("depth:size");
  depthRow("Z scale", "Depth of the box over its width.");
  logSlider("##depth", s.pointDepth, 0.05f, 20, "%.3g");
  Landmarks::note("depth:scale");
  depthRow("At most", "Points; more fragments are thinned out evenly.");
  {
    const SliderTrack track(std::log(float(s.pointLimit) / 1e3f) / std::log(2e4f),
                            ImGui::GetContentRegionAvail().x);
    ImGui::SliderInt("##limit", &s.pointLimit, 1000, 20000000, "%d",
                     ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  }
  Landmarks::note("depth:limit");
  depthRow("By alpha", "Of the points with some alpha, that share is drawn.");
  switchControl("##alpha", s.pointAlpha);
  Landmarks::note("depth:alpha");
  const bool moved = drawPointViews(page.points);
  ImGui::EndDisabled();
  if (settings.show == Show::Points && page.points.isCollected()) {
    ImGui::PushTextWrapPos(0);
    textIn(fonts().small, color::kDim, page.points.text().c_str());
    ImGui::PopTextWrapPos();
  }
  return moved;
}

}  // namespace fathom::deep
