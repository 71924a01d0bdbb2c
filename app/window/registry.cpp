// SPDX-License-Identifier: BSD-3-Clause
// What the window shows of each technique: one line each.
#include "app/engine/flame/engine.h"
#include "app/window/active_pixel/parts.h"
#include "app/window/deep/parts.h"
#include "app/window/dof/parts.h"
#include "app/window/parts.h"

#include <algorithm>

namespace fathom {
namespace {

/// The parts that the flame engine owns, and what it writes beside the picture.
struct FlameParts : WindowParts {
  explicit FlameParts(flame::FlameEngine& owner) : engine(owner) {
    editing = engine.editing(), playing = engine.playing(), panels = engine.panels();
    tools = engine.tools(), background = engine.background();
  }
  bool keepsEdits(const std::vector<std::string>& inputs) const override {
    return engine.keepsEdits(inputs);
  }
  std::string exporting() const override { return engine.exporting(); }
  flame::FlameEngine& engine;
};

std::unique_ptr<WindowParts> engineParts(Engine& engine) {
  auto parts = std::make_unique<WindowParts>();
  parts->editing = engine.editing(), parts->playing = engine.playing();
  parts->panels = engine.panels(), parts->tools = engine.tools();
  parts->background = engine.background();
  return parts;
}

std::unique_ptr<WindowParts> flameParts(Engine& engine) {
  return std::make_unique<FlameParts>(dynamic_cast<flame::FlameEngine&>(engine));
}

}  // namespace

const WindowEntry* windowEntry(const std::string& technique) {
  static const std::vector<WindowEntry> entries = {
      {"deep", {"inputs", "depth", "ranks"}, deep::makeWindowParts},
      {"dof", {"lens", "variants", "pull"}, dof::makeWindowParts},
      {"flame", {"xforms", "image", "palette", "mutations", "timeline"}, flameParts},
      {"smoe", {"model", "fit"}, engineParts},
      {"active-pixel", {"parts", "modes"}, active_pixel::makeWindowParts}};
  const auto at = std::find_if(entries.begin(), entries.end(),
                               [&](const WindowEntry& entry) { return entry.name == technique; });
  return at == entries.end() ? nullptr : &*at;
}

}  // namespace fathom
