// SPDX-License-Identifier: BSD-3-Clause
// The technique that shows what is open, null until the first inputs have been read: its engine,
// its facets, and its settings as they were when the engine was made and when they were last
// applied.
#pragma once

#include "app/window/parts.h"
#include "app/engine/engine.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::viewer {

class ActiveTechnique {
 public:
  explicit operator bool() const { return engine_ != nullptr; }
  Engine* engine() { return engine_.get(); }
  const Engine* engine() const { return engine_.get(); }
  const TechniqueEntry* entry() const { return entry_; }
  bool hasCamera() const { return engine_ && engine_->camera() != nullptr; }

  /// Null when the technique has no parts, or when there is none.
  const WindowParts* parts() const { return parts_.get(); }
  /// The parts; null when the technique has none of this kind, or when there is none.
  Editing* editing() const { return parts_ ? parts_->editing : nullptr; }
  Playing* playing() const {
    return parts_ && parts_->playing ? parts_->playing : engine_ ? engine_->playing() : nullptr;
  }
  Panels* panels() const { return parts_ ? parts_->panels : nullptr; }
  PictureTools* tools() const { return parts_ ? parts_->tools : nullptr; }
  Background* background() const { return parts_ ? parts_->background : nullptr; }

  /// Hands inputs to the engine, or to a new one when `entry` is another technique's; true when one
  /// was made. The same inputs read again are seen from the same camera. Throws what the engine
  /// throws; everything stays as it was then.
  bool adopt(const TechniqueEntry& entry, const std::vector<std::string>& names,
             std::unique_ptr<LoadedInputs> inputs);

  /// The settings as they were when the engine was made.
  const std::vector<FieldValue>& defaults() const { return defaults_; }
  /// What parts and engine have changed by themselves since the last call.
  Effect takeOwnChange();
  /// What the settings changed since the last call ask for; Rebuild the first time.
  Effect takeSettingsChange();

 private:
  const TechniqueEntry* entry_ = nullptr;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<WindowParts> parts_;  // of the engine, and gone before it
  std::vector<FieldValue> defaults_, applied_;
};

}  // namespace fathom::viewer
