// SPDX-License-Identifier: BSD-3-Clause
// Changing engines and their states, and a fiber for the engine where passes can be cut.
#include "app/window/document/active_technique.h"

#include "app/engine/gpu/context.h"

namespace fathom::viewer {
namespace {

constexpr double kUnlimitedMs = std::numeric_limits<double>::infinity();
constexpr double kSliceMs = 15, kSoftwareSliceMs = 30;

/// Settings are set by their texts. Which camera an engine has may depend on them, so they come
/// first.
void assume(Engine& engine, const EngineState& state, const EngineState& before) {
  for (std::size_t i = 0; i < state.values.size(); ++i)
    if (i >= before.values.size() || !(before.values[i] == state.values[i]))
      assign(engine.settings(), state.values[i].name, state.values[i].text);
  if (Camera* const camera = engine.camera(); camera && state.camera) *camera = *state.camera;
}

}  // namespace

EngineState stateOf(Engine& engine) {
  EngineState state{valuesOf(engine.settings()), {}};
  if (const Camera* const camera = engine.camera()) state.camera = *camera;
  return state;
}

void setState(Engine& engine, const EngineState& state) { assume(engine, state, stateOf(engine)); }

ScopedState::ScopedState(Engine& engine, const EngineState& other) : engine_(engine) {
  EngineState own = stateOf(engine);
  if (own == other) return;
  try {
    assume(engine, other, own);
  } catch (...) {
    setState(engine, own);
    throw;
  }
  own_ = std::move(own);
}

ScopedState::~ScopedState() {
  if (own_) setState(engine_, *own_);
}

bool ActiveTechnique::adopt(const TechniqueEntry& entry, const std::vector<std::string>& names,
                            std::unique_ptr<LoadedInputs> inputs) {
  const bool same = engine_ && entry_ == &entry;
  std::unique_ptr<Engine> made = same ? nullptr : entry.make();
  Engine& adopting = same ? *engine_ : *made;
  std::optional<Camera> camera;
  if (same && engine_->inputs() == names && engine_->camera()) camera = *engine_->camera();
  const std::vector<std::string> before = adopting.inputs();
  adopting.adopt(std::move(inputs));
  if (same) parts_->adopted(before);
  if (camera && adopting.camera()) *adopting.camera() = *camera;
  if (same) return false;
  parts_ = std::make_unique<WindowParts>();
  engine_ = std::move(made);
  entry_ = &entry;
  if (const WindowEntry* const window = windowEntry(entry.info.name))
    parts_ = window->make(*engine_);
  parts_->adopted({});
  defaults_ = valuesOf(engine_->settings());
  return true;
}

std::optional<Engine::Working> ActiveTechnique::working() {
  auto own = parts_->working();
  return own ? own : engine_->working();
}

double EngineSlices::sliceMs() const {
  return gpu_.device().software ? kSoftwareSliceMs : kSliceMs;
}

Frame EngineSlices::step(Engine& engine, const EngineState* begunWith) {
  const double ownMs = begunWith ? kUnlimitedMs : sliceMs();
  if (!gpu_.device().software) return engine.step(gpu_, ownMs);
  std::optional<ScopedState> begun;
  if (begunWith && suspended()) begun.emplace(engine, *begunWith);
  if (!slice_.pending())
    slice_.start([this, &engine, ownMs] { frame_ = engine.step(gpu_, ownMs); });
  gpu_.finish();  // what the window has drawn is not the slice's time
  if (slice_.resume(sliceMs())) return frame_;
  Frame unfinished = engine.frame();
  unfinished.partial = true;
  return unfinished;
}

void EngineSlices::stepBackground() {
  try {
    if (!slice_.pending()) slice_.start(background_);
    if (slice_.resume(sliceMs())) background_ = nullptr;
  } catch (...) {
    background_ = nullptr;
    throw;
  }
}

}  // namespace fathom::viewer
