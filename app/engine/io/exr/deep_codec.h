// SPDX-License-Identifier: BSD-3-Clause
// The payload of one chunk of a deep EXR: count tables and channel planes, packed as none, rle,
// zips, zip (which is zips over 16 rows) or zstd. Bytes in, bytes out; no files, no images.
//
// Before packing, rle and zips put the even bytes in front of the odd ones and keep only
// differences:
//   raw      b0 b1 b2 b3 b4 ...
//   split    b0 b2 b4 ... b1 b3 ...
//   delta    d0 = s0, d[i] = s[i] - s[i-1] + 128
// zstd (OpenEXR 3.5: internal_zstd.c) puts runs of 2-byte values in front of those of 4 bytes, and
// of each kind the first bytes of all values in front of the second ones, and so on:
//   "zstd-exr", version u32, flags u32, packed bytes u64, then packed: bytes u64, 2-byte values;
//   bytes u64, 4-byte values
// A block that packing would not shorten is stored raw. The count table of a tile cut by the border
// is stored raw in the size of a whole tile, and packed when that is shorter than a whole tile's.
#pragma once

#include "app/engine/core/deep_image.h"

namespace fathom::deep_codec {

/// The numbers are EXR's; Packed: fathom::deep_pack.
enum class Method { None = 0, Rle = 1, Zip = 2, Zstd = 12, Packed = -1 };

/// Neighboring chunks that one job packs or unpacks.
inline constexpr std::size_t kMaxChunksPerJob = 4;

/// The most bytes that `packedBytes` of this method can stand for; a larger claim means damage.
std::uint64_t largestUnpacked(Method method, std::uint64_t packedBytes);

/// Values of one width that lie together in a raw block: a channel of a row, or its count table.
struct Run {
  std::size_t width = 0, count = 0;  // 2 or 4 bytes each
};

/// Unpacks into exactly `raw`. False when the block is damaged or of another length. A block of
/// `storedBytes` (0: as many as `raw` has) is raw, and may be longer than `raw`: padded. `runs`:
/// what makes up `raw`; only zstd asks.
bool unpack(Method method, std::span<const std::byte> packed, std::span<std::byte> raw,
            std::size_t storedBytes = 0, std::span<const Run> runs = {});

/// The packed block, or the raw one padded with zeros to `storedBytes` (at least raw.size()) when
/// packing does not get below that. `level`: 1 (fast) .. 12 (small); ignored by none and rle.
std::vector<std::byte> pack(Method method, int level, std::span<const std::byte> raw,
                            std::size_t storedBytes = 0, std::span<const Run> runs = {});

}  // namespace fathom::deep_codec

namespace fathom::deep_planes {

// ---- Planes of channels and words of images

// Converts between the channel planes of a deep EXR row and the words of DeepImage. A sanitizer
// runs in between: NaN and infinities must not reach sorting and compositing.

/// What a channel of the file means to a fragment.
enum class Role { Red, Green, Blue, Alpha, Depth, BackDepth, OtherColor, OtherAlpha, Data };

struct Plane {
  Role role = Role::Data;
  ChannelType type = ChannelType::Half;
  std::size_t channel = 0;  // index into DeepImage::channels
};

Role roleOf(const DeepChannel& channel);
/// One plane per channel, in the same order.
std::vector<Plane> planesOf(const std::vector<DeepChannel>& channels);
/// Bytes of one fragment over all planes.
std::size_t fragmentBytes(const std::vector<Plane>& planes);
/// What a raw block of rows is made of; `running`: totals within each row, as a count table has
/// them.
std::vector<deep_codec::Run> runsOf(const std::vector<Plane>& planes,
                                    std::span<const std::int32_t> running, int width);
/// Half when R, G, B, A (half) and Z, ZBack (half or float) are all there is, else Indexed.
FragmentFormat formatFor(const std::vector<DeepChannel>& channels);

/// Repairs bad values in place: NaN depth to +inf (NaN ZBack to Z); unless `keepColor`, NaN and
/// infinite color and NaN alpha to 0, alpha into 0..1. `row` holds the planes one after another,
/// `count` values each.
void sanitize(const std::vector<Plane>& planes, std::span<std::byte> row, std::size_t count,
              bool keepColor, DeepRepairs& repairs);

/// Packs a row's planes into `words` (4 per fragment). Half: the color, with alpha 1 where there
/// is color but no A. Indexed: `firstIndex`, firstIndex + 1, ... Without ZBack its word is Z's.
void packWords(const std::vector<Plane>& planes, std::span<const std::byte> row, std::size_t count,
               FragmentFormat format, std::size_t firstIndex, std::uint32_t* words);

/// The inverse, for a row of fragments of any format: fills `row`, plane after plane.
void unpackWords(const std::vector<Plane>& planes, const DeepImage& image,
                 const std::uint32_t* words, std::size_t count, std::span<std::byte> row);

/// Puts a row's planes where the offsets of `image`, which has room for them, say: those of `width`
/// pixels from (x, y) on. `sorts`: each list by (Z, ZBack), keeping the order of equal ones.
void placeRow(const std::vector<Plane>& planes, std::span<const std::byte> row, int x, int y,
              int width, bool sorts, DeepImage& image, DeepRepairs& repairs);

/// Halves of a file that are not finite, mostly because the values were larger than halves can be.
class NotFiniteHalves {
 public:
  /// From any thread.
  void count(const std::string& channel, std::span<const std::byte> halves);
  /// One line that names the channels; none where all are finite.
  void warn(const fs::path& file) const;

 private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace fathom::deep_planes

// ---- Blocks of rows, packed without loss by adaptive models of what is around: the payload of
// .fdp files (deep_pack.cpp; docs/reference/fdp.md has every rule of what is done there)
namespace fathom::deep_pack {

/// Rows that are packed together.
constexpr int kBlockRows = 16;
/// Fragments per pixel of a block, as running totals of each row.
struct BlockCounts {
  int width = 0, height = 0;
  std::span<const std::int32_t> running;  // int32[height][width]
};

std::vector<std::byte> packCounts(const BlockCounts& counts);
/// int32[height][width] running totals. False when the bytes are damaged.
bool unpackCounts(std::span<const std::byte> packed, int width, std::span<std::int32_t> running);

/// The planes of a block: of each row, plane after plane. `channels` name them; one is "Z".
std::vector<std::byte> packPlanes(const std::vector<DeepChannel>& channels,
                                  const BlockCounts& counts, std::span<const std::byte> rows);
/// Fills all of `rows`. False when the bytes are damaged.
bool unpackPlanes(const std::vector<DeepChannel>& channels, const BlockCounts& counts,
                  std::span<const std::byte> packed, std::span<std::byte> rows);

}  // namespace fathom::deep_pack
