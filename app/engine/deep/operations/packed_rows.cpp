// SPDX-License-Identifier: BSD-3-Clause
// Predicting fragments by those before and above, packing rows, and coding them as streams.
#include "app/engine/deep/operations/packed_rows.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/io/deflate.h"

namespace fathom::deep {
namespace {

constexpr int kReach = 4;        // places that a neighbor may lie off the expected one
constexpr int kGoodEnough = 20;  // bits; the search ends
constexpr std::size_t kColorNumbers = 4, kZNumber = 4, kThicknessNumber = 5;

std::uint32_t foldBits(std::uint32_t d) { return (d << 1) ^ (0u - (d >> 31)); }
std::uint32_t unfoldBits(std::uint32_t f) { return (f >> 1) ^ (0u - (f & 1)); }
/// A difference within `bits`.
std::uint32_t foldBits(std::uint32_t d, int bits) {
  const auto wide = std::uint32_t(std::int32_t(d << (32 - bits)) >> (32 - bits));
  return foldBits(wide) & ((1u << bits) - 1);
}

/// A fragment is fresh when its best neighbor leaves more bits than this: then that one is of
/// another surface, and its changes would mislead those that follow.
int worstCost(int colorBits) { return 22 + 3 * colorBits / 4; }

}  // namespace

void FragmentPrediction::beginPixel(bool inRow) {
  left_.swap(list_);
  list_.clear();
  if (!inRow) left_.clear();
  taken_.assign(left_.size(), 0);
  expected_ = 0;
}

FragmentNumbers FragmentPrediction::missedBy(const FragmentNumbers& fragment,
                                             const Known& neighbor) const {
  FragmentNumbers missed;
  for (std::size_t i = 0; i < kColorNumbers; ++i)
    missed[i] = foldBits(fragment[i] - neighbor.at[i] - neighbor.step[i], colorBits_);
  for (std::size_t i = kColorNumbers; i < missed.size(); ++i)
    missed[i] = foldBits(fragment[i] - neighbor.at[i] - neighbor.step[i]);
  return missed;
}

/// The place in left_ that costs least, if it is worth it.
bool FragmentPrediction::find(const FragmentNumbers& fragment, Choice& best) const {
  best.cost = worstCost(colorBits_) + 1;
  const int limit = best.cost;
  const auto look = [&](std::ptrdiff_t offset) {
    const std::size_t place = expected_ + std::size_t(offset);  // wraps below 0
    if (place >= left_.size() || taken_[place]) return;
    int cost = 0;
    for (const std::uint32_t number : missedBy(fragment, left_[place]))
      cost += std::bit_width(number);
    if (offset != 0) cost += 2 + std::bit_width(std::size_t(offset < 0 ? -offset : offset));
    if (cost < best.cost) best = {place, cost};
  };
  look(0);
  for (int reach = 1; reach <= kReach && best.cost > kGoodEnough; ++reach) {
    look(reach);
    look(-reach);
  }
  return best.cost < limit;
}

void FragmentPrediction::note(const FragmentNumbers& fragment, std::ptrdiff_t neighbor) {
  Known known{fragment};
  if (neighbor >= 0) {
    const Known& before = left_[std::size_t(neighbor)];
    for (std::size_t i = 0; i < fragment.size(); ++i) known.step[i] = fragment[i] - before.at[i];
    known.hasStep = true;
    expected_ = std::size_t(neighbor) + 1;
  }
  zBefore_ = fragment[kZNumber];
  list_.push_back(known);
}

FragmentPrediction::Coded FragmentPrediction::encode(const FragmentNumbers& fragment, bool search) {
  Coded coded;
  Choice choice;
  if (search && find(fragment, choice)) {
    const Known& neighbor = left_[choice.place];
    coded.reference =
        std::uint8_t(1 + foldBits(std::uint32_t(choice.place) - std::uint32_t(expected_)));
    coded.forecast = neighbor.hasStep ? Forecast::Trend : Forecast::Neighbor;
    coded.missed = missedBy(fragment, neighbor);
    taken_[choice.place] = 1;
    note(fragment, std::ptrdiff_t(choice.place));
    return coded;
  }
  coded.missed = {fragment[0],
                  foldBits(fragment[1] - fragment[0], colorBits_),
                  foldBits(fragment[2] - fragment[1], colorBits_),
                  fragment[3],
                  foldBits(fragment[kZNumber] - zBefore_),
                  foldBits(fragment[kThicknessNumber])};
  note(fragment, -1);
  return coded;
}

std::ptrdiff_t FragmentPrediction::placeOf(std::uint8_t reference) const {
  if (reference == 0) return -1;
  const std::size_t place =
      expected_ + std::size_t(std::int32_t(unfoldBits(std::uint32_t(reference) - 1)));
  if (place >= left_.size())
    fail("deep stream: expected one of {} neighbors, found another", left_.size());
  return std::ptrdiff_t(place);
}

Forecast FragmentPrediction::forecastOf(std::uint8_t reference) const {
  const std::ptrdiff_t place = placeOf(reference);
  if (place < 0) return Forecast::Fresh;
  return left_[std::size_t(place)].hasStep ? Forecast::Trend : Forecast::Neighbor;
}

FragmentNumbers FragmentPrediction::decode(std::uint8_t reference, const FragmentNumbers& missed) {
  const std::ptrdiff_t place = placeOf(reference);
  const std::uint32_t mask = (1u << colorBits_) - 1;
  FragmentNumbers fragment;
  if (place >= 0) {
    const Known& neighbor = left_[std::size_t(place)];
    for (std::size_t i = 0; i < fragment.size(); ++i) {
      fragment[i] = neighbor.at[i] + neighbor.step[i] + unfoldBits(missed[i]);
      if (i < kColorNumbers) fragment[i] &= mask;
    }
  } else {
    const std::uint32_t g = (missed[0] + unfoldBits(missed[1])) & mask;
    fragment = {missed[0],
                g,
                (g + unfoldBits(missed[2])) & mask,
                missed[3],
                zBefore_ + unfoldBits(missed[kZNumber]),
                unfoldBits(missed[kThicknessNumber])};
  }
  note(fragment, place);
  return fragment;
}

namespace {

constexpr std::uint32_t kMagic = 0x4C504446;  // "FDPL"
constexpr std::uint32_t kVersion = 2;
constexpr std::uint64_t kDeflateLimit = 1032;  // bytes that one deflated byte can stand for

struct StreamHeader {
  std::uint32_t magic, version, format, hasZBack, input;
  std::int32_t x, y, width, rows;
  std::uint32_t runs, pixels, fragments;
  std::uint32_t fresh, neighbors;  // fragments by Forecast; the others are Trend
  std::uint32_t checksum;          // of all that follows
};

// Numbers
// -------------------------------------------------------------------------------------------------

/// Where the numbers of a fragment lie in its words, and how many bytes each takes in a stream.
struct NumberLayout {
  NumberLayout(FragmentFormat format, bool hasZBack, std::size_t values)
      : indexed(format == FragmentFormat::Indexed),
        colorBytes(indexed                           ? 0
                   : format == FragmentFormat::Rgba8 ? 1
                                                     : 2),
        thicknessBytes(hasZBack || indexed ? 4 : 0),
        valueBytes(indexed ? values : 0),
        zWord(format == FragmentFormat::Rgba8 ? 1 : 2) {}

  std::size_t planes() const { return 4 * colorBytes + 4 + thicknessBytes + valueBytes; }
  std::size_t bytesOf(std::size_t number) const {
    return number < 4 ? colorBytes : number == 4 ? 4 : thicknessBytes;
  }
  FragmentNumbers numbersOf(const std::uint32_t* words) const {
    const std::uint32_t z = words[zWord], thickness = thicknessBytes > 0 ? words[3] - z : 0;
    if (indexed) return {0, 0, 0, 0, z, thickness};
    const std::uint32_t w = words[0];
    if (colorBytes == 1) return {w & 255, w >> 8 & 255, w >> 16 & 255, w >> 24, z, 0};
    return {w & 65535, w >> 16, words[1] & 65535, words[1] >> 16, z, thickness};
  }
  void put(const FragmentNumbers& n, std::uint32_t* words) const {
    if (colorBytes == 1) words[0] = n[0] | n[1] << 8 | n[2] << 16 | n[3] << 24;
    if (colorBytes == 2) words[0] = n[0] | n[1] << 16, words[1] = n[2] | n[3] << 16;
    words[zWord] = n[4];
    if (zWord == 2) words[3] = n[4] + n[5];
  }

  bool indexed;
  std::size_t colorBytes, thicknessBytes, valueBytes, zWord;
};

std::size_t valueBytesOf(const std::vector<DeepChannel>& channels) {
  std::size_t bytes = 0;
  for (const DeepChannel& channel : channels) bytes += bytesPerValue(channel.type);
  return bytes;
}

}  // namespace

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

/// The fragments of a row, behind those that are there.
void packFragments(const DeepImage& image, const Rect& region, int y, std::uint32_t firstIndex,
                   PackedRows& packed) {
  for (int x = region.x; x < region.right(); ++x) {
    const std::span<const std::uint32_t> list = image.list(x, y);
    packed.words.insert(packed.words.end(), list.begin(), list.end());
    if (packed.valueBytes == 0) continue;
    for (std::size_t w = 0; w < list.size(); w += 4)
      for (const DeepChannel& channel : image.channels) {
        const std::size_t bytes = bytesPerValue(channel.type);
        const auto value = channel.values.begin() + std::ptrdiff_t((list[w] - firstIndex) * bytes);
        packed.values.insert(packed.values.end(), value, value + std::ptrdiff_t(bytes));
      }
  }
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

  packed.words.reserve(std::size_t(fragments) * std::size_t(image.stride()));
  if (image.format == FragmentFormat::Indexed) packed.valueBytes = valueBytesOf(image.channels);
  packed.values.reserve(std::size_t(fragments) * packed.valueBytes);
  for (int y = region.y; y < region.bottom(); ++y)
    packFragments(image, region, y, firstIndex, packed);
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
  std::vector<std::byte> packed;
  std::uint64_t length = deflateTo(packed, bytes, level);
  for (; length > 127; length >>= 7) out.push_back(std::byte(length | 128));
  out.push_back(std::byte(length));
  out.insert(out.end(), packed.begin(), packed.end());
}

/// The next block of a stream; shortens `rest`. Throws Error.
class BlockReader {
 public:
  explicit BlockReader(std::span<const std::byte> rest) : rest_(rest) {}
  /// Appends a block of so many bytes.
  void take(std::uint64_t bytes, std::vector<std::byte>& out) {
    const std::uint64_t length = takeLength();
    if (length > rest_.size() || bytes > length * kDeflateLimit)
      fail("deep stream: expected {} bytes in a block, found too few", bytes);
    const std::size_t before = out.size();
    out.resize(before + bytes);
    if (!inflateInto(std::span(out).subspan(before), rest_.first(length)))
      fail("deep stream: expected {} bytes in a block, found a damaged one", bytes);
    rest_ = rest_.subspan(length);
  }
  bool atEnd() const { return rest_.empty(); }

 private:
  std::uint64_t takeLength() {
    std::uint64_t length = 0;
    for (int shift = 0; shift < 42; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = std::to_integer<std::uint64_t>(rest_.front());
      rest_ = rest_.subspan(1);
      length |= (byte & 127) << shift;
      if (byte < 128) return length;
    }
    fail("deep stream: expected the length of a block, found its end");
  }

  std::span<const std::byte> rest_;
};

/// What forecasts of some fragments missed by: a reference for each, and for each kind of forecast
/// its planes of bytes, every plane with room for all fragments.
struct CodedFragments {
  CodedFragments(std::size_t fragments, std::size_t planes)
      : stride(fragments), references(fragments) {
    for (std::vector<std::byte>& of : bytes) of.resize(fragments * planes);
  }
  std::size_t stride;
  std::vector<std::byte> references;
  std::array<std::vector<std::byte>, kForecasts> bytes;
  std::array<std::size_t, kForecasts> counts{};
};

void codeFragment(const PackedRows& packed, const NumberLayout& layout, std::size_t fragment,
                  const FragmentPrediction::Coded& coded, CodedFragments& out) {
  const auto kind = std::size_t(coded.forecast);
  std::byte* at = out.bytes[kind].data() + out.counts[kind]++;
  const auto put = [&](std::byte byte) {
    *at = byte;
    at += out.stride;
  };
  for (std::size_t v = 0; v < layout.valueBytes; ++v)
    put(packed.values[fragment * layout.valueBytes + v]);
  for (std::size_t n = 0; n < coded.missed.size(); ++n)
    for (std::size_t b = 0; b < layout.bytesOf(n); ++b) put(std::byte(coded.missed[n] >> (8 * b)));
}

CodedFragments codeRows(const PackedRows& packed, const NumberLayout& layout, int first, int last,
                        bool search) {
  const PackedRows::Row &from = packed.rows[std::size_t(first)],
                        &to = packed.rows[std::size_t(last)];
  CodedFragments out(to.fragment - from.fragment, layout.planes());
  FragmentPrediction prediction(layout.indexed ? 8 : int(8 * layout.colorBytes));
  const std::size_t stride = std::size_t(wordsPerFragment(packed.format));
  std::size_t fragment = from.fragment, pixel = from.pixel;
  for (std::size_t run = from.run; run < to.run; ++run) {
    const std::uint32_t begin = packed.runs[2 * run], end = packed.runs[2 * run + 1];
    for (std::uint32_t x = begin; x < end; ++x, ++pixel) {
      prediction.beginPixel(x > begin);
      for (std::uint32_t i = 0; i < packed.counts[pixel]; ++i, ++fragment) {
        const FragmentPrediction::Coded coded = prediction.encode(
            layout.numbersOf(&packed.words[fragment * stride]), search && !layout.indexed);
        out.references[fragment - from.fragment] = std::byte(coded.reference);
        codeFragment(packed, layout, fragment, coded, out);
      }
    }
  }
  return out;
}

/// Runs of each row, then their first columns, their end columns, and the fragments of each pixel.
std::vector<std::uint32_t> tableOf(const PackedRows& packed, int first, int last) {
  const PackedRows::Row &from = packed.rows[std::size_t(first)],
                        &to = packed.rows[std::size_t(last)];
  std::vector<std::uint32_t> table;
  for (int y = first; y < last; ++y)
    table.push_back(packed.rows[std::size_t(y) + 1].run - packed.rows[std::size_t(y)].run);
  for (const std::size_t end : {0u, 1u})
    for (std::size_t run = from.run; run < to.run; ++run)
      table.push_back(packed.runs[2 * run + end]);
  table.insert(table.end(), packed.counts.begin() + from.pixel, packed.counts.begin() + to.pixel);
  return table;
}

}  // namespace

std::vector<std::byte> encodeRows(const PackedRows& packed, int first, int last,
                                  const StreamTag& tag) {
  const PackedRows::Row &from = packed.rows[std::size_t(first)],
                        &to = packed.rows[std::size_t(last)];
  if (from.fragment == to.fragment) return {};
  const NumberLayout layout(packed.format, packed.hasZBack, packed.valueBytes);
  const CodedFragments coded = codeRows(packed, layout, first, last, tag.level > 0);
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
                      std::uint32_t(coded.counts[0]),
                      std::uint32_t(coded.counts[1]),
                      0};
  std::vector<std::byte> stream(sizeof header);
  appendBlock(stream, inPlanes(tableOf(packed, first, last)), tag.level);
  if (header.fresh < header.fragments) appendBlock(stream, coded.references, tag.level);
  for (std::size_t kind = 0; kind < kForecasts; ++kind)
    for (std::size_t p = 0; p < layout.planes() && coded.counts[kind] > 0; ++p)
      appendBlock(stream,
                  std::span(coded.bytes[kind]).subspan(p * coded.stride, coded.counts[kind]),
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
  if (h.format != std::uint32_t(limits.format) || h.hasZBack != std::uint32_t(limits.hasZBack))
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
  if (h.fresh > h.fragments || h.neighbors > h.fragments - h.fresh)
    fail("deep stream: expected forecasts of {} fragments, found {} and {}", h.fragments, h.fresh,
         h.neighbors);
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

/// The other way than codeFragment(): the next of its kind.
FragmentNumbers nextMissed(const NumberLayout& layout, std::size_t kind, std::size_t fragment,
                           CodedFragments& coded, std::array<std::size_t, kForecasts>& used,
                           DeepImage& image) {
  if (used[kind] == coded.counts[kind])
    fail("deep stream: expected {} forecasts of a kind, found more", coded.counts[kind]);
  const std::byte* at = coded.bytes[kind].data() + used[kind]++;
  const std::size_t stride = coded.counts[kind];
  for (DeepChannel& channel : image.channels) {
    if (!layout.indexed) break;
    const std::size_t bytes = bytesPerValue(channel.type);
    for (std::size_t b = 0; b < bytes; ++b, at += stride)
      channel.values[fragment * bytes + b] = *at;
  }
  FragmentNumbers missed{};
  for (std::size_t n = 0; n < missed.size(); ++n)
    for (std::size_t b = 0; b < layout.bytesOf(n); ++b, at += stride)
      missed[n] |= std::to_integer<std::uint32_t>(*at) << (8 * b);
  return missed;
}

void takeFragments(const NumberLayout& layout, CodedFragments& coded, DeepImage& image) {
  const std::size_t count = image.fragmentOffsets.back(), stride = std::size_t(image.stride());
  image.words.resize(count * stride);
  for (DeepChannel& channel : image.channels)
    if (layout.indexed) channel.values.resize(count * bytesPerValue(channel.type));
  FragmentPrediction prediction(layout.indexed ? 8 : int(8 * layout.colorBytes));
  std::array<std::size_t, kForecasts> used{};
  const auto width = std::size_t(image.dataWindow.width);
  for (std::size_t pixel = 0; pixel < image.pixelCount(); ++pixel) {
    const std::size_t end = image.fragmentOffsets[pixel + 1];
    std::size_t i = image.fragmentOffsets[pixel];
    prediction.beginPixel(pixel % width != 0);
    for (; i < end; ++i) {
      const auto reference =
          coded.references.empty() ? std::uint8_t(0) : std::uint8_t(coded.references[i]);
      const auto kind = std::size_t(prediction.forecastOf(reference));
      const FragmentNumbers numbers =
          prediction.decode(reference, nextMissed(layout, kind, i, coded, used, image));
      std::uint32_t* words = image.words.data() + i * stride;
      if (layout.indexed) words[0] = std::uint32_t(i), words[1] = 0;
      layout.put(numbers, words);
    }
  }
}

/// References and planes, as far as the header says that they are there.
CodedFragments takeCoded(const StreamHeader& h, const NumberLayout& layout, BlockReader& blocks) {
  CodedFragments coded(0, 0);
  coded.counts = {h.fresh, h.neighbors, h.fragments - h.fresh - h.neighbors};
  if (h.fresh < h.fragments) blocks.take(h.fragments, coded.references);
  for (std::size_t kind = 0; kind < kForecasts; ++kind)
    for (std::size_t p = 0; p < layout.planes() && coded.counts[kind] > 0; ++p)
      blocks.take(coded.counts[kind], coded.bytes[kind]);
  if (!blocks.atEnd()) fail("deep stream: expected its end, found more bytes");
  return coded;
}

}  // namespace

DecodedRows decodeRows(std::span<const std::byte> stream, const StreamLimits& limits) {
  const StreamHeader h = headerOf(stream, limits);
  BlockReader blocks(stream.subspan(sizeof h));
  std::vector<std::byte> table;
  blocks.take(4 * (std::uint64_t(h.rows) + 2 * std::uint64_t(h.runs) + h.pixels), table);
  DecodedRows decoded;
  decoded.input = h.input;
  DeepImage& image = decoded.image;
  image.dataWindow = limits.region;
  image.format = limits.format, image.hasZBack = limits.hasZBack;
  for (const DeepChannel& channel : limits.channels)
    image.channels.push_back({channel.name, channel.type, {}});
  image.fragmentOffsets = offsetsOf(h, fromPlanes(table));
  const NumberLayout layout(limits.format, limits.hasZBack, valueBytesOf(limits.channels));
  CodedFragments coded = takeCoded(h, layout, blocks);
  takeFragments(layout, coded, image);
  return decoded;
}

}  // namespace fathom::deep
