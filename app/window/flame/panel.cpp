// SPDX-License-Identifier: BSD-3-Clause
// The pages of flames in the window and the strip of the timeline, and what they say where nothing
// can be edited.
#include "app/window/flame/panels.h"
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"

#include <fmt/format.h>
#include <imgui.h>

namespace fathom::flame {
using namespace ui;
namespace {

constexpr float kStripHeight = 124;

/// Says what an edit would do where the playhead stands; true: nothing can be edited.
bool drawEditHint(const TimelineView& view) {
  const Timeline& timeline = view.timeline();
  const bool playing = view.transport.playing();
  const bool edits = timeline.editable() && timeline.onKeyframe() && !playing;
  if (!timeline.open() || edits) return false;
  ImGui::PushTextWrapPos(0);
  const std::string text =
      !timeline.editable()
          ? "This film is made of curves. Film ... makes keyframes of it, which can be edited."
      : playing ? "Nothing can be edited while the film plays."
                : fmt::format("Between keyframes. An edit adds one at {:g}.", timeline.time());
  textIn(fonts().small, color::kSecond, text.c_str());
  ImGui::PopTextWrapPos();
  return !timeline.editable() || playing;
}

/// What the genome asks for and the picture does not have.
void drawLost(const Genome& genome) {
  if (genome.lost.empty()) return;
  std::string text = "Not drawn: ";
  for (const Lost& lost : genome.lost) {
    if (&lost != &genome.lost.front()) text += ", ";
    text += lost.name;
    if (lost.xforms > 1) text += fmt::format(" ({} xforms)", lost.xforms);
  }
  ImGui::PushTextWrapPos(0);
  textIn(fonts().small, color::kSecond, text.c_str());
  ImGui::PopTextWrapPos();
  Landmarks::note("flame:lost");
}

bool widgetIsHeld() { return ImGui::IsAnyItemActive() && !ImGui::GetIO().WantTextInput; }

}  // namespace

std::vector<TechniquePage> FlamePanels::pages() const {
  constexpr auto side = TechniquePage::Place::Side, bottom = TechniquePage::Place::Strip;
  return {{"xforms", "Xforms", "Xforms, their variations, colors and coefs", side},
          {"image", "Image", "Progress, camera, tone, filters", side},
          {"palette", "Palette", "Choose and edit the palette", side},
          {"mutations", "Mutations", "Genomes to pick from", bottom}};
}

void FlamePanels::drawPage(const std::string& name) {
  Editor& editor = view_.editor;
  const bool fixed = drawEditHint(view_);
  if (editor.open()) drawLost(editor.genome());
  ImGui::BeginDisabled(fixed);
  if (name == "xforms") drawXformPage(editor, tool_);
  if (name == "image") drawImagePage(editor, rendering_());
  if (name == "palette") drawPalettePage(editor);
  if (name == "mutations") drawThumbnailPage(editor, thumbnails_, favorites_);
  ImGui::EndDisabled();
  if (name == "image" && editor.open()) drawExport(view_, exports_, choice_);
  editor.widgetHeld(widgetIsHeld());
}

std::optional<TechniqueStrip> FlamePanels::strip() const {
  const Timeline& timeline = view_.timeline();
  return TechniqueStrip{"timeline", "Timeline", "Keyframes, playback, motion", kStripHeight,
                        timeline.open() && timeline.moves()};
}

void FlamePanels::drawStrip() {
  if (!view_.timeline().open()) return;
  drawTimeline(view_);
  view_.editor.widgetHeld(widgetIsHeld());
}

}  // namespace fathom::flame
