// SPDX-License-Identifier: BSD-3-Clause
// The pages by name, and the turn: pictures come at most 30 times a second, and each waits until
// the modes have been measured on the one before while their page is open.
#include "app/window/active_pixel/parts.h"

#include "app/window/active_pixel/pages.h"

namespace fathom::active_pixel {
namespace {

constexpr double kTurnSeconds = 1.0 / 30;  // no picture of a turning scene comes sooner

}  // namespace

ActivePixelWindowParts::ActivePixelWindowParts(ActivePixelEngine& engine)
    : engine_(engine), meter_(engine) {
  panels = this;
  playing = this;
  background = &meter_;
}

std::vector<TechniquePage> ActivePixelWindowParts::pages() const {
  return {{"parts", "Parts", "Each part in numbers", TechniquePage::Place::Strip},
          {"modes", "Modes", "Three ways to the host, measured on this scene",
           TechniquePage::Place::Side}};
}

void ActivePixelWindowParts::drawPage(const std::string& name) {
  if (name == "parts") drawPartsPage(engine_.composite().ranks(), engine_.frame().size);
  if (name == "modes") {
    meter_.pageDrawn();
    drawModesPage(meter_.history(), engine_.settingsStruct().turn);
  }
}

void ActivePixelWindowParts::advance() {
  const LocalComposite& composite = engine_.composite();
  if (!engine_.view().turning() || !composite.complete() || composite.pictures() == 0) return;
  if (meter_.behind()) return;
  if (turned_ && turned_->seconds() < kTurnSeconds) return;
  turned_.emplace();
  engine_.camera()->orbit(glm::radians(kStepDeg), 0);
}

std::unique_ptr<WindowParts> makeWindowParts(Engine& engine) {
  return std::make_unique<ActivePixelWindowParts>(dynamic_cast<ActivePixelEngine&>(engine));
}

}  // namespace fathom::active_pixel
