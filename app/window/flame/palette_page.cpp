// SPDX-License-Identifier: BSD-3-Clause
// The page of the palette: the strip, changes of the whole, gradient nodes, and all palettes to
// choose from.
#include "app/engine/core/random.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/window/ui/rows.h"
#include "app/window/flame/pages.h"

#include <imgui_stdlib.h>

namespace fathom::flame {
using namespace ui;
namespace {

void drawStrip(const Palette& palette, ImVec2 low, ImVec2 high, int steps) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float width = (high.x - low.x) / float(steps);
  for (int i = 0; i < steps; ++i) {
    const glm::vec4 c = glm::clamp(palette[std::size_t(i * 256 / steps)], 0.0f, 1.0f);
    draw.AddRectFilled({low.x + width * float(i), low.y},
                       {low.x + width * float(i + 1) + 1, high.y}, packed({c.r, c.g, c.b, 1}));
  }
}

/// Sliders act on the palette as it was when the first of them was moved.
void drawAdjustments(Editor& editor) {
  static Palette base{}, made{};
  static double hue = 0, saturation = 1, value = 1;
  Genome next = editor.genome();
  if (next.palette != made) base = made = next.palette, hue = 0, saturation = value = 1;
  bool moved = numberRow("Hue", hue, 0.002f, -1, 1, "%.3f", "Turns of the color circle.");
  moved |= numberRow("Saturation", saturation, 0.005f, 0, 4, "%.3f");
  moved |= numberRow("Brightness", value, 0.005f, 0, 4, "%.3f");
  if (moved) usePalette(next, made = adjusted(base, hue, saturation, value));
  if (ImGui::Button("Reverse")) usePalette(next, reversed(next.palette));
  Landmarks::note("palette:reverse");
  ImGui::SameLine();
  static std::uint64_t seed = 1;
  if (ImGui::Button("Random")) {
    Random random(++seed);
    std::vector<PaletteNode> nodes;
    for (int i = 0; i < 6; ++i)
      nodes.push_back(
          {i / 5.0, rgbFromHsv({6.0 * double(random.uniform()), double(random.uniform(0.2f, 1)),
                                double(random.uniform(0.15f, 1))})});
    usePalette(next, paletteFrom(nodes));
  }
  Landmarks::note("palette:random");
  editor.change(std::move(next));
}

/// A gradient through a few nodes: what changes of it changes in the palette, whose 256 colors stay
/// otherwise.
void drawNodes(Editor& editor) {
  static std::vector<PaletteNode> nodes;
  static Palette made{};
  Genome next = editor.genome();
  if (nodes.empty() || next.palette != made) {
    nodes = nodesOf(next.palette, 8);
    made = next.palette;
  }
  const std::vector<PaletteNode> before = nodes;
  bool changed = false;
  int removed = -1;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ImGui::PushID(int(i));
    float rgb[3] = {float(nodes[i].color.r), float(nodes[i].color.g), float(nodes[i].color.b)};
    if (ImGui::ColorEdit3("##color", rgb, ImGuiColorEditFlags_NoInputs)) {
      nodes[i].color = {rgb[0], rgb[1], rgb[2]};
      changed = true;
    }
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - px(26));
    const double low = 0, high = 1;
    changed |= ImGui::SliderScalar("##at", ImGuiDataType_Double, &nodes[i].at, &low, &high, "%.3f");
    ImGui::SameLine(0, px(8));
    dimText("\u00d7");
    if (ImGui::IsItemClicked() && nodes.size() > 1) removed = int(i);
    ImGui::PopID();
  }
  if (removed >= 0) nodes.erase(nodes.begin() + removed), changed = true;
  if (ImGui::Button("Add a node")) nodes.push_back({0.5, {1, 1, 1}}), changed = true;
  if (changed) usePalette(next, made = retouched(made, before, nodes));
  ImGui::SameLine();
  if (ImGui::Button("Smooth")) usePalette(next, made = paletteFrom(nodes));
  Landmarks::note("palette:smooth");
  tooltip("Replaces the palette by straight lines between the nodes.");
  editor.change(std::move(next));
}

struct Library {
  const char* title;
  const std::vector<NamedPalette>* palettes;
};

/// The palettes that can be read; `problem` says what is wrong with one that cannot.
std::vector<Library> libraries(std::string& problem) {
  std::vector<Library> list;
  const auto add = [&](const char* title, const std::vector<NamedPalette>& (*read)()) {
    try {
      list.push_back({title, &read()});
    } catch (const Error& e) {
      problem = e.what();
    }
  };
  add("Fathom", ownPalettes);
  add("flam3", flam3Palettes);
  return list;
}

void drawChooser(Editor& editor) {
  static std::string search;
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##search", "Search by name or number", &search);
  Landmarks::note("palette:search");
  ImGui::BeginChild("chooser", {0, std::max(ImGui::GetContentRegionAvail().y - px(8), px(200))});
  static std::string problem;
  static const std::vector<Library> all = libraries(problem);
  if (!problem.empty()) textIn(fonts().small, color::kError, problem.c_str());
  for (const Library& library : all) {
    std::vector<const NamedPalette*> shown;
    for (const NamedPalette& palette : *library.palettes)
      if (palette.name.find(search) != std::string::npos ||
          std::to_string(palette.number) == search)
        shown.push_back(&palette);
    if (shown.empty()) continue;
    heading(library.title);
    ImGui::PushID(library.title);
    ImGuiListClipper clipper;
    clipper.Begin(int(shown.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const NamedPalette& palette = *shown[std::size_t(i)];
        ImGui::PushID(i);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x, height = px(20);
        if (ImGui::InvisibleButton("palette", {width, height})) {
          Genome next = editor.genome();
          usePalette(next, palette.colors);
          editor.change(std::move(next));
        }
        Landmarks::note("palette:" + std::to_string(palette.number));
        drawStrip(palette.colors, at, {at.x + width, at.y + height}, 64);
        if (ImGui::IsItemHovered())
          ImGui::GetWindowDrawList()->AddRect(at, {at.x + width, at.y + height},
                                              packed(color::kText), px(3), 0, px(2));
        tooltip(std::to_string(palette.number) + "  " + palette.name);
        ImGui::PopID();
      }
    ImGui::PopID();
  }
  ImGui::EndChild();
}

}  // namespace

void drawPalettePage(Editor& editor) {
  if (!editor.open()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(34);
  drawStrip(editor.genome().palette, at, {at.x + width, at.y + height}, 256);
  ImGui::Dummy({width, height});
  Landmarks::note("palette:strip");
  drawAdjustments(editor);
  if (ImGui::TreeNode("Gradient")) {
    drawNodes(editor);
    ImGui::TreePop();
  }
  heading("All palettes");
  drawChooser(editor);
}

}  // namespace fathom::flame
