// SPDX-License-Identifier: BSD-3-Clause
// What the colors of the heat map and of points mean.
#pragma once

#include "app/engine/deep/bands/merge_setup.h"
#include "app/engine/deep/view/point_scene.h"
#include "app/engine/inspect.h"

#include <vector>

namespace fathom::deep {

class ColorLegend {
 public:
  /// All must outlive this.
  ColorLegend(const Settings& settings, const Inputs& inputs, const PointScene& points)
      : settings_(settings), inputs_(inputs), points_(points) {}

  std::vector<LegendEntry> entries() const;

 private:
  std::vector<LegendEntry> pointEntries() const;

  const Settings& settings_;
  const Inputs& inputs_;
  const PointScene& points_;
};

}  // namespace fathom::deep
