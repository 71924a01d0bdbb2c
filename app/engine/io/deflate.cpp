// SPDX-License-Identifier: BSD-3-Clause
// libdeflate.
#include "app/engine/io/deflate.h"

#include <libdeflate.h>

namespace fathom {
namespace {

libdeflate_compressor* compressorOf(int level) {
  thread_local std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> made(
      nullptr, libdeflate_free_compressor);
  thread_local int madeLevel = 0;
  if (!made || madeLevel != level) {
    made.reset(libdeflate_alloc_compressor(level));
    madeLevel = level;
    if (!made) throw std::bad_alloc();
  }
  return made.get();
}

libdeflate_decompressor* decompressor() {
  thread_local std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
      made(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!made) throw std::bad_alloc();
  return made.get();
}

}  // namespace

std::size_t deflateTo(std::vector<std::byte>& out, std::span<const std::byte> bytes, int level) {
  const std::size_t before = out.size();
  std::size_t packed = 0;
  out.resize(before + bytes.size());
  if (level > 0 && bytes.size() > 1)
    packed = libdeflate_deflate_compress(compressorOf(level), bytes.data(), bytes.size(),
                                         out.data() + before, bytes.size() - 1);
  if (packed == 0) {
    std::copy(bytes.begin(), bytes.end(), out.begin() + std::ptrdiff_t(before));
    packed = bytes.size();
  }
  out.resize(before + packed);
  return packed;
}

bool inflateInto(std::span<std::byte> bytes, std::span<const std::byte> packed) {
  if (packed.size() == bytes.size()) {
    std::copy(packed.begin(), packed.end(), bytes.begin());
    return true;
  }
  return libdeflate_deflate_decompress(decompressor(), packed.data(), packed.size(), bytes.data(),
                                       bytes.size(), nullptr) == LIBDEFLATE_SUCCESS;
}

std::size_t deflateZlibInto(std::span<std::byte> room, std::span<const std::byte> bytes,
                            int level) {
  return libdeflate_zlib_compress(compressorOf(level), bytes.data(), bytes.size(), room.data(),
                                  room.size());
}

bool inflateZlibInto(std::span<std::byte> bytes, std::span<const std::byte> packed) {
  return libdeflate_zlib_decompress(decompressor(), packed.data(), packed.size(), bytes.data(),
                                    bytes.size(), nullptr) == LIBDEFLATE_SUCCESS;
}

std::string inflatedZlib(std::string_view packed) {
  constexpr std::size_t kMaxRatio = 1032;
  std::string bytes(packed.size() * kMaxRatio, '\0');
  std::size_t count = 0;
  const auto result = libdeflate_zlib_decompress(decompressor(), packed.data(), packed.size(),
                                                 bytes.data(), bytes.size(), &count);
  return result == LIBDEFLATE_SUCCESS ? bytes.substr(0, count) : std::string();
}

std::uint32_t crc32(std::span<const std::byte> bytes) {
  return bytes.empty() ? 0 : libdeflate_crc32(0, bytes.data(), bytes.size());
}

std::uint32_t checksumOfFile(const fs::path& file) {
  constexpr std::uint64_t kPiece = 1 << 20, kPieces = 64;
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) return 0;
  const std::uint64_t step = bytes <= kPieces * kPiece ? kPiece : (bytes - kPiece) / (kPieces - 1);
  std::vector<std::uint64_t> sums{bytes};
  std::vector<char> piece(kPiece);
  for (std::uint64_t at = 0; at < bytes && sums.size() <= kPieces; at += step) {
    stream.clear();
    stream.seekg(std::streamoff(at));
    stream.read(piece.data(), std::streamsize(kPiece));
    sums.push_back(crc32(std::as_bytes(std::span(piece.data(), std::size_t(stream.gcount())))));
  }
  return crc32(std::as_bytes(std::span(sums)));
}

std::string decodedBase64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;  // "="
    bits = bits << 6 | std::uint32_t(digit), count += 6;
    if (count >= 8) bytes += char(bits >> (count -= 8) & 255);
  }
  return bytes;
}

}  // namespace fathom
