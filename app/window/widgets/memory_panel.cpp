// SPDX-License-Identifier: BSD-3-Clause
// Totals at the left; at the right a row for all buffers of one name, the largest first.
#include "app/window/widgets/memory_panel.h"

#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace fathom::viewer {
using namespace ui;
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
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.bytes > b.bytes; });
  return rows;
}

void fact(const char* name, const std::string& text) {
  dimText(name);
  ImGui::SameLine(px(130));
  monoText(text.c_str());
}

std::string limitText(std::int64_t bytes) {
  return bytes == INT64_MAX ? "unlimited" : gpu::bytesText(bytes);
}

}  // namespace

void drawMemoryPanel(const gpu::MemoryAccount& memory) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  ImGui::BeginChild("totals", {px(room.x > px(560) ? 240 : 210), room.y});
  fact("In use", gpu::bytesText(memory.totalBytes()));
  fact("Peak", gpu::bytesText(memory.peakBytes()));
  fact("Max. buffer size", limitText(memory.blockLimit()));
  fact("Budget", limitText(memory.budget()));
  ImGui::EndChild();
  ImGui::SameLine(0, px(16));
  const std::vector<Row> rows = rowsBySize(memory);
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(6), px(2)});
  const float line = ImGui::GetTextLineHeight() + px(4);
  if (ImGui::BeginTable("buffers", 3, flags, {0, wholeRows(room.y, 0, line)})) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 1.6f);
    ImGui::TableSetupColumn("bytes", ImGuiTableColumnFlags_WidthFixed, px(96));
    ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthStretch, 0.7f);
    const double largest = rows.empty() ? 1.0 : double(std::max<std::int64_t>(rows[0].bytes, 1));
    for (const Row& row : rows) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      textToFit(fonts().text, color::kText,
                row.count > 1 ? fmt::format("{} x {}", row.name, row.count) : row.name,
                ImGui::GetContentRegionAvail().x);
      ImGui::TableNextColumn();
      const std::string bytes = gpu::bytesText(row.bytes);
      const float width =
          fonts().mono->CalcTextSizeA(fonts().mono->FontSize, 1e9f, 0, bytes.c_str()).x;
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                           std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
      monoText(bytes.c_str());
      ImGui::TableNextColumn();
      meter(float(double(row.bytes) / largest), color::kThird, ImGui::GetContentRegionAvail().x,
            px(5));
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace fathom::viewer
