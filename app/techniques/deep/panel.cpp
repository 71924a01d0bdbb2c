// SPDX-License-Identifier: BSD-3-Clause
// The pages of deep images in the panel: inputs (panel_inputs.cpp) and ways of seeing depth
// (panel_depth.cpp, panel_survey.cpp).
#include "app/techniques/deep/technique.h"

namespace fathom::deep {

std::vector<TechniquePage> DeepTechnique::pages() const {
  return {{"inputs", "Inputs", "What is merged: visibility, order, role, depth; what files hold"},
          {"depth", "Depth", "Peeling, fragments as points in space, fragments per pixel"}};
}

void DeepTechnique::drawPage(const std::string& name) {
  if (!scene_ && images_.empty()) return;
  if (name == "inputs") drawInputsPage();
  if (name == "depth") drawDepthPage();
}

}  // namespace fathom::deep
