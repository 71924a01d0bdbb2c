// SPDX-License-Identifier: BSD-3-Clause
// Which pages there are, the page of inputs (a row per input; the one that is open shows its edits
// and its file), and the strip of a sequence below the picture.
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/gpu/memory_account.h"
#include "app/window/deep/parts.h"
#include "app/window/ui/widgets.h"

#include <imgui_stdlib.h>

namespace fathom::deep {
using namespace ui;

std::vector<TechniquePage> DeepPanels::pages() const {
  return {{"inputs", "Inputs", "Visibility, order, role and depth of each input; what files hold"},
          {"depth", "Depth", "Peeling, fragments as points in space, fragments per pixel"}};
}

void DeepPanels::drawPage(const std::string& name) {
  if (!page_.inputs.isOpen()) return;
  if (name == "inputs") inputsPage_.draw();
  if (name == "depth") drawDepthPage();
}

void DeepPanels::drawDepthPage() {
  page_.surveyor.want();
  static const std::vector<std::string> shows{"picture", "heat-map", "points"};
  int show = int(page_.settings.show);
  if (segments("depth-view", show, shows, ImGui::GetContentRegionAvail().x))
    page_.settings.show = Show(show);
  try {
    peel_.draw();
  } catch (const UsageError& error) {  // typed into the settings
    textIn(fonts().text, color::kError, error.what());
  }
  drawPointsSection(page_);
  drawSurveySection(page_, request_);
}

TechniqueRequest DeepPanels::takeRequest() {
  TechniqueRequest request = inputsPage_.takeRequest();
  request.pixel = std::exchange(request_, {}).pixel;
  return request;
}

std::optional<TechniqueStrip> DeepPanels::strip() const {
  if (page_.frames.frames().empty()) return std::nullopt;
  return TechniqueStrip{"frames", "Frames", "The frames of numbered files", 44, true};
}

void DeepPanels::drawStrip() {
  FramePlayer& player = page_.frames;
  const std::vector<int>& frames = player.frames();
  if (frames.empty()) return;
  if (button(player.isPlaying() ? "Pause" : "Play", "frames:play", {px(64), 0}))
    player.play(!player.isPlaying());
  ImGui::SameLine(0, px(8));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - px(92), height = ImGui::GetFrameHeight();
  int frame = int(player.wanted());
  ImGui::SetNextItemWidth(width);
  if (ImGui::SliderInt("##frame", &frame, 0, int(frames.size()) - 1,
                       fmt::format("frame {}", frames[player.wanted()]).c_str())) {
    player.play(false);
    player.show(std::size_t(frame));
  }
  Landmarks::note("frames:slider");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float step = width / float(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (player.isKept(i))
      draw.AddRectFilled({at.x + step * float(i), at.y + height - px(2)},
                         {at.x + step * float(i + 1), at.y + height}, packed(color::kAccent));
  ImGui::SameLine(0, px(8));
  ImGui::SetNextItemWidth(px(80));
  auto rate = float(player.framesPerSecond());
  if (ImGui::DragFloat("##rate", &rate, 0.1f, 1, 120, "%.3g fps"))
    player.framesPerSecond() = std::max(1.0, double(rate));
  tooltip("Frames per second, as far as reading and drawing keep up.");
  if (!player.complaint().empty()) textIn(fonts().small, color::kError, player.complaint());
}

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

void editRow(const char* label, const char* about) { rowLabel(label, about, 110); }

}  // namespace

void InputsPage::draw() {
  heading(inputs_.scene() ? "Parts of the scene" : "Deep images");
  const std::vector<std::size_t> before = orderOf(settings_, inputs_.count());
  for (std::size_t place = 0; place < before.size(); ++place) {
    ImGui::PushID(int(before[place]));
    const bool moved = drawInput(place);
    ImGui::PopID();
    if (moved) break;  // the list is another one now
  }
  if (before.size() > 1)
    wrappedText(fonts().small, color::kFaint,
                "Merged from top to bottom: at equal depth the upper one is in front. Drag a name "
                "to move it; click it for more.");
  if (saver_.canSave()) drawSaving();
}

void InputsPage::drawSaving() {
  heading("Save merged image");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - px(70));
  ImGui::InputText("##file", &file_);
  Landmarks::note("input:save-as");
  ImGui::SameLine(0, px(6));
  if (button("Save", "input:save", {px(64), 0},
             "A deep EXR with the operations of the settings, as fathom deep merge writes it.",
             !saver_.isBusy())) {
    complaint_.clear();
    try {
      saver_.begin(file_, settings_);
    } catch (const Error& error) {
      complaint_ = error.what();
    }
  }
  if (saver_.isBusy())
    ImGui::ProgressBar(saver_.share());
  else if (!complaint_.empty())
    wrappedText(fonts().small, color::kError, complaint_);
  else if (!saver_.result().empty())
    wrappedText(fonts().small, color::kDim, saver_.result());
}

/// One row, and what belongs to it while it is open. True when the order was changed.
bool InputsPage::drawInput(std::size_t place) {
  const std::vector<std::size_t> order = orderOf(settings_, inputs_.count());
  const std::size_t input = order[place];
  const std::string name = inputs_.nameOf(input);
  std::vector<InputEdit> edits = editsOf(settings_, inputs_.count());
  if (switchControl("input:visible-" + name, edits[input].visible, "Include in the merge."))
    setEdits(settings_, edits);
  ImGui::SameLine(0, px(8));

  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetFrameHeight(), mark = px(9);
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + (side - mark) / 2}, {at.x + mark, at.y + (side + mark) / 2},
      packed(inputTint(input), edits[input].visible ? 1.0f : 0.35f), px(2));
  ImGui::SetCursorScreenPos({at.x + mark + px(7), at.y});
  const bool removable = !inputs_.scene() && order.size() > 1;
  const float width =
      ImGui::GetContentRegionAvail().x - 2 * side - px(10) - (removable ? side + px(2) : 0);
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, 0.5f});
  ImGui::PushStyleColor(ImGuiCol_Text, edits[input].visible ? color::kText : color::kFaint);
  const std::string shown = fitting(fonts().text, name, width);
  if (ImGui::Selectable((shown + "###name").c_str(), open_ == input, 0, {width, side}))
    open_ = open_ == input ? SIZE_MAX : input;
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
  if (shown != name) tooltip(name);
  ImGui::SameLine(0, px(4));
  if (arrow("##up", ImGuiDir_Up, place > 0, "input:up-" + name)) to = place - 1;
  ImGui::SameLine(0, px(2));
  if (arrow("##down", ImGuiDir_Down, place + 1 < order.size(), "input:down-" + name))
    to = place + 1;
  if (removable) {
    ImGui::SameLine(0, px(2));
    if (button("\u00d7", "input:remove-" + name, {side, side}, "Remove this input.")) {
      request_.inputs = inputs_.names();
      request_.inputs.erase(request_.inputs.begin() + std::ptrdiff_t(input));
    }
  }
  if (open_ == input) {
    ImGui::Indent(px(14));
    drawEdit(input);
    drawFile(input);
    ImGui::Unindent(px(14));
    ImGui::Dummy({0, px(6)});
  }
  if (from == place && to == place) return false;
  moveInput(from, to);
  return true;
}

void InputsPage::moveInput(std::size_t from, std::size_t to) {
  std::vector<std::size_t> order = orderOf(settings_, inputs_.count());
  const std::size_t moved = order[from];
  order.erase(order.begin() + std::ptrdiff_t(from));
  order.insert(order.begin() + std::ptrdiff_t(to), moved);
  setOrder(settings_, order);
}

void InputsPage::drawEdit(std::size_t input) {
  std::vector<InputEdit> edits = editsOf(settings_, inputs_.count());
  InputEdit& edit = edits[input];
  const InputEdit before = edit;
  static const std::vector<std::string> roles{"add", "hold out", "hold in"};
  int role = int(edit.role);
  editRow("Role",
          "add: its fragments are merged. hold out: it takes away what it covers and is not "
          "seen. hold in: only what it covers is left.");
  if (segments("role", role, roles, ImGui::GetContentRegionAvail().x)) edit.role = Role(role);
  const auto number = [&](const char* id, float& value, const char* format, float step) {
    ImGui::DragFloat(id, &value, step, 0, 0, format);
    Landmarks::note(std::string("input:") + (id + 2));
  };
  editRow("Z offset", "Added to its depths, after scaling. Drag, or double click to type.");
  number("##offset", edit.zOffset, "%.5g", 0.01f);
  editRow("Z scale", "Its depths are multiplied by it; above 0.");
  number("##scale", edit.zScale, "%.5g", 0.002f);
  if (!(edit.zScale > 0)) edit.zScale = before.zScale;

  drawZRange(edit);
  drawIds(edit);
  if (!(edit == before)) setEdits(settings_, edits);
}

/// Only where there are IDs to choose from.
void InputsPage::drawIds(InputEdit& edit) {
  if (!hasIds(inputs_.header(FragmentFormat::Half).channels)) return;
  editRow("IDs",
          "Only fragments with these: numbers or names, with * and ?, | between. Empty: all.");
  std::string text = edit.ids;
  if (ImGui::InputTextWithHint("##ids", "all", &text, ImGuiInputTextFlags_EnterReturnsTrue) &&
      text.find(',') == std::string::npos)
    edit.ids = text;
  Landmarks::note("input:ids");
}

void InputsPage::drawZRange(InputEdit& edit) {
  const float half = (ImGui::GetContentRegionAvail().x - px(96) - px(6)) / 2;
  const auto end = [&](const char* id, float& z, const char* open) {
    ImGui::SetNextItemWidth(half);
    std::string text = std::isinf(z) ? "" : shortest(z);
    if (ImGui::InputTextWithHint(id, open, &text, ImGuiInputTextFlags_EnterReturnsTrue))
      z = text.empty() ? std::copysign(INFINITY, z) : std::strtof(text.c_str(), nullptr);
    Landmarks::note(std::string("input:") + (id + 2));
  };
  editRow("Z range", "Fragments outside are dropped, volumes are cut there. Empty: no limit.");
  InputEdit cropped = edit;
  end("##nearest", cropped.nearest, "nearest");
  ImGui::SameLine(0, px(6));
  end("##farthest", cropped.farthest, "farthest");
  if (cropped.nearest <= cropped.farthest) edit = cropped;  // NaN and crossed ends are refused
}

void InputsPage::drawFile(std::size_t input) {
  if (!inputs_.file(input)) return;
  const InputFile& file = *inputs_.file(input);
  if (file.parts.size() > 1) drawParts(input);
  if (file.totals.memoryBytes > 0) {
    fact("Fragments", 110,
         fmt::format("{} (max. {} per pixel)", grouped(file.totals.fragmentCount),
                     grouped(file.totals.maxPerPixel)));
    fact("In memory", 110, gpu::bytesText(std::int64_t(file.totals.memoryBytes)));
  } else if (input < inputs_.images().size()) {  // flat: made deep when it was opened
    fact("Fragments", 110,
         fmt::format("{} (one per pixel)", grouped(inputs_.images()[input].fragmentCount())));
  }
  fact("File", 110, gpu::bytesText(std::int64_t(file.bytes)));
}

/// The deep parts of the file; picking another opens it in place of this one.
void InputsPage::drawParts(std::size_t input) {
  const InputFile& file = *inputs_.file(input);
  editRow("Part", "The file has several deep parts.");
  if (ImGui::BeginCombo("##part", file.part.c_str())) {
    for (const std::string& part : file.parts) {
      if (ImGui::Selectable(part.c_str(), part == file.part) && part != file.part) {
        request_.inputs = inputs_.names();
        request_.inputs[input] = file.path + "#" + part;
      }
      Landmarks::note("part=" + part);
    }
    ImGui::EndCombo();
  }
  Landmarks::note("input:part");
}

}  // namespace fathom::deep
