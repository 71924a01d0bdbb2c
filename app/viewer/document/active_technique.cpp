// SPDX-License-Identifier: BSD-3-Clause
// Changing engines, and finding out which settings have changed by comparing their texts.
#include "app/viewer/document/active_technique.h"

#include <optional>
#include <utility>

namespace fathom::viewer {

bool ActiveTechnique::adopt(const TechniqueEntry& entry, const std::vector<std::string>& names,
                            std::unique_ptr<LoadedInputs> inputs) {
  const bool same = engine_ && entry_ == &entry;
  std::unique_ptr<Technique> made = same ? nullptr : entry.make();
  Technique& adopting = same ? *engine_ : *made;
  std::optional<Camera> camera;
  if (same && engine_->inputs() == names && engine_->camera()) camera = *engine_->camera();
  adopting.adopt(std::move(inputs));
  if (camera && adopting.camera()) *adopting.camera() = *camera;
  if (same) return false;
  engine_ = std::move(made);
  entry_ = &entry;
  defaults_ = valuesOf(engine_->settings());
  applied_.clear();
  return true;
}

Effect ActiveTechnique::takeSettingsChange() {
  const std::vector<FieldValue> current = valuesOf(engine_->settings());
  const bool first = applied_.size() != current.size();
  const Effect effect = first ? Effect::Rebuild : effectOf(applied_, current);
  applied_ = current;
  return effect;
}

}  // namespace fathom::viewer
