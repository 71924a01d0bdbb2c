// SPDX-License-Identifier: BSD-3-Clause
// Buffers are kept while they are large enough; those of IceT's bytes have exactly bufferBytes().
#include "app/engine/active_pixel/compress/device_image.h"

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

}  // namespace fathom::active_pixel
