// SPDX-License-Identifier: BSD-3-Clause
// Small inputs, made here; what comes out is looked at by the tests of each part.
#include "tests/races/parts.h"

#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/active_pixel/compress/gpu_composite.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/deep/lists/pipeline.h"
#include "app/engine/gpu/pass.h"
#include "app/lab/run/pace.h"
#include "shaders/common/shared.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::races {
namespace {

void copyRows(gpu::Context& context) {
  constexpr std::size_t kRows = 700;
  const gpu::Buffer<glm::uvec4> from(context, "copied", std::vector<glm::uvec4>(kRows));
  const gpu::Buffer<glm::uvec4> to(context, "copy", kRows);
  gpu::Pass& pass = context.pass({"copy", "shaders/common/copy_words.comp", {}});
  pass.storage(COPY_BIND_FROM, from)
      .storage(COPY_BIND_TO, to)
      .params(COPY_BIND_PARAMS, gpu::shared::CopyParams{kRows, 0, 0, 0});
  pass.dispatch(kRows);
  gpu::barrier(gpu::Access::Storage);
}

void packLists(gpu::Context& context) {
  deep::Pipeline pipeline(context);
  const DeepImage image = test::sphereField({.width = 24, .height = 10, .meanFragments = 3});
  const Rect region{0, 0, 24, 10};
  for (const deep::Layout layout : {deep::Layout::BlockInterleaved, deep::Layout::LinkedList}) {
    deep::Settings settings;
    settings.layout = layout;
    deep::FragmentLists lists;
    uploadLists(pipeline.store, image, {0, 0}, region, deep::shapeOf(settings, image.format),
                lists);
    packLists(pipeline.store, lists, {0, 0}, false);
  }
}

active_pixel::Frame halfFilled(const active_pixel::Format& format, std::size_t odd) {
  active_pixel::Frame frame(format, 60, 9, glm::vec4(0));
  for (std::size_t i = 0; i < frame.pixelCount(); ++i) {
    if (i / 7 % 2 != odd) continue;
    frame.setColor(i, glm::vec4(0.5f));
    if (format.depth != active_pixel::Depth::None) frame.depth[i] = 0.25f;
  }
  return frame;
}

void compositeSparse(gpu::Context& context) {
  using namespace active_pixel;
  const Format formats[] = {{Color::Rgba8, Depth::Float32, Compositing::ZBuffer},
                            {Color::Rgba32f, Depth::None, Compositing::Blend}};
  for (const Format& format : formats) {
    ImageWriter writer(context);
    GpuCompositor compositor(context);
    DeviceImage result;
    const auto upload = [&](std::size_t odd, const char* name) {
      return writer.upload(reference::encode(halfFilled(format, odd)).words, format.compositing,
                           name);
    };
    const DeviceImage front = upload(0, "front"), back = upload(1, "back");
    compositor.composite(front, back, result);
    compositor.composite(front, back, result);  // as a frame after a frame
  }
}

}  // namespace

void runParts(gpu::Context& context) {
  copyRows(context);
  packLists(context);
  compositeSparse(context);
  bench::Pace(context).measure();
}

}  // namespace fathom::races
