// SPDX-License-Identifier: BSD-3-Clause
// The page of the picture: how far it is, camera, tone with its curves, density estimation, filter.
#include "app/engine/flame/genome/fields.h"
#include "app/engine/flame/render/tone_mapper.h"
#include "app/window/flame/editing.h"
#include "app/window/flame/pages.h"
#include "app/window/ui/widgets.h"

#include <imgui_stdlib.h>

namespace fathom::flame {
using namespace ui;
namespace {

std::string rateText(double perSecond) {
  return perSecond >= 1e9 ? fmt::format("{:.2f} G samples/s", perSecond / 1e9)
                          : fmt::format("{:.1f} M samples/s", perSecond / 1e6);
}

void drawProgress(const Rendering& r) {
  const double share = r.samplesWanted() > 0 ? r.samples() / r.samplesWanted() : 1;
  meter(float(share), color::kAccent, ImGui::GetContentRegionAvail().x, px(6));
  const double pixels = std::max(r.samples() / std::max(r.quality(), 1e-9), 1.0);
  monoText(fmt::format("{:.1f} of {:.0f} per pixel", r.quality(), r.samplesWanted() / pixels));
  std::string line = r.rate() > 0 ? rateText(r.rate()) : std::string();
  if (share >= 1) line += line.empty() ? "complete" : ", complete";
  dimText(line);
}

void drawCamera(Genome& g) {
  heading("Camera");
  double side = g.size.x;
  if (numberRow("Width (px)", side, 1, 1, 16384, "%.0f")) g.size.x = int(side);
  side = g.size.y;
  if (numberRow("Height (px)", side, 1, 1, 16384, "%.0f")) g.size.y = int(side);
  const float reach = float(2 / std::max(g.scale, 1e-6));
  numberRow("Center x", g.center.x, reach, -1e6, 1e6, "%.6g", "Drag in the image to pan.");
  numberRow("Center y", g.center.y, reach, -1e6, 1e6, "%.6g");
  numberRow("Scale (px/unit)", g.scale, float(g.scale * 0.01), 1e-3, 1e9, "%.6g",
            "Turn the wheel over the image to zoom.");
  numberRow("Zoom", g.zoom, 0.01f, -10, 16, "%.3f",
            "Twice the scale and four times the samples for each step.");
  numberRow("Rotate (\u00b0)", g.rotate, 0.25f, -360, 360, "%.2f", "Ctrl+drag in the image.");
}

void degreesRow(const char* label, double& radians) {
  double degrees = glm::degrees(radians);
  if (numberRow(label, degrees, 0.25f, -360, 360, "%.2f")) radians = glm::radians(degrees);
}

/// Where z matters. JWildfire's camera is moved and rolls, the others look from above.
void drawDepth(Genome& g) {
  DepthCamera& camera = g.camera;
  if (!openTree("Depth", "image:depth", !(camera == DepthCamera()))) return;
  const bool wild = g.dialect == Dialect::JWildfire;
  degreesRow("Pitch (\u00b0)", camera.pitch);
  degreesRow("Yaw (\u00b0)", camera.yaw);
  if (wild) degreesRow("Roll (\u00b0)", camera.bank);
  numberRow("Perspective", camera.perspective, 0.005f, -100, 100, "%.3f", "0: parallel.");
  if (wild) {
    numberRow("Camera x", camera.shift.x, 0.01f, -1e4, 1e4);
    numberRow("Camera y", camera.shift.y, 0.01f, -1e4, 1e4);
    numberRow("Camera z", camera.shift.z, 0.01f, -1e4, 1e4);
  }
  numberRow("Camera height", camera.zpos, 0.01f, -1e4, 1e4, "%.4g",
            wild ? "The depth in focus." : "Position of the camera, and the depth in focus.");
  numberRow("Blur", camera.blur, 0.005f, 0, 100, "%.3f", "Depth of field.");
  bool keeps = g.preservesZ != 0;
  if (ImGui::Checkbox("Variations keep z", &keeps)) g.preservesZ = keeps;
  tooltip("Variations without depth pass z through.");
  ImGui::TreePop();
}

// ---- Curves of tone: of all channels, or of one. A click adds a point, a drag moves it, a right
// click removes it.

constexpr std::array<const char*, 4> kChannels{"All", "Red", "Green", "Blue"};

/// The square in which a curve is seen; y is upward in it.
struct Plot {
  ImVec2 at;
  float width, height;
  ImVec2 place(glm::dvec2 p) const {
    return {at.x + width * float(p.x), at.y + height * float(1 - p.y)};
  }
  glm::dvec2 mouse() const {
    const ImVec2 m = ImGui::GetIO().MousePos;
    return {double((m.x - at.x) / width), 1 - double((m.y - at.y) / height)};
  }
  /// The point that the mouse means.
  std::optional<std::size_t> under(const std::vector<glm::dvec2>& points) const {
    const ImVec2 m = ImGui::GetIO().MousePos;
    std::optional<std::size_t> best;
    float nearest = px(9);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ImVec2 p = place(points[i]);
      const float distance = glm::length(glm::vec2(p.x - m.x, p.y - m.y));
      if (distance < nearest) nearest = distance, best = i;
    }
    return best;
  }
};

void drawPlot(const Plot& plot, const ToneCurve& curve, const std::vector<glm::dvec2>& points) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end{plot.at.x + plot.width, plot.at.y + plot.height};
  draw.AddRectFilled(plot.at, end, packed({0, 0, 0, 0.35f}), px(3));
  draw.AddLine(plot.place({0, 0}), plot.place({1, 1}), packed({1, 1, 1, 0.15f}));
  constexpr int kSteps = 64;
  std::vector<ImVec2> line;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = double(i) / kSteps;
    const double y = curve.isStraight() ? x : evaluate(curve, x);
    line.push_back(plot.place({x, std::clamp(y, 0.0, 1.0)}));
  }
  draw.AddPolyline(line.data(), int(line.size()), packed(color::kAccent), 0, px(2));
  for (const glm::dvec2& point : points)
    draw.AddCircleFilled(plot.place(point), px(4), packed(color::kText));
}

/// The mouse over a plot; true when the points were changed.
bool editPoints(const Plot& plot, std::vector<glm::dvec2>& points) {
  static std::size_t held = 0;
  if (ImGui::IsItemActivated()) {
    const auto under = plot.under(points);
    held = under ? *under : addPoint(points, plot.mouse());
    if (!under) return true;
  }
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, px(2)) &&
      held < points.size()) {
    movePoint(points, held, plot.mouse());
    return true;
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right) && points.size() > 2)
    if (const auto under = plot.under(points)) {
      points.erase(points.begin() + std::ptrdiff_t(*under));
      return true;
    }
  return false;
}

/// A part of the tone.
void drawCurves(Genome& genome) {
  const bool any = !std::ranges::all_of(genome.curves, &ToneCurve::isStraight);
  if (!openTree("Curves", "image:curves", any)) return;
  static int channel = 0;
  rowLabel("Channel");
  ImGui::Combo("##channel", &channel, kChannels.data(), int(kChannels.size()));
  Landmarks::note("curves:channel");
  ToneCurve& curve = genome.curves[std::size_t(channel)];
  std::vector<glm::dvec2> points = pointsOf(curve);
  const float width = ImGui::GetContentRegionAvail().x;
  const Plot plot{ImGui::GetCursorScreenPos(), width, std::min(width, px(180))};
  ImGui::InvisibleButton("plot", {plot.width, plot.height});
  Landmarks::note("curves:plot");
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
    tooltip("Click to add a point, drag to move one, right click to remove one.");
  if (editPoints(plot, points)) curve = curveThrough(points);
  drawPlot(plot, curve, points);
  if (button("Straight", "curves:straight")) curve = {};
  ImGui::TreePop();
}

// ---- The page

void drawTone(Genome& g) {
  heading("Tone");
  numberRow("Brightness", g.brightness, 0.05f, 0, 1000);
  numberRow("Gamma", g.gamma, 0.02f, 0.1, 20);
  numberRow("Gamma threshold", g.gammaThreshold, 0.001f, 0, 1, "%.4f");
  numberRow("Vibrancy", g.vibrancy, 0.01f, 0, 30);
  numberRow("Highlight power", g.highlightPower, 0.01f, -1, 10, "%.3g",
            "-1: bright colors clip; above 0 they keep their hue.");
  numberRow("Saturation", g.saturation, 0.01f, 0, 10);
  rowLabel("Background");
  float background[3] = {float(g.background.r), float(g.background.g), float(g.background.b)};
  if (ImGui::ColorEdit3("##background", background, ImGuiColorEditFlags_NoInputs))
    g.background = {background[0], background[1], background[2]};
  drawCurves(g);
}

/// The filter of JWildfire's flames, and what it does against steps.
void drawRadialFilter(Genome& g) {
  rowLabel("Filter");
  choiceList("image:filter", g.jwildfire.radialShape, kRadialShapes, -1);
  if (g.jwildfire.radialShape == RadialShape::MitchellSinePow) {
    numberRow("Sharpness", g.jwildfire.filterSharpness, 0.02f, 0, 10, "%.3g",
              "Where the image is more even than this it is smoothed.");
    numberRow("Low density", g.jwildfire.filterLowDensity, 0.001f, 0, 1, "%.4g",
              "Smooth more below this density.");
  }
  numberRow("Antialias", g.jwildfire.antialiasAmount, 0.005f, 0, 1, "%.3f",
            "Fraction of hits that are jittered.");
  numberRow("Antialias radius", g.jwildfire.antialiasRadius, 0.005f, 0, 5, "%.3f");
}

void drawPostSymmetry(JWildfireFinish& own) {
  heading("Post symmetry");
  rowLabel("Copies");
  choiceList("image:symmetry", own.symmetry, kPostSymmetries, -1);
  if (own.symmetry == PostSymmetry::None) return;
  double order = own.symmetryOrder;
  if (own.symmetry == PostSymmetry::Point) {
    if (numberRow("Order", order, 0.05f, 2, 64, "%.0f")) own.symmetryOrder = int(order);
  } else {
    numberRow("Distance", own.symmetryDistance, 0.005f, -10, 10, "%.3f");
    numberRow("Rotation", own.symmetryRotation, 0.5f, -360, 360, "%.1f");
  }
  numberRow("Center x", own.symmetryCenter.x, 0.005f, -100, 100, "%.3f");
  numberRow("Center y", own.symmetryCenter.y, 0.005f, -100, 100, "%.3f");
}

void drawSampling(Genome& g) {
  heading("Density estimation");
  numberRow("Radius", g.estimatorRadius, 0.05f, 0, 50, "%.3g", "0: off");
  numberRow("Minimum", g.estimatorMinimum, 0.05f, 0, g.estimatorRadius);
  numberRow("Curve", g.estimatorCurve, 0.005f, 0.2, 2, "%.3f");
  g.estimatorMinimum = std::min(g.estimatorMinimum, g.estimatorRadius);
  heading("Samples");
  numberRow("Quality", g.quality, float(std::max(g.quality * 0.01, 0.1)), 1, 1e6, "%.0f",
            "Samples per pixel of the finished image.");
  double supersample = g.supersample;
  if (numberRow("Supersample", supersample, 0.05f, 1, 8, "%.0f")) g.supersample = int(supersample);
  numberRow("Filter radius", g.filter, 0.01f, 0, 10, "%.3f");
  if (g.dialect == Dialect::JWildfire) return drawRadialFilter(g), drawPostSymmetry(g.jwildfire);
  rowLabel("Filter");
  choiceList("image:filter", g.filterShape, kFilterShapes, -1);
}

}  // namespace

void drawImagePage(Editor& editor, const Rendering* rendering) {
  if (!editor.open()) return;
  if (rendering) drawProgress(*rendering);
  Genome next = editor.genome();
  rowLabel("Name");
  static std::string name;  // while it is typed; one step when it is done
  if (!ImGui::GetIO().WantTextInput) name = next.name;
  ImGui::InputText("##name", &name);
  if (ImGui::IsItemDeactivatedAfterEdit()) next.name = name;
  Landmarks::note("image:name");
  drawCamera(next);
  drawDepth(next);
  drawTone(next);
  drawSampling(next);
  editor.change(std::move(next));
}

}  // namespace fathom::flame
