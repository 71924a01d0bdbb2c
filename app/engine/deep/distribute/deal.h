// SPDX-License-Identifier: BSD-3-Clause
// What a rank draws of a scene: whole parts in turn, or a stretch of all triangles, in drawing
// order or along a space-filling curve. Every share is drawn under the whole scene's light, shadows
// included, so that all shares together are the scene, fragment by fragment.
#pragma once

#include "app/engine/scene/scene.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace fathom::deep {

enum class Deal { Parts, Triangles, Morton };

struct DealtScene {
  std::shared_ptr<const Scene> scene;
  /// Parts of `scene` to draw, and the input (part of the whole scene) that each belongs to.
  std::vector<std::pair<std::size_t, std::uint32_t>> parts;
  /// Several ranks may hold fragments of one input.
  bool sharesInputs = false;
};

/// Where the rows begin that each rank merges, and the end, so that each merges about as many
/// fragments. `fragments`: of each row.
std::vector<int> dealRows(std::span<const std::uint64_t> fragments, int width, int ranks);

DealtScene deal(const std::shared_ptr<const Scene>& scene, Deal how, int rank, int ranks);

}  // namespace fathom::deep
