// SPDX-License-Identifier: BSD-3-Clause
// The page of parts: a row of numbers per part with a histogram of its run lengths, and the totals.
// And the turn, whose pictures come at most 30 times a second.
#include "app/window/active_pixel/parts.h"

#include "app/engine/core/text.h"
#include "app/engine/gpu/memory_account.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::active_pixel {
using namespace ui;
namespace {

void number(const std::string& text, ImVec4 tint = color::kText) {
  ImGui::TableNextColumn();
  textRight(fonts().text, tint, text);
}

/// One bar per class of length, its height by the logarithm of the count.
void lengthBars(const RunLengths& lengths, const glm::vec3& linear) {
  int longest = 0;
  for (int k = 0; k < kLengthClasses; ++k)
    if (lengths[std::size_t(k)] > 0) longest = k;
  constexpr int kMinShown = 14;
  const int shown = std::max(longest + 1, kMinShown);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 size{std::max(px(90), ImGui::GetContentRegionAvail().x), ImGui::GetTextLineHeight()};
  ImGui::Dummy(size);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float step = size.x / float(shown);
  std::uint64_t highest = 1;
  for (const std::uint64_t count : lengths) highest = std::max(highest, count);
  const float scale = 1 / std::log2(2 + float(highest));
  for (int k = 0; k < shown; ++k) {
    const std::uint64_t count = lengths[std::size_t(k)];
    const float height = count ? std::log2(2 + float(count)) * scale * size.y : px(1);
    const float x = low.x + float(k) * step;
    draw.AddRectFilled(
        {x, low.y + size.y - height}, {x + step - px(1), low.y + size.y},
        count ? packed(fromLinear(linear.r, linear.g, linear.b)) : packed(color::kLine));
    if (hovered && ImGui::GetIO().MousePos.x >= x && ImGui::GetIO().MousePos.x < x + step)
      ImGui::SetTooltip("%s runs of %llu to %llu pixels", grouped(count).c_str(), 1ull << k,
                        (2ull << k) - 1);
  }
}

void swatch(int part) {
  const glm::vec3 c = rankColor(part);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetTextLineHeight() * 0.7f, down = ImGui::GetTextLineHeight() * 0.2f;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + down}, {at.x + side, at.y + down + side},
                                            packed(fromLinear(c.r, c.g, c.b)), px(2));
  ImGui::Dummy({side, side});
  ImGui::SameLine(0, px(7));
}

struct Totals {
  std::uint64_t triangles = 0, active = 0, runs = 0, bytes = 0;
};

void partRow(const LocalRank& part, int index, double rawBytes, double pixels) {
  nextRow();
  swatch(index);
  ImGui::Text("%d", index + 1);
  number(grouped(part.share->triangles));
  const Region& r = part.region;
  if (r.empty()) {
    number("none", color::kFaint);
    number("");
  } else {
    number(fmt::format("{} x {}", r.width, r.height));
    number(fmt::format("{:.1f} %", 100.0 * r.width * r.height / pixels), color::kDim);
  }
  number(grouped(part.facts.active));
  number(fmt::format("{:.1f} %", 100 * double(part.facts.active) / pixels), color::kDim);
  number(grouped(part.facts.runs));
  number(gpu::bytesText(std::int64_t(part.facts.bytes)));
  number(fmt::format("{:.2f} %", 100 * double(part.facts.bytes) / rawBytes), color::kAccent);
  ImGui::TableNextColumn();
  lengthBars(part.lengths, rankColor(index));
  Landmarks::note(fmt::format("parts:lengths-{}", index + 1));
}

}  // namespace

void ActivePixelWindowParts::drawPage(const std::string&) {
  const std::vector<LocalRank>& parts = engine_.ranks();
  const glm::ivec2 size = engine_.frame().size;
  if (parts.empty() || parts.front().sparse.words.empty())
    return dimText("Nothing has been drawn.");
  const double pixels = double(size.x) * size.y;
  const double rawBytes = pixels * parts.front().facts.format.payloadBytes();
  const float least = px(880);  // narrower pages are scrolled
  const bool scrolls = least > ImGui::GetContentRegionAvail().x;
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY |
                     ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX |
                     (scrolls ? ImGuiTableFlags_ScrollX : ImGuiTableFlags_None);
  if (!ImGui::BeginTable("parts", 10, flags, {0, 0}, scrolls ? least : 0)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  const std::pair<const char*, float> columns[] = {
      {"Part", 0.7f},   {"Triangles", 1},     {"Box", 1.1f},  {"of image", 0.9f},
      {"Active", 1},    {"of image", 0.9f},   {"Runs", 0.8f}, {"Compressed", 1.1f},
      {"of raw", 0.9f}, {"Run lengths", 1.9f}};
  for (const auto& [name, weight] : columns)
    ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, weight);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(columns[0].first);
  for (std::size_t i = 1; i + 1 < std::size(columns); ++i) number(columns[i].first);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(columns[9].first);
  Totals sum;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    partRow(parts[i], int(i), rawBytes, pixels);
    sum.triangles += parts[i].share->triangles;
    sum.active += parts[i].facts.active, sum.runs += parts[i].facts.runs;
    sum.bytes += parts[i].facts.bytes;
  }
  nextRow();
  dimText("All");
  number(grouped(sum.triangles), color::kDim);
  number(""), number("");
  number(grouped(sum.active), color::kDim);
  number("");
  number(grouped(sum.runs), color::kDim);
  number(gpu::bytesText(std::int64_t(sum.bytes)), color::kDim);
  number(fmt::format("{:.2f} %", 100 * double(sum.bytes) / rawBytes / double(parts.size())),
         color::kDim);
  ImGui::EndTable();
  Landmarks::note("parts:table");
}

std::vector<TechniquePage> ActivePixelWindowParts::pages() const {
  return {{"parts", "Parts", "Each part in numbers", TechniquePage::Place::Strip}};
}

// ---- The turn

void ActivePixelWindowParts::advance() {
  if (!engine_.view().turning() || !engine_.complete() || engine_.pictures() == 0) return;
  if (Clock::now() < nextTurn_) return;
  nextTurn_ = Clock::now() + kBetweenTurns;
  engine_.camera()->orbit(glm::radians(kStepDeg), 0);
}

std::optional<ActivePixelWindowParts::Clock::time_point> ActivePixelWindowParts::dueAt() const {
  return engine_.view().turning() ? std::optional(nextTurn_) : std::nullopt;
}

}  // namespace fathom::active_pixel
