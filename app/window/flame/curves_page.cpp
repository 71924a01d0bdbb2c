// SPDX-License-Identifier: BSD-3-Clause
// Curves of tone on the image page: of all channels, or of one. A click adds a point, a drag moves
// it, a right click removes it.
#include "app/engine/flame/render/tone_mapper.h"
#include "app/window/flame/editing.h"
#include "app/window/flame/page_rows.h"
#include "app/window/flame/pages.h"

namespace fathom::flame {
using namespace ui;
namespace {

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

}  // namespace

void drawCurves(Genome& genome) {
  const bool any = std::any_of(genome.curves.begin(), genome.curves.end(),
                               [](const ToneCurve& curve) { return !curve.isStraight(); });
  if (any) ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  const bool open = ImGui::TreeNode("Curves");
  Landmarks::note("image:curves");
  if (!open) return;
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
  if (ImGui::Button("Straight")) curve = {};
  Landmarks::note("curves:straight");
  ImGui::TreePop();
}

}  // namespace fathom::flame
