// SPDX-License-Identifier: BSD-3-Clause
// What the atrium is made of: its materials, with textures that are made by code.
#pragma once

#include "app/engine/scene/built_in/mesh_builder.h"

namespace fathom::atrium {

/// Material numbers.
struct Looks {
  int ashlar, stone, marble, inlay, tiles, gallery, plaster, wood, terracotta, roofTiles, bronze;
  int glass, pane, lampGlow, water, spray, soil, leaf, frond, ivy, cypress, lawn, sky, cloud, gold;
  int drapes[4];   // translucent cloth
  int banners[3];  // woven, with a device
  int fresco[3];
};
/// Adds textures and materials.
Looks addLooks(MeshBuilder& mesh, std::uint64_t seed);

}  // namespace fathom::atrium
