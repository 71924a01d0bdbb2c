// SPDX-License-Identifier: BSD-3-Clause
// Buffers are kept while they are large enough; those of IceT's bytes have exactly bufferBytes().
// Images larger than a storage block are written through windows, one after the other.
#include "app/engine/active_pixel/compress/device_image.h"

#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/active_pixel/image/runs.h"
#include "app/engine/core/bytes.h"

namespace fathom::active_pixel {

void DeviceImage::reserve(gpu::Context& gpu, const Format& newFormat, int newWidth, int newHeight,
                          const Region& newRegion) {
  FATHOM_CHECK(newFormat.valid());
  const auto room = std::int64_t(bufferBytes(newFormat, newWidth, newHeight));
  format = newFormat;
  width = newWidth;
  height = newHeight;
  region = newRegion.empty() ? Region{} : newRegion;
  indexed = false;
  if (words.bytes() != room)
    words = gpu::RawBuffer(gpu, "sparse image", room, gpu::RawBuffer::Use::Other);
  gpu::ensure(gpu, masks, "active pixel masks", maskCount());
  gpu::ensure(gpu, prefix, "active pixel sums", 2 * maskCount() + 1);
  gpu::ensure(gpu, facts, "sparse image facts", 1);
}

std::vector<std::uint32_t> emptyImage(const Format& format, int width, int height) {
  const std::uint32_t pixels = std::uint32_t(width) * std::uint32_t(height);
  const auto head = header(format, width, height, kHeaderBytes + (pixels > 0 ? 8 : 0));
  std::vector<std::uint32_t> words(head.begin(), head.end());
  if (pixels > 0) words.insert(words.end(), {pixels, 0});
  return words;
}

void DeviceImage::writeEmpty() {
  FATHOM_CHECK(region.empty());
  const std::vector<std::uint32_t> image = emptyImage(format, width, height);
  words.write(image.data(), std::int64_t(image.size() * 4));
  const shared::Facts all{0, 0, std::uint32_t(image.size() * 4), 1};
  facts.upload(std::span(&all, 1));
  indexed = true;
}

// ---- Writing an image: marks, the scan of units, payloads and pairs

namespace {

std::int64_t windowBytes(gpu::Context& gpu) {
  const std::int64_t alignment = std::max<std::int64_t>(16, gpu.limits().storageOffsetAlignment);
  const std::int64_t bytes =
      std::min(gpu.memory().blockLimit(), gpu.limits().storageBlockBytes) / alignment * alignment;
  return std::max(bytes, alignment);
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
                    shared::Params params,
                    const std::function<void(const shared::Params&)>& dispatch) {
  const std::int64_t window = windowBytes(gpu), all = image.words.bytes();
  for (std::int64_t first = 0; first < all; first += window) {
    const std::int64_t bytes = std::min(window, all - first);
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
  const IndexedWords indexed = indexRuns(words);
  image.words.write(indexed.words.data(), std::int64_t(indexed.words.size() * 4));
  image.masks.upload(indexed.masks);
  image.prefix.upload(indexed.prefix);
  const std::uint32_t active = std::uint32_t(facts.active), runs = indexed.prefix.back() - active;
  const auto bytes = std::uint32_t(indexed.words.size() * 4);
  const std::uint32_t spare =
      bytes - std::uint32_t(kHeaderBytes) - active * std::uint32_t(facts.format.payloadBytes());
  const shared::Facts totals{active, runs, bytes, spare > 8 * runs ? 1u : 0u};
  image.facts.upload(std::span(&totals, 1));
  image.indexed = true;
  return image;
}

shared::Params ImageWriter::params(const DeviceImage& image) const {
  shared::Params params = paramsOf(image);
  params.unitCount = unitCount(image);
  return params;
}

std::uint32_t ImageWriter::unitCount(const DeviceImage& image) const {
  const std::size_t words = spread_ ? AP_UNIT_BESIDE : AP_UNIT_ALONE;
  return std::uint32_t((image.maskCount() + words - 1) / words);
}

std::uint64_t ImageWriter::groupCount(const DeviceImage& image) const {
  return spread_ ? unitCount(image) : (unitCount(image) + AP_SIZE - 1) / AP_SIZE;
}

void ImageWriter::mark(DeviceImage& image, gpu::Pass& pass) {
  gpu::ensure(gpu_, units_, "active pixel units", 2 * std::size_t(unitCount(image)) + 1);
  pass.storage(AP_BIND_MASKS, image.masks).storage(AP_BIND_UNITS, units_);
  // 32 pixels of a word are looked at; a unit is a word or 64.
  pass.dispatchGroups(groupCount(image), gpu::DispatchCost{32 * 30.0 * double(image.maskCount())});
  gpu::barrier(gpu::Access::Storage);  // scan units
}

gpu::PassKey ImageWriter::scanKey(const Format& format) {
  return gpu::keyIn("shaders/active_pixel/", "scan units", definesOf(format));
}

void ImageWriter::scan(DeviceImage& image) {
  gpu::Pass& pass = gpu_.pass(scanKey(image.format));
  const std::int64_t shown = std::min(windowBytes(gpu_), image.words.bytes());
  pass.storage(AP_BIND_MASKS, image.masks)
      .storage(AP_BIND_UNITS, units_)
      .storage(AP_BIND_FACTS, image.facts)
      .storage(AP_BIND_WORDS, image.words, 0, shown)
      .params(AP_BIND_PARAMS, params(image));
  // One group goes over all units, each of its invocations over its stretch, twice.
  const double units = unitCount(image);
  pass.dispatchGroups(1, gpu::DispatchCost{40 * units, 2 * units / AP_SCAN_SIZE});
  // Write runs; the facts' copy; decode.comp, which takes an image that came with its words
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer | gpu::Access::Texture);
  image.indexed = true;
}

void ImageWriter::writeRuns(DeviceImage& image, const gpu::PassKey& key,
                            const std::function<void(gpu::Pass&, const shared::Params&)>& bind) {
  gpu::Pass& pass = gpu_.pass(key);
  throughWindows(gpu_, image, pass, params(image), [&](const shared::Params& params) {
    pass.storage(AP_BIND_MASKS, image.masks)
        .storage(AP_BIND_PREFIX, image.prefix)
        .storage(AP_BIND_UNITS, units_);
    bind(pass, params);
    pass.dispatchGroups((image.maskCount() + AP_SIZE - 1) / AP_SIZE, gpu::Each{32 * 60});
  });
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer | gpu::Access::Texture);
}

// ---- Decoding: one pass over the pixels of an indexed image

gpu::PassKey decodeKey(const Format& format) {
  return {"decode pixels", "shaders/active_pixel/decode.comp", definesOf(format)};
}

void decode(gpu::Context& gpu, const DeviceImage& image, glm::vec4 background, Decoded& result) {
  FATHOM_CHECK(image.indexed);
  FATHOM_CHECK(image.width > 0 && image.height > 0);
  const bool hasColor = image.format.color != Color::None;
  const bool hasDepth = image.format.depth != Depth::None;
  const glm::ivec2 size(image.width, image.height);
  if (hasColor)
    gpu::ensure(gpu, result.color, "decoded color",
                image.format.color == Color::Rgba8 ? gpu::TextureFormat::Rgba8
                                                   : gpu::TextureFormat::Rgba32f,
                size);
  if (hasDepth) gpu::ensure(gpu, result.depth, "decoded depth", gpu::TextureFormat::R32f, size);

  shared::DecodeParams params{};
  params.source = sourceOf(image);
  params.width = std::uint32_t(image.width);
  params.height = std::uint32_t(image.height);
  const Frame pixel(image.format, 1, 1, background);
  if (image.format.color == Color::Rgb32f) background.a = 1;
  std::memcpy(params.background, &background, sizeof params.background);
  if (image.format.color == Color::Rgba8) std::memcpy(params.background, pixel.colorAt(0), 4);
  const gpu::TexelView words(gpu, image.words);
  gpu::Pass& pass = gpu.pass(decodeKey(image.format));
  pass.storage(AP_BIND_FRONT_MASKS, image.masks)
      .storage(AP_BIND_FRONT_PREFIX, image.prefix)
      .texels(AP_TEXTURE_COLOR, words)
      .params(AP_BIND_PARAMS, params);
  if (hasColor) pass.imageWords(AP_IMAGE_COLOR, result.color);
  if (hasDepth) pass.imageWords(AP_IMAGE_DEPTH, result.depth);
  pass.dispatch(std::uint64_t(image.width) * std::uint64_t(image.height), gpu::Each{60});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Storage | gpu::Access::Transfer);
}

Frame download(const Decoded& decoded, const Format& format, int width, int height) {
  Frame frame(format, width, height);
  if (frame.pixelCount() == 0) return frame;
  if (format.color == Color::Rgb32f) {
    std::vector<glm::vec4> colors(frame.pixelCount());
    decoded.color.read(colors.data(), std::int64_t(colors.size() * sizeof(glm::vec4)));
    for (std::size_t i = 0; i < colors.size(); ++i) frame.setColor(i, colors[i]);
  } else if (format.color != Color::None) {
    decoded.color.read(frame.color.data(), std::int64_t(frame.color.size()));
  }
  if (format.depth != Depth::None)
    decoded.depth.read(frame.depth.data(), std::int64_t(frame.depth.size() * 4));
  return frame;
}

// ---- Compositing two images

void GpuCompositor::composite(const DeviceImage& front, const DeviceImage& back,
                              DeviceImage& result) {
  FATHOM_CHECK(front.indexed && back.indexed);
  FATHOM_CHECK(front.format == back.format);
  FATHOM_CHECK(front.width == back.width && front.height == back.height);
  FATHOM_CHECK(&result != &front && &result != &back);
  result.reserve(gpu_, front.format, front.width, front.height, unite(front.region, back.region));
  if (result.region.empty()) return result.writeEmpty();
  const auto bindMasks = [&](gpu::Pass& pass, const shared::Params& target) {
    pass.storage(AP_BIND_FRONT_MASKS, front.masks)
        .storage(AP_BIND_BACK_MASKS, back.masks)
        .params(AP_BIND_PARAMS, shared::CompositeParams{target, sourceOf(front), sourceOf(back)});
  };
  std::vector<gpu::Define> defines{writer_.spreadDefine()};
  std::vector<gpu::PassKey> keys{{"unite masks", "shaders/active_pixel/unite_masks.comp", defines}};
  for (const gpu::Define& define : definesOf(result.format)) defines.push_back(define);
  defines.push_back(windowedDefine(gpu_, result));
  keys.push_back({"composite payloads", "shaders/active_pixel/composite.comp", defines});
  keys.push_back(ImageWriter::scanKey(result.format));
  gpu_.request(keys);
  gpu::Pass& unite = gpu_.pass(keys[0]);
  bindMasks(unite, writer_.params(result));
  writer_.mark(result, unite);
  writer_.scan(result);

  const gpu::TexelView frontWords(gpu_, front.words), backWords(gpu_, back.words);
  writer_.writeRuns(result, keys[1], [&](gpu::Pass& pass, const shared::Params& target) {
    bindMasks(pass, target);
    pass.storage(AP_BIND_FRONT_PREFIX, front.prefix)
        .storage(AP_BIND_BACK_PREFIX, back.prefix)
        .texels(AP_TEXTURE_COLOR, frontWords)
        .texels(AP_TEXTURE_DEPTH, backWords);
  });
}

}  // namespace fathom::active_pixel
