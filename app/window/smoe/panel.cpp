// SPDX-License-Identifier: BSD-3-Clause
// The list of pages, and which function draws which.
#include "app/window/smoe/panel.h"

namespace fathom::smoe {

std::vector<TechniquePage> SmoePanels::pages() const {
  using Place = TechniquePage::Place;
  return {{"model", "Model", "The view, lists and their certificate, bit depth", Place::Side},
          {"fit", "Fit", "Fit a model to a picture, views or a scene; save it", Place::Side}};
}

void SmoePanels::drawPage(const std::string& name) {
  if (!page_.models) return;
  if (name == "model") drawModelPage(page_);
  if (name == "fit") drawFitPage(page_);
}

}  // namespace fathom::smoe
