// SPDX-License-Identifier: BSD-3-Clause
// The pages of SMoE in the window, and its keys.
#include "app/techniques/smoe/technique.h"

namespace fathom::smoe {

std::vector<TechniquePage> SmoeTechnique::pages() const {
  using Place = TechniquePage::Place;
  return {{"model", "Model", "The view, lists and their certificate, bit depth", Place::Side},
          {"fit", "Fit", "Fit a model to a picture, views or a scene; save it", Place::Side}};
}

void SmoeTechnique::drawPage(const std::string& name) {
  if (!model_) return;
  if (name == "model") drawModelPage();
  if (name == "fit") drawFitPage();
}

std::vector<TechniqueAction> SmoeTechnique::actions() {
  return {
      {"SMoE", "Ellipses of the components, and without", "E",
       [this] { settings_.ellipses = !settings_.ellipses; }},
      {"SMoE", "Go round the views by itself, play a video", "O",
       [this] { settings_.orbit = !settings_.orbit; }},
      {"SMoE", "The whole model, the view in the middle", "Home",
       [this] { settings_.window.clear(), settings_.view.clear(); }},
      {"SMoE", "Decode nearer, farther", "Wheel", {}},
      {"SMoE", "Move the part that is shown", "Drag, Middle drag", {}},
      {"SMoE", "Move the view, the frame", "Drag", {}},
  };
}

}  // namespace fathom::smoe
