// SPDX-License-Identifier: BSD-3-Clause
// What the user moves while an engine works: its settings and its camera. Work that is left in its
// middle goes on with those that it was begun with.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/scene/camera.h"
#include "app/engine/engine.h"

#include <optional>
#include <vector>

namespace fathom::viewer {

struct EngineState {
  std::vector<FieldValue> values;
  std::optional<Camera> camera;
  bool operator==(const EngineState&) const = default;
};

EngineState stateOf(Engine& engine);

/// While one lives, the engine works with another state; then its own comes back. Values and camera
/// are those of this engine, from stateOf().
class OtherState {
 public:
  OtherState(Engine& engine, const EngineState& other);
  ~OtherState();
  OtherState(const OtherState&) = delete;
  OtherState& operator=(const OtherState&) = delete;

 private:
  Engine& engine_;
  std::optional<EngineState> own_;  // none: it is the other one
};

}  // namespace fathom::viewer
