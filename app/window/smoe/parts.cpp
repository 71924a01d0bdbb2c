// SPDX-License-Identifier: BSD-3-Clause
// How the parts follow the engine's fit, and saving its model.
#include "app/window/smoe/parts.h"

namespace fathom::smoe {
SmoeWindowParts::SmoeWindowParts(SmoeEngine& owner) : engine(owner), mouse(owner) {
  editing = this, panels = this, background = this;
  playing = &mouse, tools = &mouse;
  anySize = true;
}

void SmoeWindowParts::adopted(const std::vector<std::string>& /*before*/) { checks.drop(); }

// ---- The fit

bool SmoeWindowParts::backgroundStep(gpu::Context& gpu, double budgetMs) {
  mouse.orbit();
  engine.fit().work(gpu, budgetMs);
  followFit(gpu);
  const bool checking = checks.work(gpu, budgetMs);
  for (std::size_t i = 0; i < checks.files().size(); ++i)
    engine.models().offer(Encoding(i), checks.files()[i]);
  return checking || engine.source().busy() || engine.fit().running() || mouse.animated();
}

void SmoeWindowParts::followFit(gpu::Context& gpu) {
  FitJob& fit = engine.fit();
  if (std::exchange(fits_, fit.begun()) != fit.begun()) checks.drop();
  if (std::exchange(heatOf_, fit.shown()) != fit.shown())
    if (const gpu::Texture* error = fit.errorMap()) heat.draw(gpu, *error);
  if (fit.state() != FitJob::State::Done) return;
  // What it is worth as a file.
  if (std::exchange(measured_, fit.generation()) != fit.generation())
    checks.askCosts(engine.models().current(),
                    engine.source().matches() ? engine.source().ready() : nullptr,
                    ViewCoordinates(0), double(engine.settingsStruct().packingLoss));
}

// ---- Saving

std::optional<TechniqueFile> SmoeWindowParts::savable() const {
  if (!engine.models()) return std::nullopt;
  return TechniqueFile{"model", {".smoe"}, engine.models().suggestion()};
}

std::string SmoeWindowParts::content() const {
  if (!engine.models()) return {};
  const EncodedModel encoded = encode(*engine.models(), Encoding::F32);
  return {reinterpret_cast<const char*>(encoded.bytes.data()), encoded.bytes.size()};
}

void SmoeWindowParts::recover(const std::string& file) {
  Progress progress;
  engine.models().replace(std::make_shared<const Model>(readModel(file, progress)));
}

using Kept = std::pair<std::shared_ptr<const Model>, std::string>;

std::any SmoeWindowParts::keep() {
  if (!unsaved()) return {};
  return Kept(engine.models().current(), engine.models().suggestion());
}

void SmoeWindowParts::restore(std::any kept) {
  auto& [model, suggestion] = std::any_cast<Kept&>(kept);
  engine.models().replace(std::move(model));
  engine.models().suggest(std::move(suggestion));
}

// ---- Pages

std::vector<TechniquePage> SmoeWindowParts::pages() const {
  using Place = TechniquePage::Place;
  return {{"model", "Model", "The view, lists and their certificate", Place::Side},
          {"fit", "Train", "Train a model on an image, views or a scene; save it", Place::Side}};
}

void SmoeWindowParts::drawPage(const std::string& name) {
  if (!engine.models()) return;
  if (name == "model") drawModelPage(*this);
  if (name == "fit") drawFitPage(*this);
}

}  // namespace fathom::smoe
