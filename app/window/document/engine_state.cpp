// SPDX-License-Identifier: BSD-3-Clause
// Settings are set by their texts. Which camera an engine has may depend on them, so they come
// first.
#include "app/window/document/engine_state.h"

namespace fathom::viewer {
namespace {

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

OtherState::OtherState(Engine& engine, const EngineState& other) : engine_(engine) {
  EngineState own = stateOf(engine);
  if (own == other) return;
  try {
    assume(engine, other, own);
  } catch (...) {
    assume(engine, own, stateOf(engine));
    throw;
  }
  own_ = std::move(own);
}

OtherState::~OtherState() {
  if (own_) assume(engine_, *own_, stateOf(engine_));
}

}  // namespace fathom::viewer
