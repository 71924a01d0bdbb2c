// SPDX-License-Identifier: BSD-3-Clause
// The pages of flames in the window, and which controls are held.
#include "app/techniques/flame/editing.h"
#include "app/techniques/flame/panels.h"
#include "app/techniques/flame/technique.h"

#include "app/ui/theme.h"

#include <fmt/format.h>
#include <imgui.h>

namespace fathom::flame {
using namespace ui;

std::vector<TechniquePage> FlameTechnique::pages() const {
  using Place = TechniquePage::Place;
  return {{"xforms", "Xforms", "Xforms, their variations, colors and coefs", Place::Side},
          {"image", "Image", "Progress, camera, tone, filters", Place::Side},
          {"palette", "Palette", "Choose and edit the palette", Place::Side},
          {"mutations", "Mutations", "Genomes to pick from", Place::Strip}};
}

namespace {

/// What an edit would do where the playhead stands; true: there can be none.
bool drawPlace(FlameTechnique& flame) {
  const Timeline& timeline = flame.timeline();
  const bool playing = flame.playback().playing();
  const bool edits = timeline.editable() && timeline.onKeyframe() && !playing;
  if (!timeline.open() || edits) return false;
  ImGui::PushTextWrapPos(0);
  const std::string text =
      !timeline.editable()
          ? "This film is made of curves. Film ... makes keyframes of it, which can be edited."
      : playing ? "While it is played, nothing can be edited."
                : fmt::format("Between keyframes. An edit makes one at {:g}.", timeline.time());
  textIn(fonts().small, color::kSecond, text.c_str());
  ImGui::PopTextWrapPos();
  return !timeline.editable() || playing;
}

}  // namespace

void FlameTechnique::drawPage(const std::string& name) {
  const bool fixed = drawPlace(*this);
  ImGui::BeginDisabled(fixed);
  if (name == "xforms") drawXformPage(editor_);
  if (name == "image") drawImagePage(editor_, rendering());
  if (name == "palette") drawPalettePage(editor_);
  if (name == "mutations") drawOffers(editor_);
  ImGui::EndDisabled();
  editor_.widgetHeld(ImGui::IsAnyItemActive() && !ImGui::GetIO().WantTextInput);
}

std::vector<TechniqueAction> FlameTechnique::actions() {
  const auto edit = [this](auto&& change) {
    if (playback_.playing()) return;
    Genome next = genome();
    change(next);
    editor_.change(std::move(next));
  };
  return {
      {"Flames", "A new xform", "N",
       [=, this] {
         edit([](Genome& g) { addXform(g); });
         editor_.select(genome().xforms.size() - 1);
       }},
      {"Flames", "Copy the xform", "Ctrl+D",
       [=, this] {
         if (editor_.selected() >= genome().xforms.size()) return;
         edit([this](Genome& g) { duplicateXform(g, editor_.selected()); });
         editor_.select(genome().xforms.size() - 1);
       }},
      {"Flames", "Take the xform away", "Delete",
       [=, this] {
         edit([this](Genome& g) {
           if (editor_.selected() < g.xforms.size())
             removeXform(g, editor_.selected());
           else
             g.finalXform.reset();
         });
       }},
      {"Flames", "Triangles, and without", "W", [this] { editor_.triangles = !editor_.triangles; }},
      {"Film", "Play, and stop", "Space", [this] { play(!playback_.playing()); }},
      {"Film", "A frame back", "Left", [this] { goBy(-1); }},
      {"Film", "A frame on", "Right", [this] { goBy(1); }},
      {"Film", "To the keyframe before", "PgUp",
       [this] { goTo(timeline_.timeBefore().value_or(timeline_.time())); }},
      {"Film", "To the next keyframe", "PgDn",
       [this] { goTo(timeline_.timeAfter().value_or(timeline_.time())); }},
      {"Film", "To the beginning", "Home", [this] { goTo(timeline_.firstTime()); }},
      {"Film", "To the end", "End", [this] { goTo(timeline_.lastTime()); }},
      {"Film", "A keyframe of what is shown", "Ctrl+K",
       [this] { editor_.edit([](Timeline& t) { t.addKeyframe(); }); }},
      {"Film", "Take the keyframe away", "Shift+Delete",
       [this] {
         editor_.edit([](Timeline& t) {
           if (t.onKeyframe()) t.removeKeyframe(t.current());
         });
       }},
      {"Flames", "Move a corner of a triangle", "Drag", {}},
      {"Flames", "Turn the triangle", "Shift+Drag", {}},
      {"Flames", "Stretch the triangle", "Ctrl+Drag", {}},
      {"Flames", "Move the camera", "Drag beside", {}},
      {"Flames", "Turn the camera", "Ctrl+Drag beside", {}},
      {"Flames", "Nearer, farther", "Wheel", {}},
  };
}

}  // namespace fathom::flame
