// SPDX-License-Identifier: BSD-3-Clause
// Which pages there are, the page of inputs (a row per input; the one that is open shows its file),
// and the strip of a sequence below the picture.
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/gpu/memory_account.h"
#include "app/window/deep/parts.h"
#include "app/window/ui/widgets.h"

namespace fathom::deep {
using namespace ui;

std::vector<TechniquePage> DeepWindowParts::pages() const {
  return {{"inputs", "Inputs", "Visibility and order of inputs, what is done with them, files"},
          {"depth", "Depth", "Peeling, fragments as points in space, fragments per pixel"}};
}

void DeepWindowParts::drawPage(const std::string& name) {
  if (!engine_.opened().isOpen()) return;
  if (name == "inputs") inputsPage_.draw();
  if (name == "depth") drawDepthPage();
}

void DeepWindowParts::drawDepthPage() {
  surveyor_.want();
  static const std::vector<std::string> shows{"picture", "heat-map", "points"};
  Show& shown = engine_.settingsStruct().show;
  int show = int(shown);
  if (segments("depth-view", show, shows, ImGui::GetContentRegionAvail().x)) shown = Show(show);
  try {
    peel_.draw();
  } catch (const UsageError& error) {  // typed into the settings
    textIn(fonts().text, color::kError, error.what());
  }
  drawPointsSection();
  drawSurveySection();
}

std::optional<TechniqueStrip> DeepWindowParts::strip() const {
  if (frames_.frames().empty()) return std::nullopt;
  return TechniqueStrip{"frames", "Frames", "The frames of numbered files", 44, true};
}

void DeepWindowParts::drawStrip() {
  FramePlayer& player = frames_;
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

ImVec4 inputTint(std::size_t input) {
  const glm::vec3 c = inputColors()[input % inputColors().size()];
  return fromLinear(c.r, c.g, c.b);
}

}  // namespace

RowEdit listRow(const std::string& list, const std::string& key, const std::string& text,
                std::size_t place, std::size_t count, const RowLook& look) {
  RowEdit edit{place, place};
  const float side = ImGui::GetFrameHeight();
  const float width =
      ImGui::GetContentRegionAvail().x - 2 * side - px(10) - (look.removable ? side + px(2) : 0);
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, 0.5f});
  ImGui::PushStyleColor(ImGuiCol_Text, look.on ? color::kText : color::kFaint);
  const std::string shown = fitting(fonts().text, text, width);
  edit.picked = ImGui::Selectable((shown + "###name").c_str(), look.open, 0, {width, side});
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  Landmarks::note(list + ":" + key);
  if (ImGui::BeginDragDropSource()) {
    ImGui::SetDragDropPayload(list.c_str(), &place, sizeof place);
    ImGui::TextUnformatted(shown.c_str());
    ImGui::EndDragDropSource();
  }
  if (ImGui::BeginDragDropTarget()) {
    if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(list.c_str()))
      std::memcpy(&edit.from, payload->Data, sizeof edit.from);
    ImGui::EndDragDropTarget();
  }
  if (shown != text) tooltip(text);
  const auto arrow = [&](const char* word, ImGuiDir direction, bool possible, std::size_t to) {
    ImGui::SameLine(0, px(word[0] == 'u' ? 4 : 2));
    ImGui::BeginDisabled(!possible);
    if (ImGui::ArrowButton(word, direction)) edit.to = to;
    ImGui::EndDisabled();
    Landmarks::note(list + ":" + word + "-" + key);
  };
  arrow("up", ImGuiDir_Up, place > 0, place - 1);
  arrow("down", ImGuiDir_Down, place + 1 < count, place + 1);
  if (!look.removable) return edit;
  ImGui::SameLine(0, px(2));
  edit.removed = button("\u00d7", list + ":remove-" + key, {side, side}, "Remove it.");
  return edit;
}

void InputsPage::draw() {
  heading(inputs_.scene() ? "Parts of the scene" : "Deep images");
  const std::vector<std::size_t> before = orderOf(settings_, inputs_.openedCount());
  for (std::size_t place = 0; place < before.size(); ++place) {
    const IdScope scope{int(before[place])};
    if (drawInput(place)) break;  // the list is another one now
  }
  if (before.size() > 1)
    wrappedText(fonts().small, color::kFaint,
                "Merged from top to bottom: at equal depth the upper one is in front. Drag a name "
                "to move it; click it for more.");
  steps_.draw(open_);
}

/// One row, and what belongs to it while it is open. True when the order was changed.
bool InputsPage::drawInput(std::size_t place) {
  std::vector<std::size_t> order = orderOf(settings_, inputs_.openedCount());
  const std::size_t input = order[place];
  const std::string name = inputs_.nameOf(input);
  std::vector<InputEdit> edits = editsOf(settings_, order.size());
  bool& visible = edits[input].visible;
  if (switchControl("input:visible-" + name, visible, "Include in the merge."))
    setEdits(settings_, edits);
  ImGui::SameLine(0, px(8));

  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetFrameHeight(), mark = px(9);
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + (side - mark) / 2}, {at.x + mark, at.y + (side + mark) / 2},
      packed(inputTint(input), visible ? 1.0f : 0.35f), px(2));
  ImGui::SetCursorScreenPos({at.x + mark + px(7), at.y});
  const RowEdit row = listRow("input", name, name, place, order.size(),
                              {open_ == input, visible, !inputs_.scene() && order.size() > 1});
  if (row.picked) open_ = open_ == input ? SIZE_MAX : input;
  if (row.removed) {
    request_.inputs = inputs_.names();
    request_.inputs.erase(request_.inputs.begin() + std::ptrdiff_t(input));
  }
  if (open_ == input) {
    ImGui::Indent(px(14));
    drawFile(input);
    ImGui::Unindent(px(14));
    ImGui::Dummy({0, px(6)});
  }
  if (!row.moves()) return false;
  row.move(order);
  setOrder(settings_, order);
  return true;
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
  } else if (input < inputs_.openedImages().size()) {  // flat: made deep when it was opened
    fact("Fragments", 110,
         fmt::format("{} (one per pixel)", grouped(inputs_.openedImages()[input].fragmentCount())));
  }
  fact("File", 110, gpu::bytesText(std::int64_t(file.bytes)));
}

/// The deep parts of the file; picking another opens it in place of this one.
void InputsPage::drawParts(std::size_t input) {
  const InputFile& file = *inputs_.file(input);
  rowLabel("Part", "The file has several deep parts.", 110);
  const auto picked = pickFrom("input:part", file.parts, file.part);
  if (!picked || file.parts[*picked] == file.part) return;
  request_.inputs = inputs_.names();
  request_.inputs[input] = file.path + "#" + file.parts[*picked];
}

}  // namespace fathom::deep
