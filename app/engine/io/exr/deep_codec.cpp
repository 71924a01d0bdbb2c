// SPDX-License-Identifier: BSD-3-Clause
// RLE by hand, ZIP by deflate, ZSTD by its library. Every length in a block is checked before bytes
// are copied.
#include "app/engine/io/exr/deep_codec.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/io/deflate.h"

#include <half.h>
#include <zstd.h>

namespace fathom::deep_codec {
namespace {

constexpr std::size_t kMinRun = 3;    // bytes worth a run
constexpr std::size_t kMaxRun = 127;  // length bytes are signed: run - 1, or minus literals

std::uint8_t* bytesOf(std::vector<std::byte>& data) {
  return reinterpret_cast<std::uint8_t*>(data.data());
}

/// delta and split of the drawing, in one pass each.
void splitAndDelta(std::span<const std::byte> raw, std::vector<std::byte>& out) {
  out.resize(raw.size());
  const auto* in = reinterpret_cast<const std::uint8_t*>(raw.data());
  std::uint8_t* even = bytesOf(out);
  std::uint8_t* odd = even + (raw.size() + 1) / 2;
  const std::size_t pairs = raw.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    even[i] = in[2 * i];
    odd[i] = in[2 * i + 1];
  }
  if (raw.size() % 2) even[pairs] = in[2 * pairs];
  std::uint8_t* bytes = bytesOf(out);
  for (std::size_t i = raw.size(); i-- > 1;) bytes[i] = std::uint8_t(bytes[i] - bytes[i - 1] + 128);
}

void undoDeltaAndSplit(std::vector<std::byte>& split, std::span<std::byte> raw) {
  std::uint8_t* bytes = bytesOf(split);
  std::uint8_t sum = raw.empty() ? 0 : bytes[0];
  for (std::size_t i = 1; i < raw.size(); ++i) bytes[i] = sum = std::uint8_t(sum + bytes[i] - 128);
  auto* out = reinterpret_cast<std::uint8_t*>(raw.data());
  const std::uint8_t* even = bytes;
  const std::uint8_t* odd = bytes + (raw.size() + 1) / 2;
  const std::size_t pairs = raw.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    out[2 * i] = even[i];
    out[2 * i + 1] = odd[i];
  }
  if (raw.size() % 2) out[2 * pairs] = even[pairs];
}

/// Length byte n >= 0: the next byte n + 1 times; n < 0: -n literal bytes follow.
bool unpackRle(std::span<const std::byte> packed, std::span<std::byte> out) {
  while (!packed.empty()) {
    const int n = static_cast<signed char>(packed[0]);
    const std::size_t literals = n < 0 ? std::size_t(-n) : 1;
    const std::size_t length = n < 0 ? literals : std::size_t(n) + 1;
    if (packed.size() < 1 + literals || out.size() < length) return false;
    if (n < 0)
      std::memcpy(out.data(), packed.data() + 1, length);
    else
      std::memset(out.data(), int(packed[1]), length);
    packed = packed.subspan(1 + literals);
    out = out.subspan(length);
  }
  return out.empty();
}

void packRle(std::span<const std::byte> raw, std::vector<std::byte>& packed) {
  const std::size_t end = raw.size();
  for (std::size_t i = 0; i < end;) {
    std::size_t run = 1;
    while (i + run < end && run < kMaxRun && raw[i + run] == raw[i]) ++run;
    if (run >= kMinRun) {
      packed.push_back(std::byte(run - 1));
      packed.push_back(raw[i]);
      i += run;
      continue;
    }
    // Literals up to the next run.
    std::size_t length = 0;
    while (i + length < end && length < kMaxRun) {
      const std::size_t at = i + length;
      if (at + 2 < end && raw[at] == raw[at + 1] && raw[at] == raw[at + 2]) break;
      ++length;
    }
    packed.push_back(std::byte(-int(length)));
    packed.insert(packed.end(), raw.begin() + std::ptrdiff_t(i),
                  raw.begin() + std::ptrdiff_t(i + length));
    i += length;
  }
}

thread_local std::vector<std::byte> split;  // the scratch space of one thread

// What zstd packs: up to two segments, each a length and bytes.

constexpr std::string_view kZstdMagic = "zstd-exr";
constexpr std::size_t kZstdHeaderBytes = 24, kSegmentHeaderBytes = 8;
constexpr std::uint32_t kZstdPlain = 1, kZstdWithFlags = 2, kZstdDelta = 1;
constexpr int kZstdLevels = 4;  // our fastest is OpenEXR's default, its fifth

/// Values of one width: where they start among the segments, all of them in bytes.
struct Segment {
  std::size_t width, bytes, at = 0;
};

std::array<Segment, 2> segmentsOf(std::span<const Run> runs) {
  std::array<Segment, 2> all{{{2, 0}, {4, 0}}};
  for (const Run& run : runs) all[run.width / 4].bytes += run.width * run.count;
  std::size_t end = 0;
  for (Segment& one : all)
    if (one.bytes > 0) one.at = end + kSegmentHeaderBytes, end = one.at + one.bytes;
  return all;
}

std::size_t packedBytesOf(const std::array<Segment, 2>& segments) {
  std::size_t bytes = 0;
  for (const Segment& one : segments) bytes += one.bytes > 0 ? kSegmentHeaderBytes + one.bytes : 0;
  return bytes;
}

/// Calls move(byte of the raw block, byte of the segments) for every byte.
template <class Move>
void forEachByte(std::span<const Run> runs, const std::array<Segment, 2>& segments,
                 const Move& move) {
  std::array<std::size_t, 2> done{};  // values
  std::size_t raw = 0;
  for (const Run& run : runs) {
    const Segment& segment = segments[run.width / 4];
    const std::size_t values = segment.bytes / segment.width;
    std::size_t& first = done[run.width / 4];
    for (std::size_t byte = 0; byte < run.width; ++byte)
      for (std::size_t k = 0; k < run.count; ++k)
        move(raw + k * run.width + byte, segment.at + byte * values + first + k);
    first += run.count, raw += run.width * run.count;
  }
}

/// Each value of a run is the difference from the one before.
template <class Value>
void undoDelta(std::span<std::byte> run) {
  Value sum = 0;
  for (std::size_t at = 0; at < run.size(); at += sizeof(Value)) {
    sum = Value(sum + load<Value>(run.data() + at));
    store(run.data() + at, sum);
  }
}

struct FreeZstd {
  void operator()(ZSTD_DCtx* c) const { ZSTD_freeDCtx(c); }
  void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
};

bool unpackZstd(std::span<const std::byte> packed, std::span<std::byte> raw,
                std::span<const Run> runs) {
  if (packed.size() < kZstdHeaderBytes ||
      std::memcmp(packed.data(), kZstdMagic.data(), kZstdMagic.size()) != 0)
    return false;
  const auto version = load<std::uint32_t>(packed.data() + 8),
             flags = load<std::uint32_t>(packed.data() + 12);
  const bool known =
      version == kZstdPlain ? flags == 0 : version == kZstdWithFlags && (flags & ~kZstdDelta) == 0;
  const auto body = packed.subspan(kZstdHeaderBytes);
  if (!known || load<std::uint64_t>(packed.data() + 16) != body.size()) return false;
  const std::array<Segment, 2> segments = segmentsOf(runs);
  split.resize(packedBytesOf(segments));
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeZstd> zstd(ZSTD_createDCtx());
  if (!zstd) throw std::bad_alloc();
  if (ZSTD_decompressDCtx(zstd.get(), split.data(), split.size(), body.data(), body.size()) !=
      split.size())
    return false;
  for (const Segment& one : segments)
    if (one.bytes > 0 &&
        load<std::uint64_t>(split.data() + one.at - kSegmentHeaderBytes) != one.bytes)
      return false;
  forEachByte(runs, segments, [&](std::size_t to, std::size_t from) { raw[to] = split[from]; });
  for (const Run& run : runs) {
    const std::span<std::byte> values = raw.first(run.width * run.count);
    if (flags & kZstdDelta)
      run.width == 2 ? undoDelta<std::uint16_t>(values) : undoDelta<std::uint32_t>(values);
    raw = raw.subspan(values.size());
  }
  return true;
}

void packZstd(int level, std::span<const std::byte> raw, std::span<const Run> runs,
              std::vector<std::byte>& packed) {
  const std::array<Segment, 2> segments = segmentsOf(runs);
  split.resize(packedBytesOf(segments));
  for (const Segment& one : segments)
    if (one.bytes > 0) store<std::uint64_t>(split.data() + one.at - kSegmentHeaderBytes, one.bytes);
  forEachByte(runs, segments, [&](std::size_t from, std::size_t to) { split[to] = raw[from]; });
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeZstd> zstd(ZSTD_createCCtx());
  if (!zstd) throw std::bad_alloc();
  packed.resize(kZstdHeaderBytes + ZSTD_compressBound(split.size()));
  const std::uint64_t bytes = ZSTD_compressCCtx(zstd.get(), packed.data() + kZstdHeaderBytes,
                                                packed.size() - kZstdHeaderBytes, split.data(),
                                                split.size(), level + kZstdLevels);
  FATHOM_CHECK(!ZSTD_isError(bytes));
  std::memcpy(packed.data(), kZstdMagic.data(), kZstdMagic.size());
  store<std::uint64_t>(packed.data() + 8, kZstdPlain);  // and no flags
  store(packed.data() + 16, bytes);
  packed.resize(kZstdHeaderBytes + bytes);
}

}  // namespace

std::uint64_t largestUnpacked(Method method, std::uint64_t packedBytes) {
  switch (method) {
    case Method::None:
      return packedBytes;
    case Method::Rle:
      return packedBytes * 64;  // two bytes stand for at most 128
    case Method::Zip:
      return packedBytes * 1032;  // the limit of deflate
    case Method::Zstd:
      return packedBytes * (1 << 15);  // four bytes stand for a block of at most 128 KiB
    case Method::Packed:
      return packedBytes * (8 * 291 * 4);  // a symbol: a 291st of a bit at least, a float at most
  }
  return 0;
}

bool unpack(Method method, std::span<const std::byte> packed, std::span<std::byte> raw,
            std::size_t storedBytes, std::span<const Run> runs) {
  const auto takeRaw = [&] {
    std::copy_n(packed.begin(), raw.size(), raw.begin());
    return true;
  };
  if (packed.size() == std::max(storedBytes, raw.size())) return takeRaw();
  if (method == Method::Zstd && unpackZstd(packed, raw, runs)) return true;
  split.resize(raw.size());
  const bool done = method == Method::Rle   ? unpackRle(packed, split)
                    : method == Method::Zip ? inflateZlibInto(split, packed)
                                            : false;
  // Some writers do not pad.
  if (!done) return packed.size() == raw.size() && takeRaw();
  undoDeltaAndSplit(split, raw);
  return true;
}

std::vector<std::byte> pack(Method method, int level, std::span<const std::byte> raw,
                            std::size_t storedBytes, std::span<const Run> runs) {
  storedBytes = std::max(storedBytes, raw.size());
  std::vector<std::byte> packed;
  if (method == Method::Zstd && !raw.empty()) {
    packZstd(level, raw, runs, packed);
    if (packed.size() < storedBytes) return packed;
  } else if (method != Method::None && !raw.empty()) {
    splitAndDelta(raw, split);
    if (method == Method::Rle) {
      packRle(split, packed);
    } else {
      packed.resize(storedBytes);
      packed.resize(deflateZlibInto(packed, split, level));
    }
    if (!packed.empty() && packed.size() < storedBytes) return packed;
  }
  packed.assign(raw.begin(), raw.end());
  packed.resize(storedBytes);
  return packed;
}

}  // namespace fathom::deep_codec

namespace fathom::deep_planes {

// ---- Planes of channels and words of images

// Loops over planes, specialized by the width of the values: half and float share one sanitizer
// through their bit patterns.
namespace {

constexpr std::uint16_t kHalfOne = 0x3C00;
constexpr std::uint16_t kHalfInfinity = 0x7C00;
constexpr std::uint32_t kFloatInfinity = 0x7F800000;

float halfToFloat(std::uint16_t bits) {
  half value;
  value.setBits(bits);
  return value;
}
std::uint16_t floatToHalf(float value) { return half(value).bits(); }

/// The patterns of one float type, so that half and float planes share the sanitizer.
template <class Bits>
struct Float;
template <>
struct Float<std::uint16_t> {
  static constexpr std::uint16_t infinity = kHalfInfinity, one = kHalfOne, sign = 0x8000;
};
template <>
struct Float<std::uint32_t> {
  static constexpr std::uint32_t infinity = kFloatInfinity, one = 0x3F800000, sign = 0x80000000;
};
template <class Bits>
Bits magnitude(Bits bits) {
  return Bits(bits & Bits(~Float<Bits>::sign));
}

/// Replaces the values for which `isBad`; looks first, because nearly every plane is clean.
template <class Bits, class IsBad, class Mend>
void mend(std::byte* plane, std::size_t count, const IsBad& isBad, const Mend& mended) {
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) any |= isBad(load<Bits>(plane + i * sizeof(Bits)));
  if (!any) return;
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* at = plane + i * sizeof(Bits);
    if (const Bits bits = load<Bits>(at); isBad(bits)) store(at, Bits(mended(bits, i)));
  }
}

float depthAt(const std::byte* plane, ChannelType type, std::size_t i) {
  return type == ChannelType::Half ? halfToFloat(load<std::uint16_t>(plane + 2 * i))
                                   : load<float>(plane + 4 * i);
}

/// A plane of 16-bit values, or one value for all (step 0).
struct HalfSource {
  const std::byte* at;
  std::size_t step;
  std::uint32_t operator[](std::size_t i) const { return load<std::uint16_t>(at + i * step); }
};

/// The plane of each role that matters for packing; null where the file has none.
struct Roles {
  std::array<const std::byte*, 6> at{};  // by Role, Red .. BackDepth
  std::array<ChannelType, 6> type{};
  const std::byte* operator[](Role role) const { return at[std::size_t(role)]; }
};

Roles rolesIn(const std::vector<Plane>& planes, const std::byte* row, std::size_t count) {
  Roles roles;
  for (const Plane& plane : planes) {
    if (plane.role <= Role::BackDepth) {
      roles.at[std::size_t(plane.role)] = row;
      roles.type[std::size_t(plane.role)] = plane.type;
    }
    row += count * bytesPerValue(plane.type);
  }
  return roles;
}

void packColor(const Roles& roles, std::size_t count, std::uint32_t* words) {
  static constexpr std::array<std::uint16_t, 2> kConstants{0, kHalfOne};
  const auto source = [&](Role role, std::size_t otherwise) {
    return roles[role] ? HalfSource{roles[role], 2}
                       : HalfSource{reinterpret_cast<const std::byte*>(&kConstants[otherwise]), 0};
  };
  const bool color = roles[Role::Red] || roles[Role::Green] || roles[Role::Blue];
  const HalfSource r = source(Role::Red, 0), g = source(Role::Green, 0), b = source(Role::Blue, 0),
                   a = source(Role::Alpha, color ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    words[kWideWords * i] = r[i] | g[i] << 16;
    words[kWideWords * i + 1] = b[i] | a[i] << 16;
  }
}

void packDepth(const std::byte* plane, ChannelType type, std::size_t count, std::uint32_t* word) {
  if (type == ChannelType::Half)
    for (std::size_t i = 0; i < count; ++i)
      word[kWideWords * i] = std::bit_cast<std::uint32_t>(depthAt(plane, type, i));
  else
    for (std::size_t i = 0; i < count; ++i)
      word[kWideWords * i] = load<std::uint32_t>(plane + 4 * i);
}

/// Writes one value per fragment in the plane's own type.
template <class Bits, class ValueOf>
void fill(std::byte* out, std::size_t count, const ValueOf& valueOf) {
  for (std::size_t i = 0; i < count; ++i) store(out + i * sizeof(Bits), Bits(valueOf(i)));
}

void unpackDepth(ChannelType type, const std::uint32_t* word, std::size_t stride, std::size_t count,
                 std::byte* out) {
  if (type == ChannelType::Half)
    fill<std::uint16_t>(out, count, [&](std::size_t i) {
      return floatToHalf(std::bit_cast<float>(word[i * stride]));
    });
  else
    fill<std::uint32_t>(out, count, [&](std::size_t i) { return word[i * stride]; });
}

/// Rgba8 color as premultiplied half.
std::uint16_t premultiplied(std::uint32_t rgba, int shift) {
  const float alpha = float(rgba >> 24) / 255.0f;
  if (shift == 24) return floatToHalf(alpha);
  return floatToHalf(float((rgba >> shift) & 255u) / 255.0f * alpha);
}

void unpackColor(const Plane& plane, FragmentFormat format, const std::uint32_t* words,
                 std::size_t count, std::byte* out) {
  const int slot = int(plane.role);  // 0..3: Red, Green, Blue, Alpha
  if (format == FragmentFormat::Rgba8)
    fill<std::uint16_t>(out, count,
                        [&](std::size_t i) { return premultiplied(words[2 * i], 8 * slot); });
  else
    fill<std::uint16_t>(out, count, [&](std::size_t i) {
      return words[kWideWords * i + std::size_t(slot / 2)] >> (16 * (slot % 2));
    });
}

void unpackValues(const DeepChannel& channel, const std::uint32_t* words, std::size_t count,
                  std::byte* out) {
  const auto copy = [&]<class Bits>(Bits) {
    fill<Bits>(out, count, [&](std::size_t i) {
      return load<Bits>(channel.values.data() + sizeof(Bits) * words[kWideWords * i]);
    });
  };
  channel.type == ChannelType::Half ? copy(std::uint16_t()) : copy(std::uint32_t());
}

}  // namespace

Role roleOf(const DeepChannel& channel) {
  static constexpr std::array<const char*, 6> kNames{"R", "G", "B", "A", "Z", "ZBack"};
  const auto at = std::find(kNames.begin(), kNames.end(), channel.name);
  const bool isNumber = channel.type != ChannelType::Uint;
  if (at != kNames.end() && isNumber) return Role(at - kNames.begin());
  if (channel.name == "Y" && isNumber) return Role::OtherColor;
  if ((channel.name == "AR" || channel.name == "AG" || channel.name == "AB") && isNumber)
    return Role::OtherAlpha;
  return Role::Data;
}

std::vector<Plane> planesOf(const std::vector<DeepChannel>& channels) {
  std::vector<Plane> planes;
  for (std::size_t i = 0; i < channels.size(); ++i)
    planes.push_back({roleOf(channels[i]), channels[i].type, i});
  return planes;
}

std::vector<deep_codec::Run> runsOf(const std::vector<Plane>& planes,
                                    std::span<const std::int32_t> running, int width) {
  std::vector<deep_codec::Run> runs;
  for (std::size_t last = std::size_t(width) - 1; last < running.size(); last += std::size_t(width))
    for (const Plane& plane : planes)
      runs.push_back({bytesPerValue(plane.type), std::size_t(running[last])});
  return runs;
}

std::size_t fragmentBytes(const std::vector<Plane>& planes) {
  std::size_t bytes = 0;
  for (const Plane& plane : planes) bytes += bytesPerValue(plane.type);
  return bytes;
}

FragmentFormat formatFor(const std::vector<DeepChannel>& channels) {
  const bool fits = std::all_of(channels.begin(), channels.end(), [](const DeepChannel& channel) {
    const Role role = roleOf(channel);
    return role == Role::Depth || role == Role::BackDepth ||
           (role <= Role::Alpha && channel.type == ChannelType::Half);
  });
  return fits ? FragmentFormat::Half : FragmentFormat::Indexed;
}

namespace {

/// Colors that are no number or infinite become 0, alphas are clipped to 0..1, a depth that is no
/// number is infinitely far, and such a back depth that of its Z: the fragment becomes a point.
template <class Bits>
void sanitizePlane(Role role, std::byte* plane, std::size_t count, const Roles& roles,
                   DeepRepairs& repairs) {
  using Pattern = Float<Bits>;
  const auto isNan = [](Bits bits) { return magnitude(bits) > Pattern::infinity; };
  switch (role) {
    case Role::Red:
    case Role::Green:
    case Role::Blue:
    case Role::OtherColor:
      return mend<Bits>(
          plane, count, [](Bits bits) { return magnitude(bits) >= Pattern::infinity; },
          [&](Bits, std::size_t) { return ++repairs.nanColor, Bits(0); });
    case Role::Alpha:
    case Role::OtherAlpha:
      return mend<Bits>(
          plane, count,
          [](Bits bits) { return bits > Pattern::one && bits != Pattern::sign; },  // -0 is in order
          [&](Bits bits, std::size_t) {
            if (isNan(bits)) return ++repairs.nanColor, Bits(0);
            ++repairs.alphaOutside;
            return bits & Pattern::sign ? Bits(0) : Pattern::one;
          });
    case Role::Depth:
      return mend<Bits>(plane, count, isNan,
                        [&](Bits, std::size_t) { return ++repairs.nanDepth, Pattern::infinity; });
    case Role::BackDepth:
      return mend<Bits>(plane, count, isNan, [&](Bits, std::size_t i) {
        ++repairs.nanDepth;
        const float z = depthAt(roles[Role::Depth], roles.type[std::size_t(Role::Depth)], i);
        return sizeof(Bits) == 2 ? Bits(floatToHalf(z)) : Bits(std::bit_cast<std::uint32_t>(z));
      });
    case Role::Data:
      break;
  }
}

/// True when it was not sorted.
bool sortList(std::span<std::uint32_t> words) {
  using Words = std::array<std::uint32_t, kWideWords>;
  const std::size_t count = words.size() / kWideWords;
  auto* list = reinterpret_cast<Words*>(words.data());
  const auto inFront = [](const Words& a, const Words& b) {
    const std::uint32_t zA = depthKey(a[2]), zB = depthKey(b[2]);
    return zA != zB ? zA < zB : depthKey(a[3]) < depthKey(b[3]);
  };
  if (std::is_sorted(list, list + count, inFront)) return false;
  std::stable_sort(list, list + count, inFront);
  return true;
}

}  // namespace

void sanitize(const std::vector<Plane>& planes, std::span<std::byte> row, std::size_t count,
              bool keepColor, DeepRepairs& repairs) {
  // Z comes before ZBack, in alphabetical order.
  const Roles roles = rolesIn(planes, row.data(), count);
  std::byte* at = row.data();
  for (const Plane& plane : planes) {
    const bool isDepth = plane.role == Role::Depth || plane.role == Role::BackDepth;
    if (isDepth || !keepColor) {
      if (plane.type == ChannelType::Half)
        sanitizePlane<std::uint16_t>(plane.role, at, count, roles, repairs);
      else
        sanitizePlane<std::uint32_t>(plane.role, at, count, roles, repairs);
    }
    at += count * bytesPerValue(plane.type);
  }
}

void packWords(const std::vector<Plane>& planes, std::span<const std::byte> row, std::size_t count,
               FragmentFormat format, std::size_t firstIndex, std::uint32_t* words) {
  if (count == 0) return;  // `words` may be null
  const Roles roles = rolesIn(planes, row.data(), count);
  if (format == FragmentFormat::Half) {
    packColor(roles, count, words);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      words[kWideWords * i] = std::uint32_t(firstIndex + i);
      words[kWideWords * i + 1] = 0;
    }
  }
  packDepth(roles[Role::Depth], roles.type[std::size_t(Role::Depth)], count, words + 2);
  const Role back = roles[Role::BackDepth] ? Role::BackDepth : Role::Depth;
  packDepth(roles[back], roles.type[std::size_t(back)], count, words + 3);
}

void unpackWords(const std::vector<Plane>& planes, const DeepImage& image,
                 const std::uint32_t* words, std::size_t count, std::span<std::byte> row) {
  const std::size_t stride = std::size_t(image.stride());
  std::byte* out = row.data();
  for (const Plane& plane : planes) {
    if (image.format == FragmentFormat::Indexed)
      unpackValues(image.channels[plane.channel], words, count, out);
    else if (plane.role <= Role::Alpha)
      unpackColor(plane, image.format, words, count, out);
    else if (plane.role == Role::Depth)
      unpackDepth(plane.type, words + (stride == kWideWords ? 2 : 1), stride, count, out);
    else
      unpackDepth(plane.type, words + stride - 1, stride, count, out);
    out += count * bytesPerValue(plane.type);
  }
}

void placeRow(const std::vector<Plane>& planes, std::span<const std::byte> row, int x, int y,
              int width, bool sorts, DeepImage& image, DeepRepairs& repairs) {
  const std::size_t* offsets = image.fragmentOffsets.data() + image.pixelIndex(x, y);
  const std::size_t begin = offsets[0], count = offsets[width] - begin;
  if (count == 0) return;
  packWords(planes, row, count, image.format, begin, image.words.data() + begin * kWideWords);
  if (image.format == FragmentFormat::Indexed) {
    const std::byte* plane = row.data();
    for (DeepChannel& channel : image.channels) {
      const std::size_t bytes = bytesPerValue(channel.type);
      std::memcpy(channel.values.data() + begin * bytes, plane, count * bytes);
      plane += count * bytes;
    }
  }
  for (int i = 0; i < width && sorts; ++i)
    if (offsets[i + 1] - offsets[i] > 1 &&
        sortList(std::span(image.words)
                     .subspan(offsets[i] * kWideWords, (offsets[i + 1] - offsets[i]) * kWideWords)))
      ++repairs.unsortedPixels;
}

void NotFiniteHalves::count(const std::string& channel, std::span<const std::byte> halves) {
  constexpr std::uint16_t kExponent = 0x7C00;
  std::size_t found = 0;
  for (std::size_t i = 0; i < halves.size(); i += sizeof kExponent)
    found += (load<std::uint16_t>(halves.data() + i) & kExponent) == kExponent;
  if (found == 0) return;
  const std::lock_guard lock(mutex_);
  counts_[channel] += found;
}

void NotFiniteHalves::warn(const fs::path& file) const {
  std::string text;
  for (const auto& [channel, found] : counts_)
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", found, channel);
  if (!text.empty())
    log::warn("{}: values are not finite: {}; the largest half is 65504, floats hold more",
              file.string(), text);
}

}  // namespace fathom::deep_planes
