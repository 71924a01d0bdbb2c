// SPDX-License-Identifier: BSD-3-Clause
// PNG as it is written (ISO/IEC 15948): 8 or 16 bits, each row as differences to its neighbors of
// the kind that leaves the smallest ones, all rows in one zlib stream.
#include "app/core/error.h"
#include "app/io/atomic_file.h"
#include "app/io/png.h"

#include <libdeflate.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace fathom {
namespace {

constexpr std::size_t kLargestRaw = std::size_t(1) << 30;

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
  if (!data.empty()) crc = libdeflate_crc32(crc, data.data(), data.size());  // null starts anew
  file.append(bigEndian(crc));
}

std::uint8_t paeth(int left, int above, int corner) {
  const int p = left + above - corner;
  const int a = std::abs(p - left), b = std::abs(p - above), c = std::abs(p - corner);
  return std::uint8_t(a <= b && a <= c ? left : b <= c ? above : corner);
}

/// One row under filter 1 (left), 2 (above) or 4 (Paeth). `step`: bytes per pixel. Returns the sum
/// of the differences, taken as signed bytes: the smaller, the better it packs.
std::uint64_t filterRow(int filter, const std::uint8_t* row, const std::uint8_t* above,
                        std::size_t bytes, std::size_t step, std::uint8_t* out) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint8_t left = i >= step ? row[i - step] : std::uint8_t(0);
    const std::uint8_t corner = i >= step ? above[i - step] : std::uint8_t(0);
    const std::uint8_t guess = filter == 1   ? left
                               : filter == 2 ? above[i]
                                             : paeth(left, above[i], corner);
    out[i] = std::uint8_t(row[i] - guess);
    sum += std::uint64_t(std::abs(int(std::int8_t(out[i]))));
  }
  return sum;
}

/// Each row behind the number of its filter.
std::vector<std::uint8_t> filterRows(int height, std::size_t rowBytes, std::size_t step,
                                     const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint8_t> rows(std::size_t(height) * (rowBytes + 1)), candidate(rowBytes);
  const std::vector<std::uint8_t> nothing(rowBytes, 0);
  const std::uint8_t* above = nothing.data();
  for (std::size_t y = 0; y < std::size_t(height); ++y) {
    const std::uint8_t* row = bytes.data() + y * rowBytes;
    std::uint8_t* out = rows.data() + y * (rowBytes + 1);
    std::uint64_t least = UINT64_MAX;
    for (const int filter : {1, 2, 4}) {
      const std::uint64_t sum = filterRow(filter, row, above, rowBytes, step, candidate.data());
      if (sum >= least) continue;
      least = sum;
      out[0] = std::uint8_t(filter);
      std::copy(candidate.begin(), candidate.end(), out + 1);
    }
    above = row;
  }
  return rows;
}

/// `bytes`: as in the file, 16-bit values with their high byte first.
void writeRows(const std::filesystem::path& path, int width, int height, int channels, int bits,
               const std::vector<std::uint8_t>& bytes) {
  FATHOM_CHECK(channels == 3 || channels == 4);
  const std::size_t step = std::size_t(channels) * std::size_t(bits / 8);
  const std::size_t rowBytes = std::size_t(width) * step;
  FATHOM_CHECK_OP(bytes.size(), ==, rowBytes * std::size_t(height));
  if (width <= 0 || height <= 0 || bytes.size() > kLargestRaw)
    fail("{}: expected a picture of 1 to {} bytes, found {}x{}", path.string(), kLargestRaw, width,
         height);
  const std::vector<std::uint8_t> rows = filterRows(height, rowBytes, step, bytes);
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
  // RGB or RGBA; deflate, adaptive filters, not interlaced
  for (const int v : {bits, channels == 4 ? 6 : 2, 0, 0, 0}) header.push_back(std::byte(v));
  appendChunk(file, "IHDR", header);
  appendChunk(file, "IDAT", std::span(packed.data(), size));
  appendChunk(file, "IEND", {});
  file.commit();
}

}  // namespace

void writePngBytes(const std::filesystem::path& path, int width, int height, int channels,
                   std::span<const std::uint8_t> bytes) {
  writeRows(path, width, height, channels, 8, {bytes.begin(), bytes.end()});
}

void writePng16(const std::filesystem::path& path, int width, int height, int channels,
                std::span<const std::uint16_t> words) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(words.size() * 2);
  for (const std::uint16_t word : words) {
    bytes.push_back(std::uint8_t(word >> 8));
    bytes.push_back(std::uint8_t(word));
  }
  writeRows(path, width, height, channels, 16, bytes);
}

}  // namespace fathom
