// SPDX-License-Identifier: BSD-3-Clause
// Reads the pixel when it has changed, and draws values, table and depth plot side by side.
#include "app/window/widgets/inspector.h"

#include "app/window/ui/widgets.h"

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr std::chrono::milliseconds kBetweenReads{250};

const ImVec4 kSources[] = {color::kAccent,       color::kSecond,       color::kThird,
                           color::rgb(0xb0482e), color::rgb(0xe8e6a1), color::rgb(0x3d5bd9)};
ImVec4 sourceColor(int source) {
  return kSources[std::size_t(std::max(0, source)) % std::size(kSources)];
}

std::string valueText(float v) {
  return std::isfinite(v) ? fmt::format("{:.5f}", v) : fmt::format("{}", v);
}

/// Accumulated alpha over depth, a curve of steps: 1 - product of (1 - alpha). `x` and `y` map
/// depth and alpha to the window.
template <class X, class Y>
void drawAccumulatedAlpha(ImDrawList& draw, const std::vector<PixelReport::Mark>& marks, const X& x,
                          const Y& y, float left, float right) {
  const ImU32 tint = packed(color::kText, 0.6f);
  float through = 1;
  ImVec2 last(left, y(0));
  for (const PixelReport::Mark& mark : marks) {
    const float at = x(mark.z);
    draw.AddLine(last, {at, last.y}, tint, px(1.5f));
    through *= 1 - std::clamp(mark.alpha, 0.0f, 1.0f);
    draw.AddLine({at, last.y}, {at, y(1 - through)}, tint, px(1.5f));
    last = {at, y(1 - through)};
  }
  draw.AddLine(last, {right, last.y}, tint, px(1.5f));
}

}  // namespace

DepthRange depthRange(const std::vector<PixelReport::Mark>& marks) {
  float low = 1e30f, high = -1e30f;
  for (const PixelReport::Mark& mark : marks)
    for (const float z : {mark.z, mark.zBack})
      if (std::isfinite(z)) low = std::min(low, z), high = std::max(high, z);
  if (low > high) return {};
  DepthRange range;
  range.logarithmic = low > 0 && high / low > 50;
  if (range.logarithmic) {
    range.low = low / 1.1f, range.high = high * 1.1f;
  } else {
    const float margin = std::max((high - low) * 0.06f, std::max(std::abs(high), 1e-3f) * 0.01f);
    range.low = low - margin, range.high = high + margin;
  }
  return range;
}

float DepthRange::place(float z) const {
  if (std::isnan(z)) return 1;
  if (logarithmic)
    return z <= low ? 0 : std::clamp(std::log(z / low) / std::log(high / low), 0.0f, 1.0f);
  return std::clamp((z - low) / (high - low), 0.0f, 1.0f);
}

void Inspector::update(Document& document, std::optional<glm::ivec2> underCursor) {
  if (pinned_ && read_ && document.technique() && !document.active().parts().ofPixels) return;
  // A scene fills the view, as high as it is: what is pinned stays on its object.
  const glm::ivec2 now = document.pictures().size(), before = std::exchange(size_, now);
  if (pinned_ && document.hasCamera() && before.y > 0 && now.y > 0 && now != before)
    pinned_ = glm::floor((glm::vec2(*pinned_) + 0.5f - 0.5f * glm::vec2(before)) *
                             (float(now.y) / float(before.y)) +
                         0.5f * glm::vec2(now));
  std::optional<glm::ivec2> wanted = pinned_ ? pinned_ : underCursor;
  // The last one under the cursor, in a picture that has changed since.
  if (!wanted && read_ && document.complete() && !document.active().parts().animated())
    wanted = readPixel_;
  const std::string technique = document.technique() ? document.info().name : std::string();
  const gpu::Texture* picture = document.picture();
  const glm::ivec2 shown = document.pictures().size();
  // Reports of another technique, or of a picture that was larger, are outdated.
  const bool outside = readPixel_.x >= shown.x || readPixel_.y >= shown.y;
  if (std::exchange(readTechnique_, technique) != technique || (read_ && outside))
    read_ = false, report_.reset();
  if (!wanted || !picture) return;
  // Of a picture that is still being made, only the value is read, and not at every slice.
  const bool whole = document.complete();
  if (!whole) {
    // A fit that goes on has shown another model: its lists are no more.
    if (!document.hasCamera() && readWholeOnes_ != document.pictures().wholeOnes()) report_.reset();
    if (!document.pictures().refines() || picture->size() != shown) return;
    const auto time = Clock::now();
    if (read_ && *wanted == readPixel_ && time - readAt_ < kBetweenReads) return;
    readAt_ = time;
  }
  if (read_ && *wanted == readPixel_ && document.pictures().generation() == readGeneration_) return;
  const glm::ivec2 size = picture->size();
  read_ = wanted->x >= 0 && wanted->y >= 0 && wanted->x < size.x && wanted->y < size.y;
  report_.reset();
  if (!read_) return;
  readPixel_ = *wanted;
  readGeneration_ = document.pictures().generation();
  readWholeOnes_ = document.pictures().wholeOnes();
  value_ = picture->texel(wanted->x, wanted->y);
  report_ = document.technique() && whole ? document.technique()->inspect(wanted->x, wanted->y)
                                          : std::nullopt;
}

void Inspector::draw(const DisplaySettings& display, glm::ivec2 origin) {
  if (!read_)
    return dimText("Move the cursor over the image. Click to pin the pixel, Esc to unpin it.");
  Landmarks::noteWindow("inspector:pixel");
  const float gap = px(16);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float values = px(196);
  ImGui::BeginChild("values", {values, room.y});
  drawValues(display, origin);
  ImGui::EndChild();
  if (!report_ || report_->rows.empty()) return;
  ImGui::SameLine(0, gap);
  const float rest = room.x - values - gap;
  const bool plot = !report_->marks.empty() && rest > px(420);
  // As wide as its columns need, but the plot keeps its minimum.
  const float wanted = px(68) * float(report_->columns.size()) + px(24);
  const float table = plot ? std::clamp(wanted, px(260), rest - px(230)) : rest;
  ImGui::BeginChild("table", {table, room.y});
  drawTable();
  ImGui::EndChild();
  if (!plot) return;
  ImGui::SameLine(0, gap);
  drawDepthPlot(rest - table - gap, room.y);
}

void Inspector::drawValues(const DisplaySettings& display, glm::ivec2 origin) {
  const glm::ivec2 at = readPixel_ + origin;
  monoText(fmt::format("{}, {}", at.x, at.y));
  ImGui::SameLine();
  textIn(fonts().small, pinned_ ? color::kAccent : color::kFaint, pinned_ ? "pinned" : "cursor");
  const auto byte = [&](float v) { return shownByte(display, v); };
  const glm::ivec4 shown(byte(value_.r), byte(value_.g), byte(value_.b),
                         int(std::lround(std::clamp(value_.a, 0.0f, 1.0f) * 255)));
  const ImVec4 swatch(float(shown.r) / 255, float(shown.g) / 255, float(shown.b) / 255, 1);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x - px(34));
  ImGui::ColorButton("##swatch", swatch,
                     ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoBorder,
                     {px(34), ImGui::GetTextLineHeight()});
  if (ImGui::BeginTable("rgba", 3, ImGuiTableFlags_SizingStretchProp)) {
    const char* names[] = {"R", "G", "B", "A"};
    const ImVec4 tints[] = {color::rgb(0xf0706a), color::rgb(0x7bc86c), color::rgb(0x6ea8fe),
                            color::kDim};
    for (int c = 0; c < 4; ++c)
      tableRow([&] { textIn(fonts().mono, tints[c], names[c]); },
               [&] { monoText(valueText(value_[c])); },
               [&] { monoText(fmt::format("{:>3}", shown[c]), color::kDim); });
    ImGui::EndTable();
  }
  if (report_) {
    wrappedText(fonts().small, color::kDim, report_->headline);
    Landmarks::note("inspector:" + report_->headline.substr(0, report_->headline.find(':')));
  }
}

void Inspector::drawTable() {
  const int columns = int(report_->columns.size()) + 1;
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollX |
                                ImGuiTableFlags_NoSavedSettings;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(6), px(2)});
  Landmarks::noteWindow("inspector:fragments");
  const float header = fonts().small->FontSize + px(4), line = fonts().mono->FontSize + px(4);
  if (ImGui::BeginTable("fragments", columns, flags,
                        {0, wholeRows(ImGui::GetContentRegionAvail().y, header, line)})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("##mark", ImGuiTableColumnFlags_WidthFixed, px(16));
    for (const std::string& column : report_->columns) ImGui::TableSetupColumn(column.c_str());
    ImGui::PushFont(fonts().small);
    ImGui::PushStyleColor(ImGuiCol_Text, color::kFaint);
    ImGui::TableHeadersRow();
    ImGui::PopStyleColor();
    ImGui::PopFont();
    int over = -1;
    ImGui::PushFont(fonts().mono);
    ImGuiListClipper clipper;
    clipper.Begin(int(report_->rows.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const std::vector<std::string>& row = report_->rows[std::size_t(i)];
        nextRow();
        const IdScope scope{i};
        ImGui::Selectable("##row", i == hovered_, ImGuiSelectableFlags_SpanAllColumns);
        if (ImGui::IsItemHovered()) over = i;
        if (std::size_t(i) < report_->marks.size()) {
          const PixelReport::Mark& mark = report_->marks[std::size_t(i)];
          const ImVec2 low = ImGui::GetItemRectMin();
          const float side = ImGui::GetTextLineHeight() - px(4);
          ImDrawList& draw = *ImGui::GetWindowDrawList();
          const ImVec2 at(low.x + px(6), low.y + px(3));
          draw.AddRectFilled(at, {at.x + side, at.y + side},
                             packed(fromLinear(mark.r, mark.g, mark.b)), px(3));
          draw.AddRectFilled({at.x - px(5), at.y}, {at.x - px(2.5f), at.y + side},
                             packed(sourceColor(mark.source)), px(1));
        }
        for (const std::string& cell : row) {
          ImGui::TableNextColumn();
          ImGui::TextUnformatted(cell.c_str());
        }
      }
    ImGui::PopFont();
    ImGui::EndTable();
    hovered_ = over;
  }
  ImGui::PopStyleVar();
}

void Inspector::drawDepthPlot(float width, float height) {
  ImGui::InvisibleButton("depth plot", {width, height});
  const bool inside = ImGui::IsItemHovered();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 from(low.x + px(8), low.y + px(24)), to(high.x - px(8), high.y - px(22));
  draw.AddRectFilled(low, high, packed(color::kBar), px(6));
  drawText(draw, fonts().small, {low.x + px(10), low.y + px(5)}, color::kFaint, "ALPHA OVER DEPTH");
  const DepthRange range = depthRange(report_->marks);
  const auto x = [&](float z) { return from.x + range.place(z) * (to.x - from.x); };
  const auto y = [&](float alpha) {
    return to.y - std::clamp(alpha, 0.0f, 1.0f) * (to.y - from.y);
  };
  for (const float level : {0.0f, 0.5f, 1.0f})
    draw.AddLine({from.x, y(level)}, {to.x, y(level)}, packed(color::kLine), 1);

  // Fragments: a stem for a point, a box for one that reaches from Z to ZBack.
  int nearest = -1;
  float nearestDistance = px(9);
  const float mouseX = ImGui::GetIO().MousePos.x;
  for (int i = 0; i < int(report_->marks.size()); ++i) {
    const PixelReport::Mark& mark = report_->marks[std::size_t(i)];
    const float left = x(mark.z), right = x(mark.zBack), top = y(std::max(mark.alpha, 0.02f));
    const bool chosen = i == hovered_;
    const ImVec4 fill = fromLinear(mark.r, mark.g, mark.b, chosen ? 1.0f : 0.85f);
    if (right > left + 1) draw.AddRectFilled({left, top}, {right, to.y}, packed(fill, 0.55f));
    draw.AddLine({left, to.y}, {left, top},
                 packed(chosen ? color::kText : sourceColor(mark.source)), px(chosen ? 3 : 2));
    draw.AddCircleFilled({left, top}, px(chosen ? 5 : 3.5f), packed(fill));
    draw.AddCircle({left, top}, px(chosen ? 5 : 3.5f), packed(sourceColor(mark.source)));
    const float distance = std::abs(left - mouseX);
    if (inside && distance < nearestDistance) nearest = i, nearestDistance = distance;
  }
  drawAccumulatedAlpha(draw, report_->marks, x, y, from.x, to.x);

  const auto label = [&](float at, float align, const std::string& text) {
    drawText(draw, fonts().small, {at, to.y + px(5)}, color::kDim, text, align);
  };
  label(from.x, 0, fmt::format("Z {:.4g}", range.low));
  label(to.x, 1, fmt::format("{:.4g}", range.high));
  if (range.logarithmic) label((from.x + to.x) / 2, 0.5f, "logarithmic");
  if (nearest >= 0) {
    hovered_ = nearest;
    const PixelReport::Mark& mark = report_->marks[std::size_t(nearest)];
    ImGui::SetTooltip("Z %s%s\nalpha %.4f\ninput %d", shortest(mark.z).c_str(),
                      mark.zBack != mark.z ? (" to " + shortest(mark.zBack)).c_str() : "",
                      double(mark.alpha), mark.source + 1);
  }
}

std::string Inspector::text(const DisplaySettings& display, glm::ivec2 origin) const {
  if (!read_) return {};
  const glm::ivec2 at = readPixel_ + origin;
  std::string out =
      fmt::format("pixel\t{}\t{}\nlinear\t{}\t{}\t{}\t{}\n", at.x, at.y, shortest(value_.r),
                  shortest(value_.g), shortest(value_.b), shortest(value_.a));
  out += fmt::format("8-bit\t{}\t{}\t{}\t{}\n", shownByte(display, value_.r),
                     shownByte(display, value_.g), shownByte(display, value_.b),
                     std::lround(std::clamp(value_.a, 0.0f, 1.0f) * 255));
  if (!report_) return out;
  out += report_->headline + "\n" + fmt::format("{}\n", fmt::join(report_->columns, "\t"));
  for (const std::vector<std::string>& row : report_->rows)
    out += fmt::format("{}\n", fmt::join(row, "\t"));
  return out;
}

}  // namespace fathom::viewer
