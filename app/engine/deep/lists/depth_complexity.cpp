// SPDX-License-Identifier: BSD-3-Clause
// The colors of the heat map, and the pass that paints it.
#include "app/engine/deep/lists/depth_complexity.h"

namespace fathom::deep {

const std::array<HeatClass, 10>& heatClasses() {
  // Blue, green, yellow, red, in steps that stay apart when printed gray; one fragment is well
  // above the black of none.
  static const std::array<HeatClass, 10> classes{{{0, {0.0f, 0.0f, 0.0f}},
                                                  {1, {0.035f, 0.045f, 0.260f}},
                                                  {8, {0.030f, 0.120f, 0.560f}},
                                                  {16, {0.020f, 0.270f, 0.600f}},
                                                  {32, {0.020f, 0.400f, 0.350f}},
                                                  {64, {0.140f, 0.520f, 0.070f}},
                                                  {128, {0.700f, 0.640f, 0.030f}},
                                                  {256, {0.900f, 0.290f, 0.020f}},
                                                  {512, {0.800f, 0.050f, 0.030f}},
                                                  {UINT32_MAX, {1.0f, 0.75f, 0.90f}}}};
  return classes;
}

void drawHeatMap(Pipeline& pipeline, std::span<FragmentLists* const> inputs,
                 const gpu::Texture& picture) {
  countRaster(pipeline.store, inputs);
  std::vector<std::uint32_t> words;  // vec4 per class
  for (const HeatClass& c : heatClasses())
    for (const float v : {c.color.r, c.color.g, c.color.b, 1.0f})
      words.push_back(std::bit_cast<std::uint32_t>(v));
  ListStore& store = pipeline.store;
  const gpu::Buffer<std::uint32_t> colors(store.gpu(), "heat map colors",
                                          std::span<const std::uint32_t>(words));
  const FragmentLists& first = *inputs[0];
  gpu::Pass& p =
      store.pass("color depth complexity", "lists/color_depth_complexity.comp", first.shape);
  p.storage(DEEP_BIND_ORDER, store.scratch().raster)
      .storage(DEEP_BIND_SCRATCH, colors)
      .image(DEEP_IMAGE_RESULT, picture)
      .params(DEEP_BIND_PARAMS, paramsOf(first));
  gpu::dispatch(p, std::uint64_t(first.region.area()), gpu::Each{60});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
}

std::vector<std::uint32_t> countPixels(Pipeline& pipeline, std::span<FragmentLists* const> inputs) {
  countRaster(pipeline.store, inputs);
  return pipeline.store.scratch().raster.download(0, std::size_t(inputs[0]->region.area()));
}

}  // namespace fathom::deep
