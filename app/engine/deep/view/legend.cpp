// SPDX-License-Identifier: BSD-3-Clause
// Length classes of the heat map; inputs, or a scale of alpha or Z, for points.
#include "app/engine/deep/view/legend.h"

#include "app/engine/deep/lists/depth_complexity.h"

#include <fmt/format.h>

namespace fathom::deep {

namespace {

std::vector<LegendEntry> pointEntries(const Settings& settings, const Inputs& inputs,
                                      const PointScene& points) {
  std::vector<LegendEntry> entries;
  const auto add = [&](glm::vec3 c, std::string label) {
    entries.push_back({c.r, c.g, c.b, std::move(label)});
  };
  const PointColor color = settings.view.pointColor;
  const std::size_t count = inputs.count();
  if (color == PointColor::Input &&
      MergeSetup(settings, inputs).sources() == std::vector{kAllInputs}) {
    add(inputColors()[count % inputColors().size()], "all inputs, after the operations");
  } else if (color == PointColor::Input) {
    for (std::size_t i = 0; i < count; ++i)
      add(inputColors()[i % inputColors().size()], inputs.nameOf(i));
  } else if (color != PointColor::Color) {
    const PointSpace& space = points.space();
    for (std::size_t i = 0; i < scaleColors().size(); ++i) {
      const float share = float(i) / float(scaleColors().size() - 1);
      const float z = space.nearest + share * (space.farthest - space.nearest);
      add(scaleColors()[i], color == PointColor::Alpha ? fmt::format("alpha {:.2f}", share)
                                                       : fmt::format("Z {:.4g}", z));
    }
  }
  return entries;
}

}  // namespace

std::vector<LegendEntry> legendEntries(const Settings& settings, const Inputs& inputs,
                                       const PointScene& points) {
  if (settings.show == Show::Points && inputs.isOpen() && points.isCollected())
    return pointEntries(settings, inputs, points);
  std::vector<LegendEntry> entries;
  if (settings.show != Show::HeatMap) return entries;
  std::uint32_t min = 0;
  for (const HeatClass& c : heatClasses()) {
    const std::string label = c.max == UINT32_MAX ? fmt::format("{} and more", min)
                              : min == c.max      ? fmt::format("{}", min)
                                                  : fmt::format("{} to {}", min, c.max);
    entries.push_back({c.color.r, c.color.g, c.color.b, label});
    min = c.max + 1;
  }
  return entries;
}

}  // namespace fathom::deep
