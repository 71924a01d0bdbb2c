// SPDX-License-Identifier: BSD-3-Clause
// The scenes that every variant of accumulation is held against, small enough for all of them: what
// each is for stands with its name.
#pragma once

#include "app/engine/dof/splats/model.h"

#include <string>
#include <vector>

namespace fathom::dof::test {

struct AccumulateScene {
  std::string name;
  glm::ivec2 size{0};
  std::vector<Splat> splats;                   // empty: the lists are made directly
  std::vector<std::vector<Splat>> tileSplats;  // for each tile; pixels count in the picture
  int firstTileRow = 0;                        // of the band that is worked on; it goes to the end

  NodeLists lists(int kind) const;
};

/// Discs of blurred and sharp texture, six stacked layers, all sharp, a plane of one color,
/// borders, list lengths around chunk sizes, the end of a long strip, a bright spot, damaged
/// pixels, a long list.
const std::vector<AccumulateScene>& accumulateScenes();
const AccumulateScene& accumulateScene(const std::string& name);

}  // namespace fathom::dof::test
