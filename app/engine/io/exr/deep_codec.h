// SPDX-License-Identifier: BSD-3-Clause
// The payload of one chunk of a deep EXR: count tables and channel planes, packed as none, rle,
// zips or zip (which is zips over 16 rows). Bytes in, bytes out; no files, no images.
//
// Before packing, both methods put the even bytes in front of the odd ones and keep only
// differences:
//   raw      b0 b1 b2 b3 b4 ...
//   split    b0 b2 b4 ... b1 b3 ...
//   delta    d0 = s0, d[i] = s[i] - s[i-1] + 128
// A block that packing would not shorten is stored raw. The count table of a tile cut by the border
// is stored raw in the size of a whole tile, and packed when that is shorter than a whole tile's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_compressor;
struct libdeflate_decompressor;

namespace fathom::deep_codec {

enum class Method { None, Rle, Zip };

/// Neighboring chunks that one job packs or unpacks, with one scratch space.
inline constexpr std::size_t kMaxChunksPerJob = 4;

/// The most bytes that `packedBytes` of this method can stand for; a larger claim means damage.
std::uint64_t largestUnpacked(Method method, std::uint64_t packedBytes);

/// Holds the scratch space of one thread.
class Unpacker {
 public:
  Unpacker();
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  /// Unpacks into exactly `raw`. False when the block is damaged or of another length. A block of
  /// `storedBytes` is raw (and may be longer than `raw`: padded).
  bool unpack(Method method, std::span<const std::byte> packed, std::span<std::byte> raw,
              std::size_t storedBytes);
  bool unpack(Method method, std::span<const std::byte> packed, std::span<std::byte> raw) {
    return unpack(method, packed, raw, raw.size());
  }

 private:
  libdeflate_decompressor* inflate_;
  std::vector<std::byte> split_;
};

class Packer {
 public:
  /// `level` is libdeflate's, 1 (fast) .. 12 (small); ignored by the other methods.
  Packer(Method method, int level);
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  /// The packed block, or the raw one padded with zeros to `storedBytes` (at least raw.size()) when
  /// packing does not get below that.
  std::vector<std::byte> pack(std::span<const std::byte> raw, std::size_t storedBytes);
  std::vector<std::byte> pack(std::span<const std::byte> raw) { return pack(raw, raw.size()); }

 private:
  void packRle(std::vector<std::byte>& packed) const;
  Method method_;
  libdeflate_compressor* deflate_ = nullptr;
  std::vector<std::byte> split_;
};

}  // namespace fathom::deep_codec
