// SPDX-License-Identifier: BSD-3-Clause
// Small inputs, made here: several work groups, the last one partly filled. What comes out is
// looked at by the tests of each part.
#include "tests/races/own_work.h"

#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/engine/gpu/sort/scan.h"
#include "app/lab/workload.h"
#include "shaders/common/shared.h"
#include "tests/support/synthetic_deep.h"

#include <random>

namespace fathom::races {
namespace {

using Words = gpu::Buffer<std::uint32_t>;

std::vector<std::uint32_t> randomWords(std::size_t count, std::uint32_t below) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = std::uint32_t(random()) % below;
  return words;
}

void sortKeys(gpu::Context& context, gpu::RadixMethod method, std::size_t count,
              const gpu::SortOptions& options, const gpu::SweepShape& shape = {}, int turns = 1) {
  const std::vector<std::uint32_t> words = randomWords(count, 1u << 31);
  Words keys(context, "keys", words), otherKeys(context, "other keys", count);
  Words values(context, "payloads", words), otherValues(context, "other payloads", count);
  gpu::RadixSorter sorter(context, method, shape);
  const gpu::SortBuffers buffers{&keys, &otherKeys, &values, &otherValues};
  for (int turn = 0; turn < turns; ++turn) sorter.sort(buffers, count, options);
}

void scanAndReduce(gpu::Context& context, std::size_t count) {
  const Words in(context, "scanned", randomWords(count, 5));
  Words out(context, "sums", count + 1), runKeys(context, "run keys", count),
      runSums(context, "run sums", count);
  gpu::Scanner scanner(context);
  for (int turn = 0; turn < 2; ++turn) {
    scanner.exclusive(in, out, count);
    gpu::barrier(gpu::Access::Storage);
  }
  gpu::KeyReducer reducer(context);
  reducer.reduce(in, &in, count, runKeys, runSums);
  reducer.reduce(in, nullptr, count, runKeys, runSums);
}

/// Two blocks, the first of which says nothing, so that the other sums it.
void scanMuted(gpu::Context& context) {
  constexpr std::size_t kWords = 5000;
  const Words in(context, "scanned", randomWords(kWords, 5));
  Words out(context, "sums", kWords + 1);
  gpu::Scanner scanner(context, 1);
  scanner.exclusive(in, out, kWords);
  gpu::barrier(gpu::Access::Storage);
}

}  // namespace

void runPrimitives(gpu::Context& context) {
  using enum gpu::RadixMethod;
  // Twice, as a frame after a frame.
  sortKeys(context, Strands, 3000, {.firstBit = 0, .lastBit = 16, .discard = true}, {}, 2);
  sortKeys(context, Sweeps, 1500, {.firstBit = 0, .lastBit = 16, .discard = true},
           {.lanes = 64, .rows = 4, .mute = 2}, 2);
  // More keys than one group counts, and more values of a digit than a group has invocations.
  sortKeys(context, Sweeps, 17000, {.firstBit = 0, .lastBit = 10, .discard = true, .digitBits = 10},
           {.lanes = 64, .rows = 4});
  scanMuted(context);
  scanAndReduce(context, 9000);
}

namespace {

void copyRows(gpu::Context& context) {
  constexpr std::size_t kRows = 700;
  const gpu::Buffer<glm::uvec4> from(context, "copied", std::vector<glm::uvec4>(kRows));
  const gpu::Buffer<glm::uvec4> to(context, "copy", kRows);
  gpu::Pass& pass = context.pass({"copy", "shaders/common/copy_words.comp", {}});
  pass.storage(COPY_BIND_FROM, from)
      .storage(COPY_BIND_TO, to)
      .params(COPY_BIND_PARAMS, gpu::shared::CopyParams{kRows, 0, 0, 0});
  pass.dispatch(kRows, {});
  gpu::barrier(gpu::Access::Storage);
}

void arrangeLists(gpu::Context& context) {
  deep::Pipeline pipeline(context);
  const DeepImage image = test::sphereField({.width = 24, .height = 10, .meanFragments = 3});
  const Rect region{0, 0, 24, 10};
  for (const deep::Layout layout : {deep::Layout::BlockInterleaved, deep::Layout::LinkedList}) {
    const deep::Settings settings{.layout = layout};
    deep::FragmentLists lists;
    uploadLists(pipeline, image, {0, 0}, region, deep::shapeOf(settings, image.format), lists);
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
  arrangeLists(context);
  compositeSparse(context);
  bench::Pace(context).measure();
}

}  // namespace fathom::races
