// SPDX-License-Identifier: BSD-3-Clause
// The inputs as a short list: visibility, order, role and depth of each, and what its file holds.
#include "app/gpu/memory_account.h"
#include "app/techniques/deep/technique.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fathom::deep {
using namespace ui;
namespace {

constexpr const char* kDragged = "deep input";

ImVec4 inputTint(std::size_t input) {
  const glm::vec3 c = inputColors()[input % inputColors().size()];
  return fromLinear(c.r, c.g, c.b);
}

bool arrow(const char* id, ImGuiDir direction, bool possible, const std::string& landmark) {
  ImGui::BeginDisabled(!possible);
  const bool pressed = ImGui::ArrowButton(id, direction);
  ImGui::EndDisabled();
  Landmarks::note(landmark);
  return pressed;
}

void fact(const char* name, const std::string& value) {
  dimText(name);
  ImGui::SameLine(px(110));
  monoText(value.c_str());
}

}  // namespace

void DeepTechnique::drawInputsPage() {
  heading(scene_ ? "Parts of the scene" : "Deep images");
  const std::vector<std::size_t> before = order();
  for (std::size_t place = 0; place < before.size(); ++place) {
    ImGui::PushID(int(before[place]));
    const bool moved = drawInput(place);
    ImGui::PopID();
    if (moved) break;  // the list is another one now
  }
  ImGui::PushTextWrapPos(0);
  if (before.size() > 1)
    textIn(fonts().small, color::kFaint,
           "Merged from top to bottom: at equal depth the upper one is in front. Drag a name to "
           "move it; click it for more.");
  ImGui::PopTextWrapPos();
}

/// One row, and what belongs to it while it is open. True when the order was changed.
bool DeepTechnique::drawInput(std::size_t place) {
  const std::vector<std::size_t> order = this->order();
  const std::size_t input = order[place];
  const std::string name = inputName(input);
  std::vector<InputEdit> edits = this->edits();
  if (switchControl("##visible", edits[input].visible)) setEdits(edits);
  Landmarks::note("input:visible-" + name);
  tooltip("Whether it is merged.");
  ImGui::SameLine(0, px(8));

  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetFrameHeight(), mark = px(9);
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + (side - mark) / 2}, {at.x + mark, at.y + (side + mark) / 2},
      packed(inputTint(input), edits[input].visible ? 1.0f : 0.35f), px(2));
  ImGui::SetCursorScreenPos({at.x + mark + px(7), at.y});
  const float width = ImGui::GetContentRegionAvail().x - 2 * side - px(10);
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, 0.5f});
  ImGui::PushStyleColor(ImGuiCol_Text, edits[input].visible ? color::kText : color::kFaint);
  if (ImGui::Selectable(name.c_str(), openInput_ == input, 0, {width, side}))
    openInput_ = openInput_ == input ? SIZE_MAX : input;
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  Landmarks::note("input:" + name);
  std::size_t to = place;
  if (ImGui::BeginDragDropSource()) {
    ImGui::SetDragDropPayload(kDragged, &place, sizeof place);
    ImGui::TextUnformatted(name.c_str());
    ImGui::EndDragDropSource();
  }
  std::size_t from = place;
  if (ImGui::BeginDragDropTarget()) {
    if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDragged))
      std::memcpy(&from, payload->Data, sizeof from);
    ImGui::EndDragDropTarget();
  }
  ImGui::SameLine(0, px(4));
  if (arrow("##up", ImGuiDir_Up, place > 0, "input:up-" + name)) to = place - 1;
  ImGui::SameLine(0, px(2));
  if (arrow("##down", ImGuiDir_Down, place + 1 < order.size(), "input:down-" + name))
    to = place + 1;
  if (openInput_ == input) {
    ImGui::Indent(px(14));
    drawInputEdit(input);
    drawInputFile(input);
    ImGui::Unindent(px(14));
    ImGui::Dummy({0, px(6)});
  }
  if (from == place && to == place) return false;
  moveInput(from, to);
  return true;
}

void DeepTechnique::moveInput(std::size_t from, std::size_t to) {
  std::vector<std::size_t> order = this->order();
  const std::size_t moved = order[from];
  order.erase(order.begin() + std::ptrdiff_t(from));
  order.insert(order.begin() + std::ptrdiff_t(to), moved);
  setOrder(order);
}

void DeepTechnique::drawInputEdit(std::size_t input) {
  std::vector<InputEdit> edits = this->edits();
  InputEdit& edit = edits[input];
  const auto row = [](const char* label, const char* about) {
    ImGui::AlignTextToFramePadding();
    dimText(label);
    tooltip(about);
    ImGui::SameLine(px(110));
    ImGui::SetNextItemWidth(-1);
  };
  static const std::vector<std::string> roles{"add", "hold out", "hold in"};
  int role = int(edit.role);
  row("Role",
      "add: its fragments are merged. hold out: it takes away what it covers and is not "
      "seen. hold in: only what it covers is left.");
  if (segments("role", role, roles, ImGui::GetContentRegionAvail().x)) edit.role = Role(role);
  const auto number = [&](const char* id, float& value, const char* format, float step) {
    ImGui::DragFloat(id, &value, step, 0, 0, format);
    Landmarks::note(std::string("input:") + (id + 2));
  };
  row("Z offset", "Added to its depths, after scaling. Drag, or double click to type.");
  number("##offset", edit.zOffset, "%.5g", 0.01f);
  row("Z scale", "Its depths are multiplied by it; above 0.");
  number("##scale", edit.zScale, "%.5g", 0.002f);
  if (!(edit.zScale > 0)) edit.zScale = this->edits()[input].zScale;

  const float half = (ImGui::GetContentRegionAvail().x - px(96) - px(6)) / 2;
  const auto end = [&](const char* id, float& z, const char* open) {
    ImGui::SetNextItemWidth(half);
    char text[32];
    std::snprintf(text, sizeof text, "%s", std::isinf(z) ? "" : shortest(z).c_str());
    if (ImGui::InputTextWithHint(id, open, text, sizeof text, ImGuiInputTextFlags_EnterReturnsTrue))
      z = *text ? std::strtof(text, nullptr) : std::copysign(INFINITY, z);
    Landmarks::note(std::string("input:") + (id + 2));
  };
  row("Z range", "What lies outside is dropped; volumes are cut there. Empty: no limit.");
  InputEdit cropped = edit;
  end("##nearest", cropped.nearest, "nearest");
  ImGui::SameLine(0, px(6));
  end("##farthest", cropped.farthest, "farthest");
  if (cropped.nearest <= cropped.farthest) edit = cropped;  // NaN and crossed ends are refused
  if (!(edit == this->edits()[input])) setEdits(edits);
}

void DeepTechnique::drawInputFile(std::size_t input) {
  if (scene_ || input >= inputFiles_.size()) return;
  const InputFile& file = inputFiles_[input];
  if (file.parts.size() > 1) drawInputParts(input);
  fact("Fragments",
       fmt::format("{}, at most {}", file.totals.fragmentCount, file.totals.maxPerPixel));
  fact("In memory", gpu::bytesText(std::int64_t(file.totals.memoryBytes)));
  fact("File", gpu::bytesText(std::int64_t(file.bytes)));
}

/// The deep parts of the file; picking another opens it in place of this one.
void DeepTechnique::drawInputParts(std::size_t input) {
  const InputFile& file = inputFiles_[input];
  ImGui::AlignTextToFramePadding();
  dimText("Part");
  tooltip("The file has several deep parts.");
  ImGui::SameLine(px(110));
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##part", file.part.c_str())) {
    for (const std::string& part : file.parts) {
      if (ImGui::Selectable(part.c_str(), part == file.part) && part != file.part) {
        wish_.inputs = inputs_;
        wish_.inputs[input] = file.path + "#" + part;
      }
      Landmarks::note("part=" + part);
    }
    ImGui::EndCombo();
  }
  Landmarks::note("input:part");
}

}  // namespace fathom::deep
