// SPDX-License-Identifier: BSD-3-Clause
// Which pages there are, and the order of sections on the page Depth.
#include "app/window/deep/panels.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::deep {

std::vector<TechniquePage> DeepPanels::pages() const {
  return {{"inputs", "Inputs", "What is merged: visibility, order, role, depth; what files hold"},
          {"depth", "Depth", "Peeling, fragments as points in space, fragments per pixel"},
          {"ranks", "Ranks", "What compositing over many machines would send, and how right it is"}};
}

void DeepPanels::drawPage(const std::string& name) {
  if (!page_.inputs.isOpen()) return;
  if (name == "inputs") inputsPage_.draw();
  if (name == "depth") drawDepthPage();
  if (name == "ranks") drawRanksPage(page_);
}

void DeepPanels::drawDepthPage() {
  page_.surveyor.want();
  static const std::vector<std::string> shows{"picture", "heat-map", "points"};
  int show = int(page_.settings.show);
  if (ui::segments("depth-view", show, shows, ImGui::GetContentRegionAvail().x))
    page_.settings.show = Show(show);
  try {
    peel_.draw();
  } catch (const UsageError& error) {  // typed into the settings
    ui::textIn(ui::fonts().text, ui::color::kError, error.what());
  }
  if (drawPointsSection(page_)) change_ = Effect::Rebuild;
  drawSurveySection(page_, request_);
}

TechniqueRequest DeepPanels::takeRequest() {
  TechniqueRequest request = inputsPage_.takeRequest();
  request.pixel = std::exchange(request_, {}).pixel;
  return request;
}

}  // namespace fathom::deep
