// SPDX-License-Identifier: BSD-3-Clause
// Fragments per pixel (depth complexity): counted over lists, and painted as a heat map.
#pragma once

#include "app/engine/deep/lists/pipeline.h"

namespace fathom::deep {

/// Classes of the heat map: upper bound (inclusive) and color; the last has no bound.
struct HeatClass {
  std::uint32_t max;
  glm::vec3 color;  // linear
};
const std::array<HeatClass, 10>& heatClasses();

/// Colors the region of `picture` by the number of fragments in all inputs.
void drawHeatMap(Pipeline& pipeline, std::span<FragmentLists* const> inputs,
                 const gpu::Texture& picture);
/// Fragments per pixel of the region, raster order, summed over the inputs.
std::vector<std::uint32_t> countPixels(Pipeline& pipeline, std::span<FragmentLists* const> inputs);

}  // namespace fathom::deep
