// SPDX-License-Identifier: BSD-3-Clause
// What the colors of the heat map and of points mean.
#pragma once

#include "app/engine/deep/bands/merge_setup.h"
#include "app/engine/deep/view/point_scene.h"
#include "app/engine/inspect.h"

#include <vector>

namespace fathom::deep {

/// Length classes of the heat map; inputs, or a scale of alpha or Z, for points; else empty.
std::vector<LegendEntry> legendEntries(const Settings& settings, const Inputs& inputs,
                                       const PointScene& points);

}  // namespace fathom::deep
