// SPDX-License-Identifier: BSD-3-Clause
// A row per pass with its history, and both totals over time as a plot.
#include "app/viewer/widgets/timings_panel.h"

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr std::size_t kHistory = 240;

std::string ms(double value) {
  return value < 10 ? fmt::format("{:.3f}", value) : fmt::format("{:.1f}", value);
}

void numberCell(const std::string& text, ImVec4 textColor = color::kText) {
  ImGui::TableNextColumn();
  const float width = fonts().mono->CalcTextSizeA(fonts().mono->FontSize, 1e9f, 0, text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                       std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
  monoText(text.c_str(), textColor);
}

void rightHeader(const char* text) {
  ImGui::TableNextColumn();
  const float width = fonts().small->CalcTextSizeA(fonts().small->FontSize, 1e9f, 0, text).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                       std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
  textIn(fonts().small, color::kFaint, text);
}

void sparkline(const gpu::PassTiming& pass) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight());
  const std::vector<float> values(pass.history.begin(), pass.history.end());
  const float top = values.empty() ? 0 : *std::max_element(values.begin(), values.end()) * 1.05f;
  plotLine(*ImGui::GetWindowDrawList(), at, {at.x + size.x, at.y + size.y}, values, top,
           color::kAccent, true);
  ImGui::Dummy(size);
}

}  // namespace

void TimingsPanel::update(const gpu::Timings& timings) {
  if (timings.finishedFrames() == seen_) return;
  seen_ = timings.finishedFrames();
  for (auto [values, value] :
       {std::pair(&gpuSum_, timings.gpuSumMs()), std::pair(&wall_, timings.frameWallMs())}) {
    values->push_back(float(value));
    if (values->size() > kHistory) values->erase(values->begin());
  }
}

void TimingsPanel::draw(const gpu::Timings& timings) {
  if (timings.passes().empty()) {
    dimText("No pass has run yet.");
    return;
  }
  drawCounts(timings.counts());
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float history = room.x > px(760) ? std::max(px(250), room.x * 0.34f) : 0;
  const float gap = history > 0 ? px(16) : 0;
  double largest = 1e-6;
  for (const gpu::PassTiming& pass : timings.passes()) largest = std::max(largest, pass.medianMs());
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(6), px(2)});
  if (ImGui::BeginTable("passes", 7, flags, {room.x - history - gap, room.y})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("pass", ImGuiTableColumnFlags_WidthStretch, 2.2f);
    ImGui::TableSetupColumn("calls", ImGuiTableColumnFlags_WidthFixed, px(40));
    for (const char* name : {"last", "median", "p90"})
      ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, px(64));
    ImGui::TableSetupColumn("share", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    ImGui::TableSetupColumn("history", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableNextColumn();
    textIn(fonts().small, color::kFaint, "Pass");
    for (const char* name : {"Calls", "Last (ms)", "Median", "p90"}) rightHeader(name);
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    textIn(fonts().small, color::kFaint, "History");
    for (const gpu::PassTiming& pass : timings.passes()) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(pass.name.c_str());
      numberCell(std::to_string(pass.count), color::kDim);
      numberCell(ms(pass.gpuMs));
      numberCell(ms(pass.medianMs()));
      numberCell(ms(pass.percentileMs(0.9)), color::kDim);
      ImGui::TableNextColumn();
      meter(float(pass.medianMs() / largest), color::kAccent, ImGui::GetContentRegionAvail().x,
            px(5));
      ImGui::TableNextColumn();
      sparkline(pass);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  if (history <= 0) return;
  ImGui::SameLine(0, gap);
  drawHistory(history, room.y);
}

void TimingsPanel::drawCounts(const gpu::WorkCounts& counts) {
  textIn(fonts().small, color::kFaint, "Synchronizations per frame");
  ImGui::SameLine();
  monoText(std::to_string(counts.synchronizations()).c_str());
  tooltip("How often the processor waited for the GPU to run dry. A picture in motion needs none.");
  ImGui::SameLine(0, px(16));
  textIn(fonts().small, color::kFaint, "Allocations");
  ImGui::SameLine();
  monoText(std::to_string(counts.allocations).c_str());
}

void TimingsPanel::drawHistory(float width, float height) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + width, low.y + height);
  ImGui::Dummy({width, height});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, high, packed(color::kBar), px(6));
  if (wall_.empty()) return;
  float top = 0.001f;
  for (const std::vector<float>* values : {&gpuSum_, &wall_})
    for (const float value : *values) top = std::max(top, value);
  const ImVec2 from(low.x + px(10), low.y + px(46)), to(high.x - px(10), high.y - px(10));
  draw.AddLine({from.x, to.y}, to, packed(color::kLine), 1);
  draw.AddLine(from, {to.x, from.y}, packed(color::kLine), 1);
  plotLine(draw, from, to, wall_, top * 1.02f, color::kThird, false);
  plotLine(draw, from, to, gpuSum_, top * 1.02f, color::kAccent, true);
  ImFont* font = fonts().small;
  const auto line = [&](float y, ImVec4 dot, const char* name, double value) {
    draw.AddCircleFilled({low.x + px(15), y + font->FontSize / 2}, px(4), packed(dot));
    draw.AddText(font, font->FontSize, {low.x + px(26), y}, packed(color::kDim), name);
    const std::string text = ms(value) + " ms";
    const float textWidth = font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x;
    draw.AddText(font, font->FontSize, {high.x - px(10) - textWidth, y}, packed(color::kText),
                 text.c_str());
  };
  line(low.y + px(7), color::kAccent, "GPU, sum of passes", double(gpuSum_.back()));
  line(low.y + px(25), color::kThird, "Wall clock of the frame", double(wall_.back()));
}

}  // namespace fathom::viewer
