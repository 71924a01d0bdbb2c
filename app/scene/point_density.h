// SPDX-License-Identifier: BSD-3-Clause
// How many points lie where on the globe of `points`: continents by noise, cities of all sizes on
// them. A grid of longitude and latitude, made with a seed.
#pragma once

#include "app/core/progress.h"

#include <cstdint>
#include <vector>

namespace fathom {

struct PointDensity {
  static constexpr int kColumns = 1080, kRows = 540;  // a third of a degree each
  std::vector<std::uint32_t> weights;  // uint[column][row], columns from -180 degrees east, rows
                                       // from the south; proportional to the points in a cell
  std::vector<std::uint16_t> looks;    // unorm16[column][row]: points per area, on a log scale
};
PointDensity makePointDensity(std::uint64_t seed, Progress& progress);

}  // namespace fathom
