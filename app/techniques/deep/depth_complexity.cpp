// SPDX-License-Identifier: BSD-3-Clause
// Fragments per pixel: counts and the heat map.
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <algorithm>

namespace fathom::deep {

const std::array<HeatClass, 10>& heatClasses() {
  // Dark to light through blue, green, yellow and red, in steps that stay apart when printed gray.
  static const std::array<HeatClass, 10> classes{{{0, {0.0f, 0.0f, 0.0f}},
                                                  {1, {0.010f, 0.012f, 0.060f}},
                                                  {8, {0.012f, 0.045f, 0.300f}},
                                                  {16, {0.010f, 0.180f, 0.480f}},
                                                  {32, {0.015f, 0.360f, 0.330f}},
                                                  {64, {0.110f, 0.480f, 0.060f}},
                                                  {128, {0.700f, 0.640f, 0.030f}},
                                                  {256, {0.900f, 0.290f, 0.020f}},
                                                  {512, {0.800f, 0.050f, 0.030f}},
                                                  {UINT32_MAX, {1.0f, 0.75f, 0.90f}}}};
  return classes;
}

/// Sums the counts of all inputs in raster_, uint[height * width].
void Pipeline::countRaster(std::span<FragmentLists* const> inputs) {
  FATHOM_CHECK(!inputs.empty());
  ensure(raster_, "fragments per pixel", std::uint64_t(inputs[0]->region.area()) + 1);
  raster_.clear();
  for (FragmentLists* lists : inputs) {
    gpu::Pass& p = pass("count per pixel", "count_raster.comp", lists->shape);
    bind(p, *lists).storage(DEEP_BIND_ORDER, raster_).params(DEEP_BIND_PARAMS, params(*lists));
    p.dispatch(lists->slotCount);
    gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next input, scan, colors
  }
}

void Pipeline::heatMap(std::span<FragmentLists* const> inputs, const gpu::Texture& picture) {
  countRaster(inputs);
  if (!heat_) {
    std::vector<std::uint32_t> words;
    for (const HeatClass& c : heatClasses())
      for (const float v : {c.color.r, c.color.g, c.color.b, 1.0f}) {
        std::uint32_t bits;
        std::memcpy(&bits, &v, sizeof bits);
        words.push_back(bits);
      }
    heat_ =
        gpu::Buffer<std::uint32_t>(gpu_, "heat map colors", std::span<const std::uint32_t>(words));
  }
  const FragmentLists& first = *inputs[0];
  gpu::Pass& p = pass("color depth complexity", "color_depth_complexity.comp", first.shape);
  p.storage(DEEP_BIND_ORDER, raster_)
      .storage(DEEP_BIND_SCRATCH, heat_)
      .image(DEEP_IMAGE_RESULT, picture)
      .params(DEEP_BIND_PARAMS, params(first));
  p.dispatch(std::uint64_t(first.region.area()));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

std::vector<std::uint32_t> Pipeline::downloadCounts(std::span<FragmentLists* const> inputs) {
  countRaster(inputs);
  return raster_.download(0, std::size_t(inputs[0]->region.area()));
}

}  // namespace fathom::deep
