// SPDX-License-Identifier: BSD-3-Clause
// Counting and summing runs, the header, payloads and pairs. Images larger than a storage block are
// written window by window.
#include "app/techniques/active_pixel/compress/image_writer.h"

#include "app/techniques/active_pixel/image/reference.h"
#include "app/techniques/active_pixel/image/run_index.h"

#include <algorithm>
#include <cstddef>

namespace fathom::active_pixel {
namespace {

std::int64_t windowBytes(gpu::Context& gpu) {
  const std::int64_t alignment = std::max<std::int64_t>(16, gpu.limits().storageOffsetAlignment);
  const std::int64_t bytes =
      std::min(gpu.memory().blockLimit(), gpu.limits().storageBlockBytes) / alignment * alignment;
  return std::max(bytes, alignment);
}

/// As many runs as there can be: every second pixel of the region starts one.
std::size_t maxRuns(const DeviceImage& image) {
  return (std::size_t(image.region.width) * std::size_t(image.region.height) + 1) / 2;
}

}  // namespace

std::vector<gpu::Define> definesOf(const Format& format) {
  return {{"AP_COLOR", int(format.color)},
          {"AP_BLEND", format.compositing == Compositing::Blend ? 1 : 0}};
}

shared::Params paramsOf(const DeviceImage& image) {
  shared::Params params{};
  params.tileWidth = std::uint32_t(image.width);
  params.tileHeight = std::uint32_t(image.height);
  params.left = std::uint32_t(image.region.x);
  params.bottom = std::uint32_t(image.region.y);
  params.width = std::uint32_t(image.region.width);
  params.height = std::uint32_t(image.region.height);
  params.wordsPerRow = image.wordsPerRow();
  params.wordCount = std::uint32_t(image.maskCount());
  params.colorFormat = icetColorFormat(image.format.color);
  params.depthFormat = icetDepthFormat(image.format.depth);
  params.rounds = 32;
  params.pixelCount = params.tileWidth * params.tileHeight;
  return params;
}

shared::Source sourceOf(const DeviceImage& image) {
  return {std::uint32_t(image.region.x),
          std::uint32_t(image.region.y),
          std::uint32_t(image.region.width),
          std::uint32_t(image.region.height),
          image.wordsPerRow(),
          std::uint32_t(image.maskCount()),
          0,
          0};
}

void throughWindows(gpu::Context& gpu, const DeviceImage& image, gpu::Pass& pass,
                    const std::function<void(const shared::Params&)>& dispatch) {
  const std::int64_t window = windowBytes(gpu), all = image.words.bytes();
  for (std::int64_t first = 0; first < all; first += window) {
    const std::int64_t bytes = std::min(window, all - first);
    shared::Params params = paramsOf(image);
    params.windowFirst = std::uint32_t(first / 4);
    params.windowWords = std::uint32_t(bytes / 4);
    pass.storage(AP_BIND_WORDS, image.words, first, bytes);
    dispatch(params);
  }
}

gpu::Define windowedDefine(gpu::Context& gpu, const DeviceImage& image) {
  return {"AP_WINDOWED", image.words.bytes() > windowBytes(gpu) ? 1 : 0};
}

gpu::Define ImageWriter::spreadDefine() const { return {"AP_SPREAD", spread_ ? 1 : 0}; }

DeviceImage ImageWriter::upload(std::span<const std::uint32_t> words, Compositing compositing,
                                const std::string& name) {
  const SparseFacts facts = reference::check(words, compositing, name);
  const Region all{0, 0, facts.width, facts.height};
  DeviceImage image;
  image.reserve(gpu_, facts.format, facts.width, facts.height, facts.active > 0 ? all : Region{});
  if (image.region.empty()) {
    image.writeEmpty();
    return image;
  }
  const IndexedWords indexed = indexRuns(words, facts.format);
  image.words.write(indexed.words.data(), std::int64_t(indexed.words.size() * 4));
  image.masks.upload(indexed.masks);
  number(image);
  return image;
}

void ImageWriter::number(DeviceImage& image) {
  gpu::Pass& count = gpu_.pass({"count runs", "shaders/active_pixel/count_runs.comp", {}});
  count.storage(AP_BIND_MASKS, image.masks)
      .storage(AP_BIND_PREFIX, image.prefix)
      .params(AP_BIND_PARAMS, paramsOf(image));
  count.dispatch(image.maskCount());
  gpu::barrier(gpu::Reader::Storage);  // the scan
  scanner_.exclusive(image.prefix, image.prefix, 2 * image.maskCount());

  std::vector<gpu::Define> defines = definesOf(image.format);
  gpu::Pass& header =
      gpu_.pass({"write header", "shaders/active_pixel/write_header.comp", defines});
  shared::Params params = paramsOf(image);
  const std::int64_t shown = std::min(windowBytes(gpu_), image.words.bytes());
  header.storage(AP_BIND_MASKS, image.masks)
      .storage(AP_BIND_PREFIX, image.prefix)
      .storage(AP_BIND_FACTS, image.facts)
      .storage(AP_BIND_WORDS, image.words, 0, shown)
      .params(AP_BIND_PARAMS, params);
  header.dispatchGroups(1);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Indirect | gpu::Reader::Transfer);
  image.indexed = true;
}

void ImageWriter::writePayloads(
    DeviceImage& image, const gpu::PassKey& key,
    const std::function<void(gpu::Pass&, const shared::Params&)>& bind) {
  const std::size_t runs = maxRuns(image);
  gpu::ensure(gpu_, gaps_, "gaps before runs", runs);
  gpu::ensure(gpu_, indices_, "indices of runs", runs);
  gpu::Pass& pass = gpu_.pass(key);
  throughWindows(gpu_, image, pass, [&](const shared::Params& params) {
    pass.storage(AP_BIND_MASKS, image.masks)
        .storage(AP_BIND_PREFIX, image.prefix)
        .storage(AP_BIND_GAPS, gaps_)
        .storage(AP_BIND_INDICES, indices_);
    bind(pass, params);
    pass.dispatchGroups((image.maskCount() + AP_SIZE - 1) / AP_SIZE);
  });
  gpu::barrier(gpu::Reader::Storage);  // write pairs
}

void ImageWriter::writePairs(DeviceImage& image) {
  std::vector<gpu::Define> defines = definesOf(image.format);
  defines.push_back(windowedDefine(gpu_, image));
  gpu::Pass& pass =
      gpu_.pass({"write pairs", "shaders/active_pixel/write_pairs.comp", std::move(defines)});
  throughWindows(gpu_, image, pass, [&](const shared::Params& params) {
    pass.storage(AP_BIND_GAPS, gaps_)
        .storage(AP_BIND_INDICES, indices_)
        .storage(AP_BIND_FACTS, image.facts)
        .params(AP_BIND_PARAMS, params);
    pass.dispatchIndirect(image.facts, offsetof(shared::Facts, groups));
  });
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer | gpu::Reader::Texture);
}

}  // namespace fathom::active_pixel
