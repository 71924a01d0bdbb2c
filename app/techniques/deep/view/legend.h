// SPDX-License-Identifier: BSD-3-Clause
// What the colors of the heat map and of points mean.
#pragma once

#include "app/techniques/deep/bands/merge_setup.h"
#include "app/techniques/deep/view/point_scene.h"
#include "app/techniques/facets.h"

#include <vector>

namespace fathom::deep {

class ColorLegend : public Legend {
 public:
  /// All must outlive this.
  ColorLegend(const Settings& settings, const Inputs& inputs, const PointScene& points)
      : settings_(settings), inputs_(inputs), points_(points) {}

  std::vector<LegendEntry> entries() const override;

 private:
  std::vector<LegendEntry> pointEntries() const;

  const Settings& settings_;
  const Inputs& inputs_;
  const PointScene& points_;
};

}  // namespace fathom::deep
