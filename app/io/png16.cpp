// SPDX-License-Identifier: BSD-3-Clause
// PNG with 16 bits per channel (ISO/IEC 15948): one zlib stream of rows, each as differences to the
// row above, which fits smooth pictures.
#include "app/core/error.h"
#include "app/io/atomic_file.h"
#include "app/io/png.h"

#include <libdeflate.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace fathom {
namespace {

constexpr std::size_t kLargestData = 0x7fffffff;  // of a chunk
constexpr std::uint8_t kFilterUp = 2;

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
};

std::array<std::byte, 4> bigEndian(std::uint32_t v) {
  return {std::byte(v >> 24), std::byte(v >> 16), std::byte(v >> 8), std::byte(v)};
}

/// Length, type, data, check sum over type and data.
void appendChunk(AtomicFile& file, const char (&type)[5], std::span<const std::byte> data) {
  file.append(bigEndian(std::uint32_t(data.size())));
  file.append(std::string_view(type, 4));
  file.append(data);
  std::uint32_t crc = libdeflate_crc32(0, type, 4);
  crc = libdeflate_crc32(crc, data.data(), data.size());
  file.append(bigEndian(crc));
}

/// Rows in the file's byte order behind their filter bytes.
std::vector<std::uint8_t> filteredRows(int height, std::size_t rowWords,
                                       std::span<const std::uint16_t> words) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(std::size_t(height) * (1 + 2 * rowWords));
  for (std::size_t y = 0; y < std::size_t(height); ++y) {
    bytes.push_back(kFilterUp);
    for (std::size_t i = 0; i < rowWords; ++i) {
      const std::uint32_t here = words[y * rowWords + i];
      const std::uint32_t above = y > 0 ? words[(y - 1) * rowWords + i] : 0u;
      bytes.push_back(std::uint8_t((here >> 8) - (above >> 8)));
      bytes.push_back(std::uint8_t(here - above));
    }
  }
  return bytes;
}

}  // namespace

void writePng16(const std::filesystem::path& path, int width, int height, int channels,
                std::span<const std::uint16_t> words) {
  FATHOM_CHECK(channels == 3 || channels == 4);
  const std::size_t rowWords = std::size_t(width) * std::size_t(channels);
  FATHOM_CHECK_OP(words.size(), ==, rowWords * std::size_t(height));
  if (width <= 0 || height <= 0 || words.size() > kLargestData / 4)
    fail("{}: expected a picture of 1 to {} bytes, found {}x{}", path.string(), kLargestData / 2,
         width, height);
  const std::vector<std::uint8_t> rows = filteredRows(height, rowWords, words);
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(6));
  if (!compressor)
    fail("{}: expected memory to encode {}x{}, found none", path.string(), width, height);
  std::vector<std::byte> packed(libdeflate_zlib_compress_bound(compressor.get(), rows.size()));
  const std::size_t size = libdeflate_zlib_compress(compressor.get(), rows.data(), rows.size(),
                                                    packed.data(), packed.size());
  FATHOM_CHECK_OP(size, >, 0u);

  AtomicFile file(path);
  file.append(std::string_view("\x89PNG\r\n\x1a\n", 8));
  std::vector<std::byte> header;
  for (const std::uint32_t v : {std::uint32_t(width), std::uint32_t(height)})
    for (const std::byte b : bigEndian(v)) header.push_back(b);
  // 16 bits, RGB or RGBA, deflate, adaptive filters, not interlaced
  for (const int v : {16, channels == 4 ? 6 : 2, 0, 0, 0}) header.push_back(std::byte(v));
  appendChunk(file, "IHDR", header);
  appendChunk(file, "IDAT", std::span(packed.data(), size));
  appendChunk(file, "IEND", {});
  file.commit();
}

}  // namespace fathom
