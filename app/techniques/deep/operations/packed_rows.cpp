// SPDX-License-Identifier: BSD-3-Clause
// Packing on the host, streams, and the way back.
#include "app/techniques/deep/operations/packed_rows.h"

#include "app/core/bytes.h"
#include "app/core/error.h"
#include "app/io/checksum.h"
#include "app/io/deflate.h"

#include <algorithm>

namespace fathom::deep {
namespace {

constexpr std::uint32_t kMagic = 0x4C504446;  // "FDPL"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kDeflateLimit = 1032;  // bytes that one deflated byte can stand for

struct StreamHeader {
  std::uint32_t magic, version, format, hasZBack, input;
  std::int32_t x, y, width, rows;
  std::uint32_t runs, pixels, fragments, zBefore, planes;
  std::uint32_t checksum;  // of all that follows
};

// Planes
// -------------------------------------------------------------------------------------------------

std::uint32_t fold(std::uint32_t d) { return (d << 1) ^ (0u - (d >> 31)); }
std::uint32_t unfold(std::uint32_t f) { return (f >> 1) ^ (0u - (f & 1)); }

/// A difference of colors within `bits`.
std::uint32_t foldColor(std::uint32_t d, int bits) {
  const auto wide = std::uint32_t(std::int32_t(d << (32 - bits)) >> (32 - bits));
  return fold(wide) & ((1u << bits) - 1);
}

/// Writes or reads the bytes of one value, low ones first, in neighboring planes.
struct PlaneBytes {
  std::byte* at;       // the fragment's byte of plane 0
  std::size_t stride;  // to the next plane
  void put(std::uint32_t value, int bytes) {
    for (int b = 0; b < bytes; ++b, at += stride) *at = std::byte(value >> (8 * b));
  }
};
struct ConstPlaneBytes {
  const std::byte* at;
  std::size_t stride;
  std::uint32_t take(int bytes) {
    std::uint32_t value = 0;
    for (int b = 0; b < bytes; ++b, at += stride)
      value |= std::to_integer<std::uint32_t>(*at) << (8 * b);
    return value;
  }
};

int colorBytes(FragmentFormat format) { return format == FragmentFormat::Rgba8 ? 1 : 2; }

void putColor(FragmentFormat format, const std::uint32_t* words, PlaneBytes& out) {
  const int bytes = colorBytes(format), bits = 8 * bytes;
  const std::uint64_t all =
      format == FragmentFormat::Rgba8 ? words[0] : words[0] | std::uint64_t(words[1]) << 32;
  const auto channel = [&](int i) { return std::uint32_t(all >> (bits * i)) & ((1u << bits) - 1); };
  out.put(channel(0), bytes);
  out.put(foldColor(channel(1) - channel(0), bits), bytes);
  out.put(foldColor(channel(2) - channel(1), bits), bytes);
  out.put(channel(3), bytes);
}

void takeColor(FragmentFormat format, ConstPlaneBytes& in, std::uint32_t* words) {
  const int bytes = colorBytes(format), bits = 8 * bytes;
  const std::uint32_t mask = (1u << bits) - 1;
  const std::uint32_t r = in.take(bytes), g = (r + unfold(in.take(bytes))) & mask,
                      b = (g + unfold(in.take(bytes))) & mask, a = in.take(bytes);
  if (format == FragmentFormat::Rgba8) {
    words[0] = r | g << 8 | b << 16 | a << 24;
    return;
  }
  words[0] = r | g << 16;
  words[1] = b | a << 16;
}

void putValues(const DeepImage& image, std::size_t index, PlaneBytes& out) {
  for (const DeepChannel& channel : image.channels) {
    const std::size_t bytes = bytesPerValue(channel.type);
    const std::byte* value = channel.values.data() + index * bytes;
    for (std::size_t b = 0; b < bytes; ++b, out.at += out.stride) *out.at = value[b];
  }
}

}  // namespace

std::size_t planeCount(FragmentFormat format, bool hasZBack,
                       const std::vector<DeepChannel>& channels) {
  if (format == FragmentFormat::Rgba8) return 8;
  if (format == FragmentFormat::Half) return hasZBack ? 16 : 12;
  std::size_t planes = 8;
  for (const DeepChannel& channel : channels) planes += bytesPerValue(channel.type);
  return planes;
}

// Packing
// -------------------------------------------------------------------------------------------------

namespace {

/// Runs and counts of one row; returns its fragments.
std::uint64_t packRow(const DeepImage& image, const Rect& region, int y, PackedRows& packed) {
  bool inRun = false;
  std::uint64_t fragments = 0;
  for (int x = region.x; x < region.right(); ++x) {
    const auto count = image.list(x, y).size() / std::size_t(image.stride());
    if (count > 0) {
      if (!inRun) packed.runs.insert(packed.runs.end(), 2, std::uint32_t(x - region.x));
      packed.runs.back() = std::uint32_t(x - region.x + 1);
      packed.counts.push_back(std::uint32_t(count));
    }
    inRun = count > 0;
    fragments += count;
  }
  return fragments;
}

void packFragment(const DeepImage& image, const std::uint32_t* words, std::uint32_t zBefore,
                  std::uint32_t firstIndex, bool hasZBack, PlaneBytes out) {
  const bool wide = image.format != FragmentFormat::Rgba8;
  const std::uint32_t z = words[wide ? 2 : 1];
  if (image.format == FragmentFormat::Indexed)
    putValues(image, words[0] - firstIndex, out);
  else
    putColor(image.format, words, out);
  out.put(fold(z - zBefore), 4);
  if (hasZBack || image.format == FragmentFormat::Indexed) out.put(fold(words[3] - z), 4);
}

}  // namespace

PackedRows packRows(const DeepImage& image, const Rect& region, std::uint32_t firstIndex) {
  PackedRows packed;
  packed.region = region, packed.format = image.format, packed.hasZBack = image.hasZBack;
  std::uint64_t fragments = 0;
  for (int y = region.y; y <= region.bottom(); ++y) {
    packed.rows.push_back({std::uint32_t(fragments), std::uint32_t(packed.counts.size()),
                           std::uint32_t(packed.runs.size() / 2), 0});
    if (y < region.bottom()) fragments += packRow(image, region, y, packed);
  }
  if (fragments > UINT32_MAX)
    fail("deep image: expected at most 2^32 fragments in one region, found {}", fragments);

  packed.planeBytes = (fragments + 3) / 4 * 4;
  packed.planes.resize(packed.planeBytes *
                       planeCount(image.format, image.hasZBack, image.channels));
  const std::size_t stride = std::size_t(image.stride()), zWord = stride == 2 ? 1 : 2;
  std::size_t at = 0;
  std::uint32_t before = 0;
  for (int y = region.y; y < region.bottom(); ++y) {
    packed.rows[std::size_t(y - region.y)].zBefore = before;
    for (int x = region.x; x < region.right(); ++x) {
      const std::span<const std::uint32_t> list = image.list(x, y);
      for (std::size_t w = 0; w < list.size(); w += stride, ++at) {
        packFragment(image, &list[w], before, firstIndex, image.hasZBack,
                     {packed.planes.data() + at, packed.planeBytes});
        before = list[w + zWord];
      }
    }
  }
  packed.rows.back().zBefore = before;
  return packed;
}

// Streams
// -------------------------------------------------------------------------------------------------

namespace {

/// Each value in four planes of bytes, all planes one after the other.
std::vector<std::byte> inPlanes(const std::vector<std::uint32_t>& values) {
  std::vector<std::byte> planes(values.size() * 4);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t b = 0; b < 4; ++b)
      planes[b * values.size() + i] = std::byte(values[i] >> (8 * b));
  return planes;
}

std::vector<std::uint32_t> fromPlanes(const std::vector<std::byte>& planes) {
  std::vector<std::uint32_t> values(planes.size() / 4);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t b = 0; b < 4; ++b)
      values[i] |= std::to_integer<std::uint32_t>(planes[b * values.size() + i]) << (8 * b);
  return values;
}

void appendBlock(std::vector<std::byte>& out, std::span<const std::byte> bytes, int level) {
  const std::size_t length = out.size();
  out.resize(length + sizeof(std::uint64_t));
  store(out.data() + length, std::uint64_t(deflateTo(out, bytes, level)));
}

/// The next block of a stream; shortens `rest`. Throws Error.
class BlockReader {
 public:
  explicit BlockReader(std::span<const std::byte> rest) : rest_(rest) {}
  std::vector<std::byte> take(std::uint64_t bytes) {
    std::uint64_t length = 0;
    if (rest_.size() >= sizeof length) {
      length = load<std::uint64_t>(rest_.data());
      rest_ = rest_.subspan(sizeof length);
    }
    if (length > rest_.size() || bytes > length * kDeflateLimit)
      fail("deep stream: expected {} bytes in a block, found too few", bytes);
    std::vector<std::byte> block(bytes);
    if (!inflateInto(block, rest_.first(length)))
      fail("deep stream: expected {} bytes in a block, found a damaged one", bytes);
    rest_ = rest_.subspan(length);
    return block;
  }
  bool atEnd() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace

std::vector<std::byte> encodeRows(const PackedRows& packed, int first, int last,
                                  const StreamTag& tag) {
  const PackedRows::Row &from = packed.rows[std::size_t(first)],
                        &to = packed.rows[std::size_t(last)];
  if (from.fragment == to.fragment) return {};
  const std::size_t planes = packed.planeBytes ? packed.planes.size() / packed.planeBytes : 0;
  StreamHeader header{kMagic,
                      kVersion,
                      std::uint32_t(packed.format),
                      packed.hasZBack,
                      tag.input,
                      packed.region.x,
                      packed.region.y + first,
                      packed.region.width,
                      last - first,
                      to.run - from.run,
                      to.pixel - from.pixel,
                      to.fragment - from.fragment,
                      from.zBefore,
                      std::uint32_t(planes),
                      0};
  std::vector<std::uint32_t> table;
  for (int y = first; y < last; ++y)
    table.push_back(packed.rows[std::size_t(y) + 1].run - packed.rows[std::size_t(y)].run);
  for (const std::size_t end : {0u, 1u})
    for (std::size_t run = from.run; run < to.run; ++run)
      table.push_back(packed.runs[2 * run + end]);
  table.insert(table.end(), packed.counts.begin() + from.pixel, packed.counts.begin() + to.pixel);

  std::vector<std::byte> stream(sizeof header);
  appendBlock(stream, inPlanes(table), tag.level);
  for (std::size_t p = 0; p < planes; ++p)
    appendBlock(
        stream,
        std::span(packed.planes).subspan(p * packed.planeBytes + from.fragment, header.fragments),
        tag.level);
  header.checksum = crc32(std::span(stream).subspan(sizeof header));
  store(stream.data(), header);
  return stream;
}

namespace {

/// Throws unless the header is that of a stream within the limits.
StreamHeader headerOf(std::span<const std::byte> stream, const StreamLimits& limits) {
  if (stream.size() < sizeof(StreamHeader))
    fail("deep stream: expected a header of {} bytes, found {}", sizeof(StreamHeader),
         stream.size());
  const auto h = load<StreamHeader>(stream.data());
  if (h.magic != kMagic) fail("deep stream: expected its mark, found {:08x}", h.magic);
  if (h.version != kVersion)
    fail("deep stream: expected version {}, found {}", kVersion, h.version);
  if (h.checksum != crc32(stream.subspan(sizeof h)))
    fail("deep stream: expected its checksum, found another: damaged on the way");
  if (h.format != std::uint32_t(limits.format) || h.hasZBack != std::uint32_t(limits.hasZBack) ||
      h.planes != planeCount(limits.format, limits.hasZBack, limits.channels))
    fail("deep stream: expected fragments of format {}, found {}", int(limits.format), h.format);
  const Rect found{h.x, h.y, h.width, h.rows};
  if (!(found == limits.region) || limits.region.empty())
    fail("deep stream: expected rows {} to {}, found others", limits.region.y,
         limits.region.bottom() - 1);
  const auto area = std::uint64_t(limits.region.area());
  if (h.input >= limits.inputs || h.fragments > limits.maxFragments || h.pixels > area ||
      h.pixels > h.fragments || h.runs > h.pixels)
    fail("deep stream: expected at most {} fragments of {} inputs, found {} of input {}",
         limits.maxFragments, limits.inputs, h.fragments, h.input);
  return h;
}

/// Offsets of all pixels from the table of runs and counts.
std::vector<std::size_t> offsetsOf(const StreamHeader& h, const std::vector<std::uint32_t>& table) {
  const auto width = std::uint32_t(h.width), rows = std::uint32_t(h.rows);
  const std::uint32_t *first = table.data() + rows, *end = first + h.runs, *count = end + h.runs;
  std::vector<std::size_t> offsets(std::size_t(width) * rows + 1);
  std::size_t run = 0, pixel = 0, fragment = 0, at = 0;
  for (std::uint32_t y = 0; y < rows; ++y) {
    if (table[y] > h.runs - run) fail("deep stream: expected {} runs, found more", h.runs);
    std::uint32_t x = 0;
    for (std::uint32_t i = 0; i < table[y]; ++i, ++run) {
      if (first[run] < x || end[run] <= first[run] || end[run] > width ||
          end[run] - first[run] > h.pixels - pixel)
        fail("deep stream: expected runs in order, found one from {} to {}", first[run], end[run]);
      for (; x < first[run]; ++x) offsets[at++] = fragment;
      for (; x < end[run]; ++x) {
        offsets[at++] = fragment;
        fragment += count[pixel++];
      }
    }
    for (; x < width; ++x) offsets[at++] = fragment;
  }
  offsets[at] = fragment;
  if (fragment != h.fragments || run != h.runs || pixel != h.pixels)
    fail("deep stream: expected {} fragments, found {}", h.fragments, fragment);
  return offsets;
}

void takeFragments(const StreamHeader& h, const std::vector<std::byte>& planes, DeepImage& image) {
  const std::size_t count = h.fragments, stride = std::size_t(image.stride());
  image.words.resize(count * stride);
  for (DeepChannel& channel : image.channels)
    if (image.format == FragmentFormat::Indexed)
      channel.values.resize(count * bytesPerValue(channel.type));
  std::uint32_t z = h.zBefore;
  for (std::size_t i = 0; i < count; ++i) {
    ConstPlaneBytes in{planes.data() + i, count};
    std::uint32_t* words = image.words.data() + i * stride;
    if (image.format == FragmentFormat::Indexed) {
      words[0] = std::uint32_t(i), words[1] = 0;
      for (DeepChannel& channel : image.channels) {
        const std::size_t bytes = bytesPerValue(channel.type);
        for (std::size_t b = 0; b < bytes; ++b, in.at += in.stride)
          channel.values[i * bytes + b] = *in.at;
      }
    } else {
      takeColor(image.format, in, words);
    }
    z += unfold(in.take(4));
    words[stride == 2 ? 1 : 2] = z;
    if (stride == 2) continue;
    const bool backToo = image.hasZBack || image.format == FragmentFormat::Indexed;
    words[3] = backToo ? z + unfold(in.take(4)) : z;
  }
}

}  // namespace

DecodedRows decodeRows(std::span<const std::byte> stream, const StreamLimits& limits) {
  const StreamHeader h = headerOf(stream, limits);
  BlockReader blocks(stream.subspan(sizeof h));
  const std::vector<std::uint32_t> table =
      fromPlanes(blocks.take(4 * (std::uint64_t(h.rows) + 2 * std::uint64_t(h.runs) + h.pixels)));
  DecodedRows decoded;
  decoded.input = h.input;
  DeepImage& image = decoded.image;
  image.dataWindow = limits.region;
  image.format = limits.format, image.hasZBack = limits.hasZBack;
  for (const DeepChannel& channel : limits.channels)
    image.channels.push_back({channel.name, channel.type, {}});
  image.fragmentOffsets = offsetsOf(h, table);
  std::vector<std::byte> planes;
  for (std::uint32_t p = 0; p < h.planes; ++p) {
    const std::vector<std::byte> plane = blocks.take(h.fragments);
    if (p == 0) planes.reserve(std::size_t(h.planes) * h.fragments);
    planes.insert(planes.end(), plane.begin(), plane.end());
  }
  if (!blocks.atEnd()) fail("deep stream: expected its end, found more bytes");
  takeFragments(h, planes, image);
  return decoded;
}

}  // namespace fathom::deep
