// SPDX-License-Identifier: BSD-3-Clause
// The parts, and what goes from one to the other: a frame that is due ends saving and is adopted.
#include "app/window/deep/parts.h"

namespace fathom::deep {

DeepWindowParts::DeepWindowParts(DeepEngine& engine)
    : engine_(engine),
      surveyor_(engine.bands(), engine.setup(), [&engine] { return engine.isIdle(); }),
      saver_(engine.opened()),
      ranks_(engine),
      tool_(engine.settingsStruct(), engine.opened(), engine.points(), engine.inspection()),
      panels_({engine.settingsStruct(), engine.opened(), engine.points(), surveyor_, tool_, saver_,
               frames_, ranks_}) {
  playing = &frames_;
  panels = &panels_;
  tools = &tool_;
  background = this;
}

void DeepWindowParts::adopted(const std::vector<std::string>&) {
  saver_.stop();
  const Inputs& inputs = engine_.opened();
  const bool areFiles = !inputs.scene() && !inputs.streamed();
  frames_.open(areFiles ? inputs.names() : std::vector<std::string>());
}

Effect DeepWindowParts::takeChange() {
  Effect change = panels_.takeChange();
  if (ranks_.takeChange()) change = std::max(change, Effect::Redraw);
  const std::shared_ptr<const Loaded> frame = frames_.take();
  if (!frame) return change;
  saver_.stop();
  engine_.adoptFrame(*frame);
  return Effect::Rebuild;
}

bool DeepWindowParts::backgroundStep(gpu::Context& gpu, double budgetMs) {
  if (saver_.isBusy()) return saver_.step(budgetMs) || true;
  const bool surveys = surveyor_.step(gpu);
  return ranks_.backgroundStep(gpu) || surveys;
}

std::unique_ptr<WindowParts> makeWindowParts(Engine& engine) {
  return std::make_unique<DeepWindowParts>(dynamic_cast<DeepEngine&>(engine));
}

}  // namespace fathom::deep
