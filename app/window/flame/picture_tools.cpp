// SPDX-License-Identifier: BSD-3-Clause
// The table of keys and gestures; while a film plays, neither mouse nor keys edit.
#include "app/window/flame/picture_tools.h"

#include <utility>

namespace fathom::flame {

bool FlameTools::interact(const PictureInput& input) {
  return !transport_.playing() && tool_.interact(input);
}

void FlameTools::drawOverlay(PictureOverlay& overlay) {
  if (!transport_.playing()) tool_.drawOverlay(overlay);
}

void FlameTools::changeGenome(const std::function<void(Genome&)>& change) {
  if (transport_.playing()) return;
  Genome next = editor_.genome();
  change(next);
  editor_.change(std::move(next));
}

std::vector<TechniqueAction> FlameTools::xformActions() {
  return {
      {"Flames", "Add an xform", "N",
       [this] {
         changeGenome([](Genome& g) { addXform(g); });
         editor_.select(editor_.genome().xforms.size() - 1);
       }},
      {"Flames", "Duplicate the xform", "Ctrl+D",
       [this] {
         if (editor_.selected() >= editor_.genome().xforms.size()) return;
         changeGenome([this](Genome& g) { duplicateXform(g, editor_.selected()); });
         editor_.select(editor_.genome().xforms.size() - 1);
       }},
      {"Flames", "Delete the xform", "Delete",
       [this] {
         changeGenome([this](Genome& g) {
           if (editor_.selected() < g.xforms.size())
             removeXform(g, editor_.selected());
           else
             g.finalXform.reset();
         });
       }},
      {"Flames", "Show or hide triangles", "W", [this] { tool_.triangles = !tool_.triangles; }},
  };
}

std::vector<TechniqueAction> FlameTools::filmActions() {
  const Timeline& timeline = editor_.timeline();
  return {
      {"Film", "Play or stop", "Space", [this] { transport_.play(!transport_.playing()); }},
      {"Film", "Previous frame", "Left", [this] { transport_.goBy(-1); }},
      {"Film", "Next frame", "Right", [this] { transport_.goBy(1); }},
      {"Film", "Previous keyframe", "PgUp",
       [this, &timeline] { transport_.goTo(timeline.timeBefore().value_or(timeline.time())); }},
      {"Film", "Next keyframe", "PgDn",
       [this, &timeline] { transport_.goTo(timeline.timeAfter().value_or(timeline.time())); }},
      {"Film", "Go to the beginning", "Home",
       [this, &timeline] { transport_.goTo(timeline.firstTime()); }},
      {"Film", "Go to the end", "End", [this, &timeline] { transport_.goTo(timeline.lastTime()); }},
      {"Film", "Add a keyframe", "Ctrl+K",
       [this] { editor_.edit([](Timeline& t) { t.addKeyframe(); }); }},
      {"Film", "Delete the keyframe", "Shift+Delete",
       [this] {
         editor_.edit([](Timeline& t) {
           if (t.onKeyframe()) t.removeKeyframe(t.current());
         });
       }},
  };
}

std::vector<TechniqueAction> FlameTools::actions() {
  std::vector<TechniqueAction> list = xformActions();
  for (TechniqueAction& action : filmActions()) list.push_back(std::move(action));
  for (const auto& [text, gesture] :
       {std::pair("Move a corner of a triangle", "Drag"),
        std::pair("Rotate the triangle", "Shift+Drag"),
        std::pair("Scale the triangle", "Ctrl+Drag"), std::pair("Pan", "Drag beside"),
        std::pair("Rotate the camera", "Ctrl+Drag beside"),
        std::pair("Zoom in, zoom out", "Wheel")})
    list.push_back({"Flames", text, gesture, {}});
  return list;
}

}  // namespace fathom::flame
