// SPDX-License-Identifier: BSD-3-Clause
// The page of xforms: which there are, and everything about the selected one.
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "app/window/flame/editing.h"
#include "app/window/flame/pages.h"
#include "app/window/ui/widgets.h"

#include <imgui_stdlib.h>

namespace fathom::flame {
using namespace ui;
namespace {

// ---- Layers

std::string titleOf(const LayerSettings& settings, std::size_t number) {
  return settings.name.empty() ? fmt::format("Layer {}", number) : settings.name;
}

/// A row of a layer that is not edited. True: it is removed.
bool drawRow(LayerSettings& settings, std::size_t number, bool& picked) {
  checkbox("##visible", fmt::format("layer:{}:visible", number), settings.visible,
           "Shows or hides the layer.");
  ImGui::SameLine();
  picked = button(titleOf(settings, number), fmt::format("layer:{}", number), {px(110), 0},
                  "Edits its xforms and its palette.");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - px(26));
  const double low = 0, high = 10;
  ImGui::DragScalar("##weight", ImGuiDataType_Double, &settings.weight, 0.005f, &low, &high, "%.3g",
                    ImGuiSliderFlags_AlwaysClamp);
  tooltip("Multiplies its colors.");
  ImGui::SameLine(0, px(8));
  dimText("\u00d7");
  return ImGui::IsItemClicked();
}

void drawLayers(Editor& editor) {
  if (editor.genome().dialect != Dialect::JWildfire) return;
  if (!openTree("Layers", "xforms:layers", !editor.genome().layers.empty())) return;
  Genome next = editor.genome();
  dimText((titleOf(next.layerSettings, 1) + " is edited."));
  numberRow("Layer's weight", next.layerSettings.weight, 0.005f, 0, 10, "%.3g",
            "Multiplies its colors.");
  numberRow("Layer's density", next.layerSettings.density, 0.005f, 0, 1, "%.3g",
            "Its square is the share of its hits that count.");
  if (!next.layers.empty()) ImGui::Checkbox("Visible", &next.layerSettings.visible);
  for (std::size_t i = 0; i < next.layers.size(); ++i) {
    const IdScope scope{int(i)};
    bool picked = false;
    const bool removed = drawRow(next.layers[i].layerSettings, i + 2, picked);
    if (picked) swapLayer(next, next.layers[i]);
    if (removed) next.layers.erase(next.layers.begin() + std::ptrdiff_t(i--));
  }
  if (button("Add a layer", "layers:add", {0, 0}, "A copy of the one that is edited."))
    addLayer(next);
  editor.change(std::move(next));
  ImGui::TreePop();
}

// ---- Variations

/// The same draws for every point, so that blurs show a shape and not noise.
class MiddleDraws : public Draws {
 public:
  double unit() override { return 0.5 + 0.37 * std::sin(double(++count_) * 2.4); }
  int bit() override { return ++count_ % 2; }

 private:
  int count_ = 0;
};

/// Lines of a grid over [-1.2, 1.2]^2 as the variation bends them.
void drawGrid(const VariationUse& use, float side) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImGui::Dummy({side, side});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 high(low.x + side, low.y + side);
  draw.AddRectFilled(low, high, packed(color::kBar), px(5));
  draw.PushClipRect(low, high, true);
  constexpr int kLines = 13, kPoints = 40;
  constexpr double kReach = 1.2, kShown = 2.0;
  const VariationInfo& info = variations()[std::size_t(use.index)];
  const Affine identity;
  MiddleDraws draws;
  for (int axis = 0; axis < 2; ++axis)
    for (int line = 0; line < kLines; ++line) {
      ImVec2 last{};
      bool hasLast = false;
      for (int i = 0; i < kPoints; ++i) {
        const double u = kReach * (2.0 * i / (kPoints - 1) - 1 + 1e-3),
                     v = kReach * (2.0 * line / (kLines - 1) - 1 + 1e-3);
        const double x = axis == 0 ? u : v, y = axis == 0 ? v : u;
        const VariationInput input{x, y, 1, use.parameters.data(), &identity};
        const glm::dvec2 p = info.evaluate(input, draws);
        const bool fine = std::abs(p.x) < 20 && std::abs(p.y) < 20;
        const ImVec2 at(low.x + side * float(0.5 + p.x / (2 * kShown)),
                        low.y + side * float(0.5 + p.y / (2 * kShown)));
        const float step = std::hypot(at.x - last.x, at.y - last.y);
        if (fine && hasLast && step < side * 0.4f)  // longer ones jump over a cut
          draw.AddLine(last, at, packed(axis == 0 ? color::kAccent : color::kThird, 0.75f), 1);
        last = at, hasLast = fine;
      }
    }
  draw.PopClipRect();
}

/// The list of all; the index that was picked, or -1.
int pickVariation() {
  static std::string search;
  int picked = -1;
  if (button("Add a variation ...", "variations:add", {-1, 0})) {
    search.clear();
    ImGui::OpenPopup("variations");
  }
  ImGui::SetNextWindowSize({px(250), px(380)});
  if (!ImGui::BeginPopup("variations")) return picked;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool entered =
      ImGui::InputTextWithHint("##search", "Search", &search, ImGuiInputTextFlags_EnterReturnsTrue);
  Landmarks::note("variations:search");
  ImGui::BeginChild("names", {0, 0}, false, ImGuiWindowFlags_NavFlattened);
  for (int i = 0; i < variationCount(); ++i) {
    const std::string name(variations()[std::size_t(i)].name);
    if (name.find(search) == std::string::npos) continue;
    if (ImGui::Selectable(name.c_str()) || (entered && picked < 0)) picked = i;
    Landmarks::note("variation:" + name);
    if (ImGui::IsItemHovered()) {
      ImGui::BeginTooltip();
      Xform fresh;
      variationIn(fresh, i).weight = 1;
      drawGrid(fresh.variations[0], px(170));
      dimText(name);
      ImGui::EndTooltip();
    }
  }
  ImGui::EndChild();
  if (picked >= 0) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return picked;
}

/// The variations of an xform: those in use, and a list to add from, each with what it does to a
/// grid.
void drawVariations(Xform& xform) {
  int removed = -1;
  for (VariationUse& use : xform.variations) {
    const VariationInfo& info = variations()[std::size_t(use.index)];
    const std::string name(info.name);
    const IdScope scope{use.index};
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name.c_str());
    if (ImGui::IsItemHovered()) {
      ImGui::BeginTooltip();
      drawGrid(use, px(170));
      ImGui::EndTooltip();
    }
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * 0.42f);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - px(26));
    ImGui::DragScalar("##weight", ImGuiDataType_Double, &use.weight, 0.005f, nullptr, nullptr,
                      "%.4f");
    Landmarks::note("weight:" + name);
    ImGui::SameLine(0, px(8));
    dimText("\u00d7");
    tooltip("Delete this variation.");
    if (ImGui::IsItemClicked()) removed = use.index;
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
      const ParameterInfo& parameter = info.parameters[i];
      if (parameter.low == parameter.high) continue;  // code of a formula
      const float step = float(std::max((parameter.high - parameter.low) / 500, 1e-4));
      numberRow(("  " + std::string(parameter.name)).c_str(), use.parameters[i], step, -1e6, 1e6);
    }
  }
  if (removed >= 0)
    std::erase_if(xform.variations, [&](const VariationUse& use) { return use.index == removed; });
  if (const int picked = pickVariation(); picked >= 0) {
    const bool had = weightIn(xform, picked) != 0;
    VariationUse& use = variationIn(xform, picked);
    if (!had) use.weight = 1;
  }
}

// ---- The page

constexpr double kFar = 1000;

ImU32 paletteColor(const Palette& palette, double at) {
  const glm::vec4 c = palette[std::size_t(std::clamp(at, 0.0, 1.0) * 255)];
  return packed({std::min(c.r, 1.0f), std::min(c.g, 1.0f), std::min(c.b, 1.0f), 1});
}

void drawButtons(Editor& editor, XformClipboard& clipboard) {
  Genome next = editor.genome();
  const std::size_t count = next.xforms.size();
  const bool isFinal = editor.selected() >= count;
  if (button("Add", "xforms:add", {0, 0}, "A new xform: linear, weight 0.5 (N)")) {
    addXform(next);
    editor.select(count);
  }
  ImGui::SameLine(0, px(4));
  if (button("Copy", "xforms:copy", {0, 0}, "A copy of this xform (Ctrl+D)", !isFinal)) {
    duplicateXforms(next, editor.selection());
    editor.select(next.xforms.size() - 1);
  }
  ImGui::SameLine(0, px(4));
  if (button("Delete", "xforms:delete", {0, 0}, "Delete the selection (Delete)",
             isFinal || count > 1))
    removeXforms(next, editor.selection());
  ImGui::SameLine(0, px(4));
  if (button("Final", "xforms:final", {0, 0}, "A final xform: bends every plotted point",
             !next.finalXform)) {
    Xform last;
    last.colorSpeed = 0;
    last.variations.push_back({0, 1, {}});
    next.finalXform = last;
    editor.select(count);
  }
  editor.change(std::move(next));
  ImGui::SameLine(0, px(4));
  if (button("XML", "xforms:xml", {0, 0},
             "The clipboard: flames and xforms as other programs exchange them"))
    ImGui::OpenPopup("xml");
  if (!ImGui::BeginPopup("xml")) return;
  const auto item = [](const char* label, const char* keys, const char* landmark) {
    const bool picked = ImGui::MenuItem(label, keys);
    Landmarks::note(landmark);
    return picked;
  };
  if (item("Copy the flame", "Ctrl+Alt+C", "xml:copy-flame")) clipboard.copyFlame();
  if (item("Copy the selection", "Alt+C", "xml:copy-xforms")) clipboard.copyXforms();
  if (item("Paste", "Ctrl+V", "xml:paste")) clipboard.paste();
  ImGui::EndPopup();
}

void drawList(Editor& editor) {
  const float rows = std::clamp(float(editor.xformCount()), 2.0f, 6.0f);
  ImGui::BeginChild("list", {0, rows * ImGui::GetFrameHeightWithSpacing() + px(6)}, true,
                    ImGuiWindowFlags_NavFlattened);
  for (std::size_t i = 0; i < editor.xformCount(); ++i) {
    const Genome& g = editor.genome();
    const bool isFinal = i >= g.xforms.size();
    const Xform xform = editor.xform(i);
    const IdScope scope{int(i)};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string name = isFinal ? "final" : fmt::format("{}", i + 1);
    if (ImGui::Selectable(("##" + name).c_str(), editor.isSelected(i),
                          ImGuiSelectableFlags_AllowItemOverlap, {0, ImGui::GetTextLineHeight()})) {
      if (ImGui::GetIO().KeyCtrl)
        editor.toggle(i);
      else
        editor.select(i);
    }
    Landmarks::note("xform-row:" + name);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float side = ImGui::GetTextLineHeight() - px(4);
    draw.AddRectFilled({at.x + px(4), at.y + px(2)}, {at.x + px(4) + side, at.y + px(2) + side},
                       paletteColor(g.palette, xform.color), px(3));
    ImGui::SameLine(px(34));
    ImGui::TextUnformatted(name.c_str());
    ImGui::SameLine(px(80));
    dimText(isFinal ? "after all" : fmt::format("{:.3g}", xform.weight));
    ImGui::SameLine(px(140));
    ImGui::TextUnformatted(titleOf(xform).c_str());
    if (!isFinal) {
      ImGui::SameLine(ImGui::GetContentRegionMax().x - px(48));
      const bool solo = g.soloXform == int(i);
      textIn(fonts().small, solo ? color::kAccent : color::kFaint, "solo");
      tooltip("Solo: show only this xform; all are still applied.");
      if (ImGui::IsItemClicked())
        editor.change([&](Genome& next) { next.soloXform = solo ? -1 : int(i); });
    }
  }
  ImGui::EndChild();
}

/// Degrees by which all that are selected are to be turned; 0: not.
double drawAffine(const char* id, Affine& m) {
  const IdScope scope{id};
  const auto pair = [&](const char* label, double& first, double& second) {
    ImGui::AlignTextToFramePadding();
    dimText(label);
    ImGui::SameLine(px(36));
    const float width = (ImGui::GetContentRegionAvail().x - px(8)) / 2;
    int part = 0;
    for (double* value : {&first, &second}) {
      const IdScope ofPart{part++}, ofLabel{label};
      ImGui::SetNextItemWidth(width);
      ImGui::DragScalar("##v", ImGuiDataType_Double, value, 0.005f, nullptr, nullptr, "%.5f");
      if (part == 1) ImGui::SameLine(0, px(8));
    }
  };
  pair("X", m.a, m.d);
  pair("Y", m.b, m.e);
  pair("O", m.c, m.f);
  if (ImGui::Button("Identity")) m = Affine{};
  ImGui::SameLine();
  if (ImGui::Button("Flip")) m.a = -m.a, m.d = -m.d;
  ImGui::SameLine();
  static double step = 15;
  double turn = 0;
  if (button("-", std::string(id) + ":turn-back", {0, 0}, "Rotates the selection about its O."))
    turn = -step;
  ImGui::SameLine(0, px(4));
  ImGui::SetNextItemWidth(px(72));
  ImGui::InputDouble("##step", &step, 0, 0, "%.4g\u00b0");
  Landmarks::note(std::string(id) + ":angle");
  tooltip("The angle of a turn.");
  ImGui::SameLine(0, px(4));
  if (button("+", std::string(id) + ":turn")) turn = step;
  return turn;
}

/// All that are selected, each about its own O.
void turnSelection(Editor& editor, bool post, double degrees) {
  if (degrees == 0) return;
  Genome next = editor.genome();
  for (const std::size_t index : editor.selection()) {
    Xform& xform = xformAt(next, index);
    Affine& m = post ? xform.post : xform.coefs;
    m = turnedBy(m, std::polar(1.0, glm::radians(degrees)));
  }
  editor.change(std::move(next));
}

/// The name of an xform: typed, and one step when it is done.
void drawName(Xform& xform) {
  static std::string typed;
  if (!ImGui::GetIO().WantTextInput) typed = titleOf(xform);
  rowLabel("Name");
  ImGui::InputText("##name", &typed);
  if (ImGui::IsItemDeactivatedAfterEdit()) setTitle(xform, typed);
  Landmarks::note("xform:name");
}

/// Where color lies in the palette.
void drawColor(const Palette& palette, Xform& xform) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = px(18);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  constexpr int kSteps = 64;
  for (int i = 0; i < kSteps; ++i)
    draw.AddRectFilled({at.x + width * float(i) / kSteps, at.y},
                       {at.x + width * float(i + 1) / kSteps, at.y + height},
                       paletteColor(palette, (i + 0.5) / kSteps));
  ImGui::InvisibleButton("strip", {width, height});
  Landmarks::note("xform:color");
  tooltip("Where this xform's color lies in the palette: click or drag.");
  if (ImGui::IsItemActive())
    xform.color = std::clamp(double((ImGui::GetIO().MousePos.x - at.x) / width), 0.0, 1.0);
  const float x = at.x + float(std::clamp(xform.color, 0.0, 1.0)) * width;
  draw.AddLine({x, at.y - px(2)}, {x, at.y + height + px(2)}, packed({0, 0, 0, 0.8f}), px(4));
  draw.AddLine({x, at.y - px(2)}, {x, at.y + height + px(2)}, packed({1, 1, 1, 1}), px(2));
}

/// Turned and mirrored copies of the whole.
void drawSymmetry(Editor& editor) {
  static int turns = 3;
  static bool mirrored = false;
  if (button("Symmetry", "xforms:symmetry", {0, 0}, "Adds xforms that turn and mirror the image."))
    ImGui::OpenPopup("symmetry");
  if (!ImGui::BeginPopup("symmetry")) return;
  ImGui::SetNextItemWidth(px(160));
  ImGui::SliderInt("turns", &turns, mirrored ? 1 : 2, 12);
  ImGui::Checkbox("mirrored", &mirrored);
  if (button("Add", "symmetry:add")) {
    editor.change([](Genome& next) { addSymmetry(next, mirrored ? -turns : turns); });
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

/// All factors: a row per xform that a point comes from, a column per xform that follows.
void drawXaos(Editor& editor) {
  Genome next = editor.genome();
  const int count = int(next.xforms.size());
  const float least = px(24) * float(count + 1);  // beyond the page it is scrolled
  const bool scrolls = least > ImGui::GetContentRegionAvail().x;
  const float height = scrolls ? ImGui::GetFrameHeightWithSpacing() * float(count + 2) : 0;
  const auto flags = ImGuiTableFlags_SizingStretchSame |
                     (scrolls ? ImGuiTableFlags_ScrollX : ImGuiTableFlags_None);
  if (!ImGui::BeginTable("xaos", count + 1, flags, {0, height}, scrolls ? least : 0)) return;
  for (int from = -1; from < count; ++from) {
    ImGui::TableNextRow();
    for (int to = -1; to < count; ++to) {
      ImGui::TableNextColumn();
      if (from < 0 || to < 0) {
        if (from >= 0 || to >= 0) dimText(std::to_string(std::max(from, to) + 1));
        continue;
      }
      const IdScope scope{from * count + to};
      ImGui::SetNextItemWidth(-1);
      double factor = next.xforms[std::size_t(from)].chaosTo(std::size_t(to));
      const double low = 0, high = 100;
      if (ImGui::DragScalar("##factor", ImGuiDataType_Double, &factor, 0.01f, &low, &high, "%.3g",
                            ImGuiSliderFlags_AlwaysClamp))
        setChaos(next, std::size_t(from), std::size_t(to), factor);
      Landmarks::note(fmt::format("xaos:{}:{}", from, to));
    }
  }
  ImGui::EndTable();
  editor.change(std::move(next));
}

}  // namespace

void XformClipboard::copyFlame() {
  if (editor_.open()) ImGui::SetClipboardText(genomesXml(std::span(&editor_.genome(), 1)).c_str());
}

void XformClipboard::copyXforms() {
  if (editor_.xformCount() == 0) return;
  ImGui::SetClipboardText(xformsXml(editor_.genome(), editor_.selection()).c_str());
}

void XformClipboard::paste() {
  if (!editor_.open() || !editor_.editable()) return;
  problem_.clear();
  const char* const text = ImGui::GetClipboardText();
  Genome next = editor_.genome();
  try {
    Fragment fragment = parseFragment(text ? text : "", next);
    if (!fragment.flames.empty()) {
      Genome& flame = fragment.flames.front();
      flame.time = next.time;
      editor_.select(0);
      return editor_.take(std::move(flame), "pasted");
    }
    const std::size_t first = next.xforms.size();
    next.xforms.insert(next.xforms.end(), fragment.xforms.begin(), fragment.xforms.end());
    if (fragment.finalXform) next.finalXform = std::move(fragment.finalXform);
    const std::size_t end = next.xforms.size();
    editor_.change(std::move(next));
    editor_.select(first);
    for (std::size_t i = first + 1; i < end; ++i) editor_.toggle(i);
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

void XformClipboard::drawProblem() const {
  if (problem_.empty()) return;
  wrappedText(fonts().small, color::kError, problem_);
  Landmarks::note("xml:problem");
}

void drawXformPage(Editor& editor, TriangleTool& tool, XformClipboard& clipboard) {
  if (!editor.open()) return;
  drawButtons(editor, clipboard);
  clipboard.drawProblem();
  drawList(editor);
  const auto triangles = [](const char* name, const char* landmark, bool& on) {
    switchControl(landmark, on);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    dimText(name);
    ImGui::SameLine(0, px(8));
  };
  triangles("Triangles", "xforms:triangles", tool.triangles);
  triangles("Post", "xforms:posts", tool.postTriangles);
  drawSymmetry(editor);
  drawLayers(editor);
  if (editor.xformCount() == 0) return;
  const std::size_t index = editor.selected();
  const bool isFinal = index >= editor.genome().xforms.size();
  Xform xform = editor.xform(index);
  const IdScope scope{int(index)};
  drawName(xform);
  if (!isFinal) numberRow("Weight", xform.weight, 0.005f, 0, kFar);
  heading("Color");
  drawColor(editor.genome().palette, xform);
  numberRow("Color speed", xform.colorSpeed, 0.005f, -1, 1, "%.3f",
            "How much of this xform's color a point takes.");
  numberRow(isFinal ? "Probability" : "Opacity", xform.opacity, 0.005f, 0, 1, "%.3f");
  heading("Variations");
  drawVariations(xform);
  heading("Coefs");
  const double turned = drawAffine("coefs", xform.coefs);
  double postTurned = 0;
  if (ImGui::TreeNode("Post transformation")) {
    postTurned = drawAffine("post", xform.post);
    ImGui::TreePop();
  }
  editor.change([&](Genome& next) { xformAt(next, index) = std::move(xform); });
  turnSelection(editor, false, turned);
  turnSelection(editor, true, postTurned);
  if (!isFinal && ImGui::TreeNode("Xaos")) {
    drawXaos(editor);
    ImGui::TreePop();
  }
}

}  // namespace fathom::flame
