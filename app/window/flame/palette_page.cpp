// SPDX-License-Identifier: BSD-3-Clause
// The page of the palette: its gradient with stops, changes of the whole, and all palettes to
// choose from.
#include "app/engine/flame/genome/palettes.h"
#include "app/window/flame/pages.h"
#include "app/window/ui/widgets.h"

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
  static PaletteChange change;
  Genome next = editor.genome();
  if (next.palette != made) base = made = next.palette, change = {};
  double frequency = change.frequency;
  bool moved = numberRow("Hue", change.hue, 0.002f, -1, 1, "%.3f", "Turns of the color circle.");
  moved |= numberRow("Saturation", change.saturation, 0.005f, 0, 4, "%.3f");
  moved |= numberRow("Brightness", change.value, 0.005f, 0, 4, "%.3f");
  moved |= numberRow("Contrast", change.contrast, 0.005f, 0, 4, "%.3f");
  moved |= numberRow("Rotate", change.rotation, 0.002f, -1, 1, "%.3f",
                     "Moves the colors along; what leaves at an end enters at the other.");
  moved |= numberRow("Blur", change.blur, 0.05f, 0, 64, "%.2f", "In entries of the 256.");
  moved |= numberRow("Frequency", frequency, 0.02f, 1, 16, "%.0f", "Repeats the palette.");
  change.frequency = int(std::lround(frequency));
  if (moved) usePalette(next, made = adjusted(base, change));
  if (button("Reverse", "palette:reverse")) usePalette(next, reversed(next.palette));
  editor.change(std::move(next));
}

// ---- The gradient: stops below the strip of colors. What changes of them changes in the palette,
// whose 256 colors stay otherwise.

struct Gradient {
  std::vector<PaletteNode> stops;
  std::size_t chosen = 0;
  bool held = false;
  // When the chosen one was pressed, and what was made of that since.
  std::vector<PaletteNode> before;
  Palette base{}, made{};

  /// Of a palette that was changed elsewhere: stops at equal distances.
  void follow(const Palette& palette) {
    if (!stops.empty() && palette == made) return;
    stops = nodesOf(palette, 8);
    chosen = 0, held = false;
    press(palette);
  }
  void press(const Palette& palette) { base = made = palette, before = stops; }
  Palette changed() { return made = retouched(base, before, stops); }
};

/// The stop that the mouse means, within a strip that begins at `left`.
std::optional<std::size_t> stopUnderMouse(const Gradient& gradient, float left, float width) {
  std::optional<std::size_t> best;
  float nearest = px(7);
  for (std::size_t i = 0; i < gradient.stops.size(); ++i) {
    const float distance =
        std::abs(left + width * float(gradient.stops[i].at) - ImGui::GetIO().MousePos.x);
    if (distance < nearest) nearest = distance, best = i;
  }
  return best;
}

void drawStops(const Gradient& gradient, ImVec2 at, float width) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < gradient.stops.size(); ++i) {
    const PaletteNode& stop = gradient.stops[i];
    const ImVec2 tip(at.x + width * float(stop.at), at.y);
    const ImVec2 left(tip.x - px(6), tip.y + px(12)), right(tip.x + px(6), tip.y + px(12));
    const glm::vec3 c(glm::clamp(stop.color, 0.0, 1.0));
    draw.AddTriangleFilled(tip, left, right, packed({c.r, c.g, c.b, 1}));
    draw.AddTriangle(tip, left, right, packed(i == gradient.chosen ? color::kAccent : color::kText),
                     px(1.5f));
  }
}

/// The mouse over the stops; true when the palette follows.
bool dragStops(Gradient& gradient, const Palette& palette, float left, float width) {
  const double place = std::clamp(double((ImGui::GetIO().MousePos.x - left) / width), 0.0, 1.0);
  const auto under = stopUnderMouse(gradient, left, width);
  if (ImGui::IsItemActivated()) {
    if (!under)  // of the color that is there
      gradient.stops.push_back({place, glm::dvec3(palette[std::size_t(std::lround(place * 255))])});
    gradient.chosen = under.value_or(gradient.stops.size() - 1);
    gradient.held = true;
    gradient.press(palette);
  }
  if (!ImGui::IsItemActive()) gradient.held = false;
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right) && under &&
      gradient.stops.size() > 1) {
    gradient.press(palette);
    gradient.stops.erase(gradient.stops.begin() + std::ptrdiff_t(*under));
    gradient.chosen = 0;
    return true;
  }
  if (!gradient.held || !ImGui::IsMouseDragging(ImGuiMouseButton_Left, px(2))) return false;
  gradient.stops[gradient.chosen].at = place;
  return true;
}

void drawGradient(Editor& editor) {
  static Gradient gradient;
  Genome next = editor.genome();
  gradient.follow(next.palette);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(34);
  drawStrip(next.palette, at, {at.x + width, at.y + height}, 256);
  ImGui::InvisibleButton("stops", {width, height + px(14)});
  Landmarks::note("palette:strip", {at.x, at.y}, {at.x + width, at.y + height});
  Landmarks::note("palette:stops", {at.x, at.y + height}, {at.x + width, at.y + height + px(14)});
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
    tooltip("Stops: click to add one, drag to move one, right click to remove one.");
  bool changed = dragStops(gradient, next.palette, at.x, width);
  drawStops(gradient, {at.x, at.y + height}, width);
  PaletteNode& stop = gradient.stops[gradient.chosen];
  const PaletteNode was = stop;
  rowLabel("Stop");
  float rgb[3] = {float(stop.color.r), float(stop.color.g), float(stop.color.b)};
  if (ImGui::ColorEdit3("##color", rgb)) stop.color = {rgb[0], rgb[1], rgb[2]};
  if (ImGui::IsItemActivated())
    gradient.press(next.palette), gradient.before[gradient.chosen] = was;
  Landmarks::note("palette:stop-color");
  const bool moved = numberRow("Position", stop.at, 0.002f, 0, 1, "%.3f");
  if (ImGui::IsItemActivated())
    gradient.press(next.palette), gradient.before[gradient.chosen] = was;
  changed |= moved || stop.color != was.color;
  if (changed) usePalette(next, gradient.changed());
  if (button("Smooth", "palette:smooth", {0, 0},
             "Replaces the palette by straight lines between the stops."))
    usePalette(next, gradient.made = gradient.base = paletteFrom(gradient.before = gradient.stops));
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
  ImGui::BeginChild("chooser", {0, std::max(ImGui::GetContentRegionAvail().y - px(8), px(200))},
                    false, ImGuiWindowFlags_NavFlattened);
  static std::string problem;
  static const std::vector<Library> all = libraries(problem);
  if (!problem.empty()) wrappedText(fonts().small, color::kError, problem);
  for (const Library& library : all) {
    std::vector<const NamedPalette*> shown;
    for (const NamedPalette& palette : *library.palettes)
      if (palette.name.find(search) != std::string::npos ||
          std::to_string(palette.number) == search)
        shown.push_back(&palette);
    if (shown.empty()) continue;
    heading(library.title);
    const IdScope ofLibrary{library.title};
    ImGuiListClipper clipper;
    clipper.Begin(int(shown.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const NamedPalette& palette = *shown[std::size_t(i)];
        const IdScope ofPalette{i};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x, height = px(20);
        if (ImGui::InvisibleButton("palette", {width, height}))
          editor.change([&](Genome& next) { usePalette(next, palette.colors); });
        Landmarks::note("palette:" + std::to_string(palette.number));
        drawStrip(palette.colors, at, {at.x + width, at.y + height}, 64);
        if (ImGui::IsItemHovered())
          ImGui::GetWindowDrawList()->AddRect(at, {at.x + width, at.y + height},
                                              packed(color::kText), px(3), 0, px(2));
        tooltip(std::to_string(palette.number) + "  " + palette.name);
      }
  }
  ImGui::EndChild();
}

}  // namespace

void drawPalettePage(Editor& editor) {
  if (!editor.open()) return;
  drawGradient(editor);
  heading("Colors");
  drawAdjustments(editor);
  heading("All palettes");
  drawChooser(editor);
}

}  // namespace fathom::flame
