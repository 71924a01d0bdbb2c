// SPDX-License-Identifier: BSD-3-Clause
// Changing engines, and finding out which settings have changed by comparing their texts.
#include "app/window/document/active_technique.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fathom::viewer {
namespace {

/// Parts that an engine still owns itself.
std::unique_ptr<WindowParts> makeEngineParts(Engine& engine) {
  auto parts = std::make_unique<WindowParts>();
  parts->editing = engine.editing(), parts->playing = engine.playing();
  parts->panels = engine.panels(), parts->tools = engine.tools();
  parts->background = engine.background();
  return parts;
}

}  // namespace

bool ActiveTechnique::adopt(const TechniqueEntry& entry, const std::vector<std::string>& names,
                            std::unique_ptr<LoadedInputs> inputs) {
  const bool same = engine_ && entry_ == &entry;
  std::unique_ptr<Engine> made = same ? nullptr : entry.make();
  Engine& adopting = same ? *engine_ : *made;
  std::optional<Camera> camera;
  if (same && engine_->inputs() == names && engine_->camera()) camera = *engine_->camera();
  const std::vector<std::string> before = adopting.inputs();
  adopting.adopt(std::move(inputs));
  if (same && parts_) parts_->adopted(before);
  if (camera && adopting.camera()) *adopting.camera() = *camera;
  if (same) return false;
  parts_.reset();
  engine_ = std::move(made);
  entry_ = &entry;
  const WindowEntry* const window = windowEntry(entry.info.name);
  parts_ = window ? window->make(*engine_) : makeEngineParts(*engine_);
  parts_->adopted({});
  defaults_ = valuesOf(engine_->settings());
  applied_.clear();
  return true;
}

Effect ActiveTechnique::takeOwnChange() {
  const Effect ofParts = parts_ ? parts_->takeChange() : Effect::None;
  return std::max(ofParts, engine_->takeChange());
}

Effect ActiveTechnique::takeSettingsChange() {
  const std::vector<FieldValue> current = valuesOf(engine_->settings());
  const bool first = applied_.size() != current.size();
  const Effect effect = first ? Effect::Rebuild : effectOf(applied_, current);
  applied_ = current;
  return effect;
}

}  // namespace fathom::viewer
