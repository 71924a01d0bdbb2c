// SPDX-License-Identifier: BSD-3-Clause
// Scatter, heat map and source, each over all of the room that is left in its window.
#include "app/window/dof/panel_plots.h"

#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace fathom::dof {
using namespace ui;
namespace {

/// Red: the whole list is read, yellow: a vote per chunk, violet: after each node (as in figure 9).
const ImVec4 kEarlyTints[] = {color::rgb(0xe2605b), color::rgb(0xe8c14a), color::rgb(0xa98bea)};

void plotText(ImVec2 at, float align, const std::string& text, ImVec4 tint = color::kDim) {
  ImFont* const font = fonts().small;
  const float width = font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {at.x - width * align, at.y},
                                      packed(tint), text.c_str());
}

double slowestOf(const std::vector<VariantBrowser::Dot>& dots) {
  double slowest = 0;
  for (const VariantBrowser::Dot& dot : dots) slowest = std::max(slowest, dot.ms);
  return slowest;
}

bool isKeyword(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "if",     "else",     "for",     "while",  "return", "const", "void",  "int",
      "uint",   "float",    "vec2",    "vec3",   "vec4",   "ivec2", "uvec2", "uvec4",
      "bool",   "layout",   "in",      "out",    "do",     "inout", "break", "shared",
      "struct", "continue", "uniform", "buffer", "true",   "false"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

void piece(std::string_view text, ImVec4 tint) {
  ImGui::PushStyleColor(ImGuiCol_Text, tint);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopStyleColor();
  ImGui::SameLine(0, 0);
}

/// One line of GLSL, its words in their colors.
void drawLine(std::string_view line) {
  if (const std::size_t first = line.find_first_not_of(' ');
      first != std::string_view::npos && line[first] == '#')
    return piece(line, color::kThird);
  const auto inWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t i = 0; i < line.size();) {
    if (line.substr(i).starts_with("//")) return piece(line.substr(i), color::kFaint);
    const bool word = inWord(line[i]);
    std::size_t end = i;
    while (end < line.size() && inWord(line[end]) == word &&
           !(end > i && line.substr(end).starts_with("//")))
      ++end;
    const std::string_view part = line.substr(i, end - i);
    const bool number = word && std::isdigit(static_cast<unsigned char>(part[0]));
    piece(part, number ? color::kSecond : isKeyword(part) ? color::kAccent : color::kText);
    i = end;
  }
}

}  // namespace

const VariantBrowser::Dot* drawTimes(const std::vector<VariantBrowser::Dot>& dots, int used,
                                     bool sorted) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{std::max(px(160), room.x), std::max(px(90), room.y)};
  ImGui::InvisibleButton("plot", size);
  Landmarks::note("variants:plot");
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 low(corner.x + px(58), corner.y + px(8));
  const ImVec2 high(corner.x + size.x - px(8), corner.y + size.y - px(22));
  draw.AddRectFilled(low, high, packed(color::kRaised), px(3));
  const double slowest = std::max(slowestOf(dots), 1e-6);
  for (const float share : {0.0f, 0.5f, 1.0f}) {
    const float y = high.y - share * (high.y - low.y);
    draw.AddLine({low.x, y}, {high.x, y}, packed(color::kLine));
    plotText({low.x - px(6), y - px(7)}, 1, fmt::format("{:.3g} ms", slowest * double(share)));
  }
  plotText({low.x, high.y + px(4)}, 0, sorted ? "fastest" : "variant 1");
  plotText({high.x, high.y + px(4)}, 1,
           sorted ? "slowest" : fmt::format("variant {}", dots.size()));
  const float step = (high.x - low.x) / float(std::max<std::size_t>(dots.size(), 1));
  const VariantBrowser::Dot* nearest = nullptr;
  float reach = px(12) * px(12), x = low.x - 0.5f * step;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (const VariantBrowser::Dot& dot : dots) {
    x += step;
    if (dot.state == VariantSweep::State::Failed)
      plotText({x, high.y - px(16)}, 0.5f, "x", color::kError);
    if (dot.ms <= 0) continue;
    const ImVec2 at{x, high.y - float(dot.ms / slowest) * (high.y - low.y)};
    draw.AddCircleFilled(at, px(2.5f), packed(kEarlyTints[dot.early]));
    if (dot.best) draw.AddCircle(at, px(6), packed(color::kAccent), 0, px(2));
    if (dot.variant == used) draw.AddCircle(at, px(4.5f), packed(color::kText));
    const float way = (mouse.x - at.x) * (mouse.x - at.x) + (mouse.y - at.y) * (mouse.y - at.y);
    if (hovered && way < reach) reach = way, nearest = &dot;
  }
  return nearest;
}

double medianOf(const std::vector<VariantBrowser::Dot>& dots, int dimension, int value) {
  std::vector<double> times;
  for (const VariantBrowser::Dot& dot : dots)
    if (dot.ms > 0 && int(kSpace.at(dot.variant)[std::size_t(dimension)]) == value)
      times.push_back(dot.ms);
  if (times.empty()) return 0;
  std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
  return times[times.size() / 2];
}

void drawHeatMap(const std::vector<VariantBrowser::Dot>& dots) {
  if (!ImGui::BeginTable("heat", 4, ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchSame))
    return;
  for (int d = 0; d < kSpace.dimensionCount(); ++d) {
    const VariantDimension& dimension = kSpace.dimensions[d];
    std::vector<double> medians;
    double fastest = 0, slowest = 0;
    for (int v = 0; v < dimension.count(); ++v) {
      const double median = medianOf(dots, d, v);
      medians.push_back(median);
      slowest = std::max(slowest, median);
      if (median > 0) fastest = fastest > 0 ? std::min(fastest, median) : median;
    }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    dimText(std::string(dimension.name).c_str());
    for (int v = 0; v < std::min(dimension.count(), 3); ++v) {
      ImGui::TableNextColumn();
      const double median = medians[std::size_t(v)];
      if (median > 0 && slowest > 0) {
        const float heat = float((median - fastest) / slowest);
        ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg,
                               packed(median == fastest ? color::kAccent : color::kSecond,
                                      median == fastest ? 0.25f : 0.1f + 0.6f * heat));
      }
      const std::string name(dimension.values[v].name);
      monoText(median > 0 ? fmt::format("{} {:.3g}", name, median).c_str() : name.c_str());
    }
  }
  ImGui::EndTable();
  Landmarks::note("variants:heat");
}

void drawSourceText(const std::string& text, bool difference) {
  std::vector<std::string_view> lines;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size());
    lines.push_back(std::string_view(text).substr(i, end - i));
    i = end + 1;
  }
  ImGui::BeginChild("source", {0, 0}, true, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(fonts().mono);
  ImGuiListClipper clipper;
  clipper.Begin(int(lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::string_view line = lines[std::size_t(i)];
      piece(fmt::format("{:4} ", i + 1), color::kFaint);
      if (difference && line.starts_with("+"))
        piece(line, color::kAccent);
      else if (difference && line.starts_with("-"))
        piece(line, color::kError);
      else
        drawLine(line);
      ImGui::NewLine();
    }
  ImGui::PopFont();
  ImGui::EndChild();
  Landmarks::note("variants:text");
}

}  // namespace fathom::dof
