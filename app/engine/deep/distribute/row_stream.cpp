// SPDX-License-Identifier: BSD-3-Clause
// Numbers of fragments, less those of the pixel to the left or what they and their left neighbors
// lead to, in planes of bytes that are deflated in blocks.
#include "app/engine/deep/distribute/row_stream.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/io/deflate.h"

namespace fathom::deep {
namespace {

constexpr std::uint32_t kMagic = 0x4C504446;  // "FDPL"
constexpr std::uint32_t kVersion = 5;
constexpr std::uint32_t kReach = 64;           // fragments that a nearest one is looked for among
constexpr std::uint64_t kDeflateLimit = 1032;  // bytes that one deflated byte can stand for
constexpr std::size_t kBlockBytes = 8192;      // from which on a block is complete

struct StreamHeader {
  std::uint32_t magic, version, format, hasZBack, input;
  Rect window;
  std::uint32_t fragments;
  std::uint32_t checksum;  // of all that follows
};

/// A number of each fragment: bits of a word, or the value of a channel of an Indexed image.
struct Plane {
  int word, shift, bits;
  int lessWord = -1, lessShift = 0;  // the bits that are taken off it; -1: none
  std::size_t channel = 0;           // where `word` is below 0

  std::uint32_t mask() const { return UINT32_MAX >> (32 - bits); }
  std::uint32_t less(const std::uint32_t* words) const {
    return lessWord < 0 ? 0 : words[lessWord] >> lessShift & mask();
  }
};

/// Z first.
std::vector<Plane> planesOf(const DeepImage& image) {
  if (image.format == FragmentFormat::Rgba8)
    return {{1, 0, 32}, {0, 0, 8}, {0, 8, 8, 0, 0}, {0, 16, 8, 0, 8}, {0, 24, 8}};
  std::vector<Plane> planes{{2, 0, 32}};
  const bool indexed = image.format == FragmentFormat::Indexed;
  if (image.hasZBack || indexed) planes.push_back({3, 0, 32, 2});
  for (std::size_t c = 0; indexed && c < image.channels.size(); ++c)
    planes.push_back({-1, 0, int(8 * bytesPerValue(image.channels[c].type)), -1, 0, c});
  if (!indexed)
    planes.insert(planes.end(), {{0, 0, 16}, {0, 16, 16, 0, 0}, {1, 0, 16, 0, 16}, {1, 16, 16}});
  return planes;
}

/// Differences within so many bits, small ones of both signs as small numbers; and back.
std::uint32_t folded(std::uint32_t d, int bits) {
  const auto wide = std::uint32_t(std::int32_t(d << (32 - bits)) >> (32 - bits));
  return ((wide << 1) ^ (0u - (wide >> 31))) & (UINT32_MAX >> (32 - bits));
}
std::uint32_t unfolded(std::uint32_t f) { return (f >> 1) ^ (0u - (f & 1)); }

/// For each fragment the one of the pixel to the left that is nearest in Z, plus 1; the one before
/// where there is none. `starts`: where lists begin, and the end. step(fragment) is called with a
/// guess in like[fragment] for each, one after the other, and has z[fragment] when it returns.
template <class Step>
void findLike(std::span<const std::uint32_t> starts, std::size_t width,
              const std::vector<std::uint32_t>& z, std::vector<std::uint32_t>& like,
              const Step& step) {
  like.resize(starts.back());
  for (std::size_t p = 0; p + 1 < starts.size(); ++p) {
    const std::uint32_t end = starts[p],
                        first = p % width != 0 ? starts[p - 1] : end;  // to the left
    std::uint32_t expected = first;  // behind the last that was found
    for (std::uint32_t i = end; i < starts[p + 1]; ++i) {
      like[i] = expected < end ? expected + 1 : i;
      step(i);
      if (first == end) continue;
      const auto away = [&](std::uint32_t of) { return std::abs(std::int64_t(z[of]) - z[i]); };
      std::uint32_t at = std::min(expected, end - 1);
      const std::uint32_t low = std::max(first, at - std::min(at, kReach)),
                          high = at + std::min(end - 1 - at, kReach);
      while (at < high && away(at + 1) <= away(at)) ++at;
      while (at > low && away(at - 1) < away(at)) --at;
      like[i] = expected = at + 1;
    }
  }
}

/// What a fragment has if it has what the one like it has; with `trend`, if it goes on from the one
/// like that.
std::uint32_t guess(const std::vector<std::uint32_t>& values,
                    const std::vector<std::uint32_t>& like, std::size_t i, bool trend) {
  if (like[i] == 0) return 0;
  const std::uint32_t value = values[like[i] - 1], before = trend ? like[like[i] - 1] : 0;
  return before > 0 ? 2 * value - values[before - 1] : value;
}

/// Appends planes of bytes in blocks, which are deflated one by one. A block holds whole planes,
/// small ones together.
class BlockWriter {
 public:
  BlockWriter(std::vector<std::byte>& out, int level) : out_(out), level_(level) {}

  void put(std::byte byte) { block_.push_back(byte); }
  /// A plane per byte, the lowest first.
  void put(std::span<const std::uint32_t> numbers, int bits) {
    for (int shift = 0; shift < bits; shift += 8) {
      const std::size_t before = block_.size();
      block_.resize(before + numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i)
        block_[before + i] = std::byte(numbers[i] >> shift);
      if (block_.size() >= kBlockBytes) finish();
    }
  }
  void finish() {
    if (block_.empty()) return;
    const std::size_t at = out_.size();
    out_.resize(at + 2 * sizeof(std::uint32_t));
    const auto length = std::uint32_t(deflateTo(out_, block_, level_));
    store(out_.data() + at, std::uint32_t(block_.size()));
    store(out_.data() + at + sizeof length, length);
    block_.clear();
  }

 private:
  std::vector<std::byte>& out_;
  std::vector<std::byte> block_;
  int level_;
};

/// The other way, from the bytes of a stream; `most` numbers are in a plane.
class BlockReader {
 public:
  BlockReader(std::span<const std::byte> rest, std::size_t most) : rest_(rest), most_(most) {}

  bool atEnd() const { return rest_.empty() && at_ == block_.size(); }
  std::span<const std::byte> take(std::size_t count) {
    if (at_ == block_.size()) next();
    if (block_.size() - at_ < count)
      fail("deep stream: expected {} bytes in a block, found {}", count, block_.size() - at_);
    return std::span(block_).subspan(std::exchange(at_, at_ + count), count);
  }
  void take(std::span<std::uint32_t> numbers, int bits) {
    for (int shift = 0; shift < bits; shift += 8) {
      const std::span<const std::byte> plane = take(numbers.size());
      for (std::size_t i = 0; i < plane.size(); ++i)
        numbers[i] = (shift > 0 ? numbers[i] : 0) | std::to_integer<std::uint32_t>(plane[i])
                                                        << shift;
    }
  }

 private:
  void next() {
    constexpr std::size_t kHead = 2 * sizeof(std::uint32_t);
    const bool there = rest_.size() >= kHead;
    const std::size_t bytes = there ? load<std::uint32_t>(rest_.data()) : 0,
                      length = there ? load<std::uint32_t>(rest_.data() + kHead / 2) : 0;
    if (!there || length > rest_.size() - kHead || bytes > kBlockBytes + most_ ||
        bytes > length * kDeflateLimit)
      fail("deep stream: expected a block, found {} bytes", rest_.size());
    block_.resize(bytes), at_ = 0;
    if (!inflateInto(block_, rest_.subspan(kHead, length)))
      fail("deep stream: expected {} bytes in a block, found a damaged one", bytes);
    rest_ = rest_.subspan(kHead + length);
  }

  std::span<const std::byte> rest_;
  std::size_t most_, at_ = 0;
  std::vector<std::byte> block_;
};

}  // namespace

DeepImage trimmed(const DeepImage& image, const Rect& window, std::uint32_t firstIndex) {
  const Rect part = intersect(window, image.dataWindow);
  const auto offsetAt = [&](int x, int y) {  // x may be the right border
    return image.fragmentOffsets[image.pixelIndex(0, y) + std::size_t(x)];
  };
  Rect box;
  for (int y = part.y; y < part.bottom(); ++y) {
    if (offsetAt(part.x, y) == offsetAt(part.right(), y)) continue;
    int left = part.x, right = part.right();
    while (offsetAt(left + 1, y) == offsetAt(left, y)) ++left;
    while (offsetAt(right - 1, y) == offsetAt(right, y)) --right;
    box = unite(box, {left, y, right - left, 1});
  }
  DeepImage out = emptyLike(image, box);
  const auto stride = std::size_t(image.stride());
  for (int y = box.y; y < box.bottom(); ++y) {
    const std::size_t first = offsetAt(box.x, y), base = out.fragmentOffsets.back();
    for (int x = box.x; x < box.right(); ++x)
      out.fragmentOffsets.push_back(base + offsetAt(x + 1, y) - first);
    out.words.insert(out.words.end(), image.words.begin() + std::ptrdiff_t(first * stride),
                     image.words.begin() + std::ptrdiff_t(offsetAt(box.right(), y) * stride));
  }
  if (image.format != FragmentFormat::Indexed) return out;
  for (std::size_t i = 0; i < out.words.size(); i += stride) out.words[i] -= firstIndex;
  gather(std::span(&image, 1), out);
  return out;
}

std::vector<std::byte> encodeRows(const DeepImage& image, const Rect& rows, const StreamTag& tag) {
  const Rect& all = image.dataWindow;
  const Rect window = intersect(all, {all.x, rows.y, all.width, rows.height});
  if (window.empty()) return {};
  const std::size_t* offsets = &image.fragmentOffsets[image.pixelIndex(window.x, window.y)];
  const auto pixels = std::size_t(window.area());
  const std::size_t fragments = offsets[pixels] - offsets[0];
  if (fragments == 0) return {};
  if (fragments >= UINT32_MAX)
    fail("deep image: expected less than 2^32 fragments in one region, found {}", fragments);
  std::vector<std::uint32_t> starts, numbers(pixels);
  for (std::size_t p = 0; p <= pixels; ++p)
    starts.push_back(std::uint32_t(offsets[p] - offsets[0]));
  for (std::size_t p = 0; p < pixels; ++p) numbers[p] = starts[p + 1] - starts[p];
  std::vector<std::byte> stream(sizeof(StreamHeader));
  BlockWriter blocks(stream, tag.level);
  blocks.put(numbers, 32);

  const auto stride = std::size_t(image.stride());
  const std::uint32_t* const words = image.words.data() + offsets[0] * stride;
  std::vector<std::uint32_t> like, values(fragments), differences[2];
  for (auto& each : differences) each.resize(fragments);
  for (const Plane& plane : planesOf(image)) {
    const auto bytes = std::size_t(plane.bits / 8);
    for (std::size_t i = 0; i < fragments; ++i) {
      const std::uint32_t* own = words + i * stride;
      if (plane.word < 0)
        std::memcpy(&values[i], &image.channels[plane.channel].values[own[0] * bytes], bytes);
      else
        values[i] = (own[plane.word] >> plane.shift) - plane.less(own);
    }
    std::uint64_t costs[2] = {};
    const auto differ = [&](std::size_t i) {
      for (const bool trend : {false, true}) {
        differences[trend][i] = folded(values[i] - guess(values, like, i, trend), plane.bits);
        costs[trend] += std::uint64_t(std::bit_width(differences[trend][i]));
      }
    };
    if (like.empty())
      findLike(starts, std::size_t(window.width), values, like, differ);
    else
      for (std::size_t i = 0; i < fragments; ++i) differ(i);
    const bool trend = costs[true] < costs[false];
    blocks.put(std::byte(trend));
    blocks.put(differences[trend], plane.bits);
  }
  blocks.finish();
  StreamHeader header{kMagic,    kVersion, std::uint32_t(image.format), image.hasZBack,
                      tag.input, window,   std::uint32_t(fragments),    0};
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
  if (h.format != std::uint32_t(limits.like.format) ||
      h.hasZBack != std::uint32_t(limits.like.hasZBack))
    fail("deep stream: expected fragments of format {}, found {}", int(limits.like.format),
         h.format);
  const Rect& r = limits.region;
  if (h.window.empty() || h.window.x < r.x || h.window.y < r.y || h.window.width > r.width ||
      h.window.height > r.height || h.window.x - r.x > r.width - h.window.width ||
      h.window.y - r.y > r.height - h.window.height)
    fail("deep stream: expected rows {} to {}, found others", r.y, r.bottom() - 1);
  if (h.input >= limits.inputs || h.fragments > limits.maxFragments ||
      h.fragments > stream.size() * kDeflateLimit)
    fail("deep stream: expected at most {} fragments of {} inputs, found {} of input {}",
         limits.maxFragments, limits.inputs, h.fragments, h.input);
  return h;
}

/// Where the lists of the window begin, from how many fragments each has.
std::vector<std::uint32_t> startsOf(const StreamHeader& h, std::span<const std::uint32_t> counts) {
  std::vector<std::uint32_t> starts{0};
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts) {
    sum += count;
    if (sum > h.fragments) break;
    starts.push_back(std::uint32_t(sum));
  }
  if (sum != h.fragments) fail("deep stream: expected {} fragments, found {}", h.fragments, sum);
  return starts;
}

/// The same for the region around it.
std::vector<std::size_t> offsetsOf(const Rect& region, const Rect& window,
                                   std::span<const std::uint32_t> starts) {
  std::vector<std::size_t> offsets{0};
  offsets.reserve(std::size_t(region.area()) + 1);
  for (int y = region.y; y < region.bottom(); ++y)
    for (int x = region.x; x < region.right(); ++x) {
      const std::size_t pixel =
          std::size_t(y - window.y) * std::size_t(window.width) + std::size_t(x - window.x);
      offsets.push_back(window.contains(x, y) ? starts[pixel + 1] : offsets.back());
    }
  return offsets;
}

}  // namespace

DecodedRows decodeRows(std::span<const std::byte> stream, const StreamLimits& limits) {
  const StreamHeader h = headerOf(stream, limits);
  std::vector<std::uint32_t> numbers(std::size_t(h.window.area()));
  BlockReader blocks(stream.subspan(sizeof h), std::max(numbers.size(), std::size_t(h.fragments)));
  blocks.take(numbers, 32);
  const std::vector<std::uint32_t> starts = startsOf(h, numbers);

  DecodedRows decoded{h.input, emptyLike(limits.like, limits.region)};
  DeepImage& image = decoded.image;
  image.fragmentOffsets = offsetsOf(limits.region, h.window, starts);
  const auto stride = std::size_t(image.stride());
  const std::size_t fragments = h.fragments;
  image.words.resize(fragments * stride);
  numbers.resize(fragments);
  std::vector<std::uint32_t> like;
  for (const Plane& plane : planesOf(image)) {
    const auto bytes = std::size_t(plane.bits / 8);
    const std::byte trend = blocks.take(1)[0];
    if (trend > std::byte(1)) fail("deep stream: expected 0 or 1 ahead of a plane, found another");
    blocks.take(numbers, plane.bits);
    const auto add = [&](std::size_t i) {
      numbers[i] =
          (unfolded(numbers[i]) + guess(numbers, like, i, trend == std::byte(1))) & plane.mask();
    };
    if (like.empty())
      findLike(starts, std::size_t(h.window.width), numbers, like, add);
    else
      for (std::size_t i = 0; i < fragments; ++i) add(i);
    if (plane.word < 0) image.channels[plane.channel].values.resize(fragments * bytes);
    for (std::size_t i = 0; i < fragments; ++i) {
      std::uint32_t* const own = &image.words[i * stride];
      if (plane.word < 0)
        std::memcpy(&image.channels[plane.channel].values[i * bytes], &numbers[i], bytes);
      else
        own[plane.word] |= ((numbers[i] + plane.less(own)) & plane.mask()) << plane.shift;
    }
  }
  if (!blocks.atEnd()) fail("deep stream: expected its end, found more bytes");
  const bool indexed = image.format == FragmentFormat::Indexed;
  for (std::size_t i = 0; i < image.words.size(); i += stride) {
    if (indexed) image.words[i] = std::uint32_t(i / stride);
    if (stride == kWideWords && !indexed && !image.hasZBack)
      image.words[i + 3] = image.words[i + 2];
  }
  return decoded;
}

}  // namespace fathom::deep
