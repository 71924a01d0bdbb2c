// SPDX-License-Identifier: BSD-3-Clause
// Tables and plots of times and bytes.
#include "app/window/widgets/timings_panel.h"

#include "app/window/ui/widgets.h"

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr std::size_t kHistory = 240;
constexpr float kNumberWidth = 62, kCallsWidth = 44;  // columns, units of the design

std::string ms(double value) {
  return value < 10 ? fmt::format("{:.3f}", value) : fmt::format("{:.1f}", value);
}

void numberCell(const std::string& text, ImVec4 textColor = color::kText) {
  ImGui::TableNextColumn();
  textRight(fonts().mono, textColor, text);
}

/// The headers, those of numbers at the right like the numbers.
void drawHeaders(int numbers) {
  ImGui::PushFont(fonts().small);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < ImGui::TableGetColumnCount(); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const char* const name = ImGui::TableGetColumnName(i);
    if (i > 0 && i <= numbers) {
      const float arrow = ImGui::GetFontSize();  // room for the arrow of the order
      const float wide = ImGui::CalcTextSize(name).x + arrow;
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                           std::max(0.0f, ImGui::GetContentRegionAvail().x - wide));
    }
    ImGui::TableHeader(name);
  }
  ImGui::PopFont();
}

}  // namespace

ImVec4 passColor(std::size_t index) {
  // Neighbors differ in brightness or along blue and yellow, which all people tell apart.
  static const unsigned colors[] = {0x35c4b5, 0xf0ad4e, 0x6ea8fe, 0xb0482e, 0xe8e6a1, 0x3d5bd9,
                                    0xd7dee8, 0x8f6d1f, 0x7fe3ff, 0xf4819b, 0x2f8f5b, 0xffe14d};
  return color::rgb(colors[index % std::size(colors)]);
}

std::size_t TimingsPanel::indexOf(const std::string& name) {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at != names_.end()) return std::size_t(at - names_.begin());
  names_.push_back(name);
  return names_.size() - 1;
}

void TimingsPanel::update(const gpu::Timings& timings, std::uint64_t generation) {
  if (std::exchange(generation_, generation) != generation)
    frames_.clear(), names_.clear(), seen_ = 0;
  if (timings.finishedFrames() == seen_) return;
  seen_ = timings.finishedFrames();
  Frame frame{float(timings.gpuSumMs()), float(timings.frameWallMs()), {}};
  for (const gpu::PassTiming& pass : timings.passes()) {
    const std::size_t index = indexOf(pass.name);
    if (frame.passMs.size() <= index) frame.passMs.resize(index + 1);
    frame.passMs[index] = float(pass.gpuMs);
  }
  frames_.push_back(std::move(frame));
  if (frames_.size() > kHistory) frames_.erase(frames_.begin());
}

void TimingsPanel::draw(const gpu::Timings& timings) {
  if (timings.passes().empty()) return dimText("No pass has run yet.");
  drawCounts(timings);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float history = room.x > px(700) ? std::max(px(230), room.x * 0.36f) : 0;
  const float gap = history > 0 ? px(16) : 0;
  const int before = hovered_;
  hovered_ = -1;
  drawTable(timings, {room.x - history - gap, room.y});
  if (history > 0) {
    ImGui::SameLine(0, gap);
    if (hovered_ < 0) hovered_ = before;
    drawFrames({history, room.y});
  }
}

void TimingsPanel::drawCounts(const gpu::Timings& timings) {
  const gpu::WorkCounts& counts = timings.counts();
  const auto say = [](const char* name, const std::string& value) {
    textIn(fonts().small, color::kFaint, name);
    ImGui::SameLine();
    monoText(value);
  };
  say("Wall clock", ms(timings.frameWallMs()) + " ms");
  ImGui::SameLine(0, px(16));
  say("Synchronizations per frame", std::to_string(counts.synchronizations()));
  tooltip("How often the CPU waited for the GPU. An image in motion needs none.");
  ImGui::SameLine(0, px(16));
  say("Allocations", std::to_string(counts.allocations));
  ImGui::SameLine(0, px(16));
  say("Compiling", ms(timings.compileMs) + " ms");
  tooltip("How long images have waited for programs to be compiled since the start.");
}

double TimingsPanel::percentile(double p, std::optional<std::size_t> pass) const {
  gpu::PassTiming timing;
  for (const Frame& frame : frames_)
    timing.history.push_back(!pass                         ? frame.gpuSum
                             : *pass < frame.passMs.size() ? frame.passMs[*pass]
                                                           : 0);
  return timing.percentileMs(p);
}

std::vector<TimingsPanel::PassRow> TimingsPanel::sortedRows(const gpu::Timings& timings) {
  std::vector<PassRow> rows;
  for (const gpu::PassTiming& pass : timings.passes()) {
    const std::size_t index = indexOf(pass.name);
    rows.push_back({&pass, index, percentile(0.5, index), percentile(0.9, index)});
  }
  const ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return rows;
  const int column = specs->Specs[0].ColumnIndex;
  const bool down = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
  const auto value = [column](const PassRow& row) {
    return column == 1   ? double(row.pass->count)
           : column == 2 ? row.pass->gpuMs
           : column == 3 ? row.median
                         : row.p90;
  };
  std::ranges::stable_sort(rows, [&](const PassRow& a, const PassRow& b) {
    const PassRow &first = down ? b : a, &second = down ? a : b;
    return column == 0 ? first.pass->name < second.pass->name : value(first) < value(second);
  });
  return rows;
}

void TimingsPanel::drawTable(const gpu::Timings& timings, ImVec2 size) {
  const ImGuiTableFlags flags = kRows | ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(6), px(2)});
  const float row = ImGui::GetTextLineHeight() + px(4);
  size.y = wholeRows(size.y, row * 2, row);
  if (ImGui::BeginTable("passes", 6, flags, size)) {
    ImGui::TableSetupScrollFreeze(0, 2);
    ImGui::TableSetupColumn("Pass", ImGuiTableColumnFlags_WidthStretch, 2.0f);
    for (const char* name : {"Calls", "ms, last", "Median", "p90"})
      ImGui::TableSetupColumn(
          name, ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_PreferSortDescending,
          px(name[0] == 'C' ? kCallsWidth : kNumberWidth));
    ImGui::TableSetupColumn(
        "Share", ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_NoSort, 0.45f);
    drawHeaders(4);
    nextRow();
    textToFit(fonts().strong, color::kText, "Sum of passes");
    ImGui::TableNextColumn();
    numberCell(ms(timings.gpuSumMs()));
    numberCell(ms(percentile(0.5)));
    Landmarks::note(fmt::format("median:sum={:.4f}", percentile(0.5)));
    numberCell(ms(percentile(0.9)), color::kDim);
    for (const PassRow& each : sortedRows(timings)) {
      const gpu::PassTiming& pass = *each.pass;
      const int index = int(each.index);
      nextRow();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float line = ImGui::GetTextLineHeight();
      const IdScope scope{index};
      ImGui::Selectable("##pass", index == hovered_, ImGuiSelectableFlags_SpanAllColumns);
      if (ImGui::IsItemHovered()) hovered_ = index;
      if (ImGui::IsItemVisible()) Landmarks::note("pass:" + pass.name);
      ImGui::SameLine(0, 0);
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + line + px(4));
      textToFit(fonts().text, color::kText, pass.name);
      ImGui::GetWindowDrawList()->AddRectFilled({at.x + px(3), at.y + px(3)},
                                                {at.x + line - px(3), at.y + line - px(3)},
                                                packed(passColor(std::size_t(index))), px(2));
      numberCell(std::to_string(pass.count), color::kDim);
      numberCell(ms(pass.gpuMs));
      numberCell(ms(each.median));
      Landmarks::note(fmt::format("median:{}={:.4f}", pass.name, each.median));
      numberCell(ms(each.p90), color::kDim);
      ImGui::TableNextColumn();
      const float share = float(pass.gpuMs / std::max(timings.gpuSumMs(), 1e-6));
      Landmarks::note(fmt::format("share:{}={:.2f}", pass.name, share));
      meter(share, passColor(std::size_t(index)), ImGui::GetContentRegionAvail().x, px(5));
    }
    ImGui::EndTable();
    Landmarks::note("passes");
  }
  ImGui::PopStyleVar();
}

/// A bar per frame, its passes stacked in the table's colors; the wall clock as a line.
void TimingsPanel::drawFrames(ImVec2 size) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + size.x, low.y + size.y);
  ImGui::Dummy(size);
  Landmarks::note("timings:frames");
  const bool over = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, high, packed(color::kBar), px(6));
  if (frames_.empty()) return;
  float top = 0.001f;
  for (const Frame& frame : frames_) top = std::max({top, frame.gpuSum, frame.wall});
  ImFont* const font = fonts().small;
  const ImVec2 from(low.x + px(52), low.y + px(30)), to(high.x - px(10), high.y - px(22));
  const auto write = [&](float x, float y, float align, const std::string& text, ImVec4 tint) {
    drawText(draw, font, {x, y}, tint, text, align);
  };
  for (const float share : {0.0f, 0.5f, 1.0f}) {
    const float y = to.y - share * (to.y - from.y);
    draw.AddLine({from.x, y}, {to.x, y}, packed(color::kLine));
    write(from.x - px(6), y - font->FontSize / 2, 1,
          share > 0 ? ms(double(top * share)) : std::string("0"), color::kDim);
  }
  write(low.x + px(8), low.y + px(4), 0, "ms per frame", color::kFaint);
  write(to.x, to.y + px(4), 1, "latest", color::kDim);
  write(from.x, to.y + px(4), 0, fmt::format("n = {}", frames_.size()), color::kDim);
  const std::size_t shown = std::min<std::size_t>(frames_.size(), 60);
  const float step = (to.x - from.x) / float(std::max<std::size_t>(shown, 12));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::vector<ImVec2> wall;
  for (std::size_t i = 0; i < shown; ++i) {
    const Frame& frame = frames_[frames_.size() - shown + i];
    const float x = to.x - step * float(shown - i);
    float parts = 0;
    for (const float part : frame.passMs) parts += part;
    // A pass within another counts for both, but the bar is as high as the sum.
    const float scale = (to.y - from.y) / top * (parts > 0 ? frame.gpuSum / parts : 0);
    float y = to.y;
    for (std::size_t p = 0; p < frame.passMs.size(); ++p) {
      const float height = frame.passMs[p] * scale;
      const bool inside =
          over && mouse.x >= x && mouse.x < x + step && mouse.y <= y && mouse.y > y - height;
      if (inside) {
        hovered_ = int(p);
        ImGui::SetTooltip("%s\n%.3f ms of %.3f ms", names_[p].c_str(), double(frame.passMs[p]),
                          double(frame.gpuSum));
      }
      const float alpha = hovered_ < 0 || hovered_ == int(p) ? 1.0f : 0.35f;
      draw.AddRectFilled({x, y - height}, {x + std::max(step - 1, 1.0f), y},
                         packed(passColor(p), alpha));
      y -= height;
    }
    wall.push_back({x + step / 2, to.y - frame.wall / top * (to.y - from.y)});
  }
  for (std::size_t i = 1; i < wall.size(); ++i)
    draw.AddLine(wall[i - 1], wall[i], packed(color::kThird), px(1.5f));
  write(to.x, low.y + px(4), 1, "line: wall clock", color::kThird);
}

// ---- Memory

namespace {

struct Row {
  std::string name;
  std::int64_t bytes = 0;
  int count = 0;
};

/// Buffers of one name together, the largest first.
std::vector<Row> rowsBySize(const gpu::MemoryAccount& memory) {
  std::map<std::string, Row> byName;
  for (const gpu::MemoryAccount::Entry& entry : memory.entries()) {
    Row& row = byName[entry.name];
    row.name = entry.name;
    row.bytes += entry.bytes;
    ++row.count;
  }
  std::vector<Row> rows;
  for (auto& [name, row] : byName) rows.push_back(row);
  std::ranges::stable_sort(rows, [](const Row& a, const Row& b) { return a.bytes > b.bytes; });
  return rows;
}

std::string limitText(std::int64_t bytes) {
  return bytes == INT64_MAX ? "unlimited" : gpu::bytesText(bytes);
}

}  // namespace

void drawMemoryPanel(const gpu::MemoryAccount& memory) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  ImGui::BeginChild("totals", {px(room.x > px(560) ? 240 : 210), room.y});
  fact("In use", 130, gpu::bytesText(memory.totalBytes()));
  fact("Peak", 130, gpu::bytesText(memory.peakBytes()));
  fact("Max. buffer size", 130, limitText(memory.blockLimit()));
  fact("Budget", 130, limitText(memory.budget()));
  ImGui::EndChild();
  ImGui::SameLine(0, px(16));
  const std::vector<Row> rows = rowsBySize(memory);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(6), px(2)});
  const float line = ImGui::GetTextLineHeight() + px(4);
  if (ImGui::BeginTable("buffers", 3, kRows, {0, wholeRows(room.y, 0, line)})) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 1.6f);
    ImGui::TableSetupColumn("bytes", ImGuiTableColumnFlags_WidthFixed, px(96));
    ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthStretch, 0.7f);
    const double largest = rows.empty() ? 1.0 : double(std::max<std::int64_t>(rows[0].bytes, 1));
    for (const Row& row : rows)
      tableRow(
          [&] {
            textToFit(fonts().text, color::kText,
                      row.count > 1 ? fmt::format("{} x {}", row.name, row.count) : row.name);
          },
          [&] { textRight(fonts().mono, color::kText, gpu::bytesText(row.bytes)); },
          [&] {
            meter(float(double(row.bytes) / largest), color::kThird,
                  ImGui::GetContentRegionAvail().x, px(5));
          });
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace fathom::viewer
