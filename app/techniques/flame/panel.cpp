// SPDX-License-Identifier: BSD-3-Clause
// The pages of flames in the window, and which controls are held.
#include "app/techniques/flame/editing.h"
#include "app/techniques/flame/panels.h"
#include "app/techniques/flame/technique.h"

#include <imgui.h>

namespace fathom::flame {

std::vector<TechniquePage> FlameTechnique::pages() const {
  using Place = TechniquePage::Place;
  return {{"xforms", "Xforms", "Xforms, their variations, colors and coefs", Place::Side},
          {"image", "Image", "Progress, camera, tone, filters", Place::Side},
          {"palette", "Palette", "Choose and edit the palette", Place::Side},
          {"mutations", "Mutations", "Genomes to pick from", Place::Strip}};
}

void FlameTechnique::drawPage(const std::string& name) {
  if (name == "xforms") drawXformPage(editor_);
  if (name == "image") drawImagePage(editor_, rendering());
  if (name == "palette") drawPalettePage(editor_);
  if (name == "mutations") drawOffers(editor_);
  editor_.widgetHeld(ImGui::IsAnyItemActive() && !ImGui::GetIO().WantTextInput);
}

std::vector<TechniqueAction> FlameTechnique::actions() {
  const auto edit = [this](auto&& change) {
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
      {"Flames", "Move a corner of a triangle", "Drag", {}},
      {"Flames", "Turn the triangle", "Shift+Drag", {}},
      {"Flames", "Stretch the triangle", "Ctrl+Drag", {}},
      {"Flames", "Move the camera", "Drag beside", {}},
      {"Flames", "Turn the camera", "Ctrl+Drag beside", {}},
      {"Flames", "Nearer, farther", "Wheel", {}},
  };
}

}  // namespace fathom::flame
