// SPDX-License-Identifier: BSD-3-Clause
// The sections of the page Depth: a strip that peels by depth, points in space, and fragments per
// pixel.
#include "app/engine/core/text.h"
#include "app/window/deep/parts.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::deep {
using namespace ui;
namespace {

constexpr float kGripReach = 7, kStripHeight = 40;

void depthRow(const char* label, const char* about) { rowLabel(label, about, 92); }

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
  for (const float share : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f})
    drawText(*ImGui::GetWindowDrawList(), fonts().small, {at.x + width * share, at.y}, color::kDim,
             fmt::format("{:.4g}", depths.depthAt(share)), share);
  ImGui::Dummy({0, fonts().small->FontSize + px(6)});
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
    return dimText(surveyor_.isComplete() ? "There are no fragments." : "Analyzing ...");
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
  depthRow("Z from, to", "The exact range, both ends included.");
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
  depthRow("Fragment", "Only the nth fragment, counted from the front of the range.");
  int& number = settings_.view.peelNumber;
  const int max = std::clamp(int(surveyor_.survey().max), 1, 512);
  trackSlider("depth:number", number, 0, max, number == 0 ? "all" : "number %d");
  ImGui::EndDisabled();
}

namespace {

/// Where to look from: along the axes, or as at first.
void drawPointViews(PointScene& points) {
  static const std::pair<const char*, glm::vec3> views[] = {{"Start", {2.6f, 1.7f, 4.6f}},
                                                            {"Front", {0, 0, 1}},
                                                            {"Side", {1, 0, 0}},
                                                            {"Top", {0, 1, 0.01f}}};
  const float width = (ImGui::GetContentRegionAvail().x - px(92) - 3 * px(6)) / 4;
  depthRow("View", "Where to look from; Home is the start.");
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(2), ImGui::GetStyle().FramePadding.y});
  for (const auto& [name, from] : views) {
    if (name != views[0].first) ImGui::SameLine(0, px(6));
    if (button(name, std::string("depth:view-") + name, {width, 0})) {
      Camera camera = homePointCamera();
      camera.position = camera.target + glm::normalize(from) * glm::length(camera.position);
      points.camera() = camera;
    }
  }
  ImGui::PopStyleVar();
}

}  // namespace

void DeepWindowParts::drawPointsSection() {
  heading("Points in space");
  Settings& settings = engine_.settingsStruct();
  DepthView& s = settings.view;
  depthRow("Selection", "Pixels whose fragments become points.");
  const float width = (ImGui::GetContentRegionAvail().x - px(8)) / 2;
  const glm::ivec2 size = engine_.opened().size();
  const Rect r = parseRegion(s.region, size.x, size.y);
  const std::string chosen =
      s.region.empty() ? "Choose" : fmt::format("{} x {}", r.width, r.height);
  if (button(tool_.isArmed() ? "Drag now" : chosen, "depth:choose", {width, 0},
             "Then drag a rectangle over the image; Shift+Drag does it at any time.")) {
    tool_.arm(!tool_.isArmed());
    if (tool_.isArmed()) settings.show = Show::Picture;
  }
  ImGui::SameLine(0, px(8));
  if (button("Whole", "depth:whole", {width, 0})) s.region.clear();

  ImGui::BeginDisabled(settings.show != Show::Points);
  static const std::vector<std::string> colors{"color", "alpha", "input", "depth"};
  int mode = int(s.pointColor);
  depthRow("Color by", "What colors a point.");
  if (segments("point-color", mode, colors, ImGui::GetContentRegionAvail().x))
    s.pointColor = PointColor(mode);
  depthRow("Size", "Side of a point, in pixels.");
  trackSlider("depth:size", s.pointSize, 1, 16, "%.1f px");
  depthRow("Box depth", "Depth-to-width ratio.");
  trackSlider("depth:scale", s.pointDepth, 0.05f, 20, "%.3g");
  depthRow("At most", "Points; more fragments are thinned out evenly.");
  trackSlider("depth:limit", s.pointLimit, 1000, 20000000, "%d");
  depthRow("By alpha", "Draw points in proportion to alpha.");
  switchControl("depth:alpha", s.pointAlpha);
  drawPointViews(engine_.points());
  ImGui::EndDisabled();
  if (settings.show == Show::Points && engine_.points().isCollected())
    wrappedText(fonts().small, color::kDim, engine_.points().text());
}

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
    const float wide = textSize(fonts().small, text).x;
    const float x = std::min(low.x + pad + step * (float(i) + 0.5f) - wide / 2, high.x - wide);
    if (x < last + px(14)) continue;
    drawText(draw, fonts().small, {x, high.y + px(3)}, color::kDim, text);
    last = x + wide;
  }
}

}  // namespace

void DeepWindowParts::drawHeaviest() {
  const Survey& survey = surveyor_.survey();
  const glm::ivec2 origin = engine_.opened().origin();
  if (survey.heaviest.empty()) return;
  heading("Heaviest pixels");
  if (!ImGui::BeginTable("heaviest", 2, ImGuiTableFlags_SizingStretchProp)) return;
  for (std::size_t i = 0; i < survey.heaviest.size(); ++i) {
    const Survey::Heavy& heavy = survey.heaviest[i];
    const IdScope scope{int(i)};
    nextRow();
    const std::string place =
        fmt::format("{}, {}", heavy.pixel.x + origin.x, heavy.pixel.y + origin.y);
    if (ImGui::Selectable(place.c_str(), false, ImGuiSelectableFlags_SpanAllColumns)) {
      Show& show = engine_.settingsStruct().show;
      if (show == Show::Points) show = Show::Picture;
      request_.pixel = heavy.pixel;
    }
    Landmarks::note(fmt::format("depth:heavy-{}", i + 1));
    tooltip("Shows the pixel and its fragments.");
    ImGui::TableNextColumn();
    monoText(fmt::format("{:>6}", heavy.count));
  }
  ImGui::EndTable();
}

void DeepWindowParts::drawSurveySection() {
  heading("Fragments per pixel");
  const Survey& survey = surveyor_.survey();
  if (survey.pixels == 0) return dimText("Counting ...");
  dimText(
      fmt::format("{} fragments in {} pixels", grouped(survey.fragments), grouped(survey.pixels)));
  dimText(fmt::format("{:.2f} per pixel, max. {}", survey.mean(), grouped(survey.max)));
  dimText(fmt::format("{} pixels are empty", grouped(survey.emptyPixels())));
  ImGui::Dummy({0, px(2)});
  drawHistogram(barsOf(survey, kBars));
  textIn(fonts().small, color::kFaint, "Pixels (log) by fragment count");
  drawHeaviest();
}

}  // namespace fathom::deep
