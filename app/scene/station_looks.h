// SPDX-License-Identifier: BSD-3-Clause
// Materials of the station.
#pragma once

#include "app/scene/mesh_builder.h"

#include <cstdint>

namespace fathom::station {

struct Looks {
  int hull, grey, dark, metal, foil, warm;  // plates, plain paint, shadowy metal, bright metal
  int solar, radiator, window, glass;
  int glow, core, red, green, accent;
};
Looks addLooks(MeshBuilder& mesh, std::uint64_t seed);

}  // namespace fathom::station
