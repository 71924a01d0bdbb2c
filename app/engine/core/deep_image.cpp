// SPDX-License-Identifier: BSD-3-Clause
// Decoding, sorting and comparing fragment lists on the CPU. Values are read through the format, so
// that the reference and the inspector never see packed words.
#include "app/engine/core/deep_image.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/progress.h"

#include <half.h>

namespace fathom {
namespace {

constexpr std::size_t kPixelsPerJob = 4096;

float halfValue(std::uint32_t bits) {
  half value;
  value.setBits(static_cast<unsigned short>(bits));
  return value;
}

Fragment decodeRgba8(const std::uint32_t* words) {
  const auto channel = [&](int shift) { return float((words[0] >> shift) & 255u) / 255.0f; };
  const float a = channel(24), z = std::bit_cast<float>(words[1]);
  return {channel(0) * a, channel(8) * a, channel(16) * a, a, z, z};
}

Fragment decodeHalf(const std::uint32_t* words) {
  return {halfValue(words[0] & 0xFFFFu),  halfValue(words[0] >> 16),
          halfValue(words[1] & 0xFFFFu),  halfValue(words[1] >> 16),
          std::bit_cast<float>(words[2]), std::bit_cast<float>(words[3])};
}

/// A color or alpha; integers of such a name are data.
const DeepChannel* numberNamed(const DeepImage& image, std::string_view name) {
  const DeepChannel* channel = channelNamed(image.channels, name);
  return channel && channel->type != ChannelType::Uint ? channel : nullptr;
}

/// Color comes from R, G, B or else from Y; opacity from A or else from the mean of AR, AG, AB.
Fragment decodeIndexed(const DeepImage& image, const std::uint32_t* words) {
  const std::size_t index = words[0];
  const auto read = [&](std::string_view name, float otherwise) {
    const DeepChannel* channel = numberNamed(image, name);
    return channel ? float(channelValue(*channel, index)) : otherwise;
  };
  const float y = read("Y", 0.0f);
  Fragment f{read("R", y),
             read("G", y),
             read("B", y),
             0.0f,
             std::bit_cast<float>(words[2]),
             std::bit_cast<float>(words[3])};
  if (numberNamed(image, "A"))
    f.a = read("A", 0.0f);
  else if (numberNamed(image, "AR") || numberNamed(image, "AG") || numberNamed(image, "AB"))
    f.a = (read("AR", 0.0f) + read("AG", 0.0f) + read("AB", 0.0f)) / 3.0f;
  else
    f.a = hasColor(image.channels) ? 1.0f : 0.0f;
  return f;
}

template <std::size_t Stride>
void sortListsOf(DeepImage& image) {
  using Words = std::array<std::uint32_t, Stride>;
  const std::size_t z = image.format == FragmentFormat::Rgba8 ? 1 : 2;
  const std::size_t zBack = Stride - 1;
  const auto inFront = [&](const Words& a, const Words& b) {
    if (depthKey(a[z]) != depthKey(b[z])) return depthKey(a[z]) < depthKey(b[z]);
    if (depthKey(a[zBack]) != depthKey(b[zBack])) return depthKey(a[zBack]) < depthKey(b[zBack]);
    return a < b;
  };
  static_assert(sizeof(Words) == Stride * sizeof(std::uint32_t));
  auto* fragments = reinterpret_cast<Words*>(image.words.data());
  parallelForEach(image.pixelCount(), kPixelsPerJob, [&](std::size_t p) {
    std::sort(fragments + image.fragmentOffsets[p], fragments + image.fragmentOffsets[p + 1],
              inFront);
  });
}

}  // namespace

double channelValue(const DeepChannel& channel, std::size_t index) {
  const std::size_t bytes = bytesPerValue(channel.type);
  std::uint32_t bits = 0;
  std::memcpy(&bits, channel.values.data() + index * bytes, bytes);
  if (channel.type == ChannelType::Half) return halfValue(bits);
  return channel.type == ChannelType::Float ? double(std::bit_cast<float>(bits)) : double(bits);
}

void setChannelValue(DeepChannel& channel, std::size_t index, double value) {
  if (channel.type == ChannelType::Uint)
    store(channel.values.data() + 4 * index,
          std::uint32_t(value > 0 ? std::min(std::round(value), 4294967295.0) : 0));
  else if (channel.type == ChannelType::Float)
    store(channel.values.data() + 4 * index, float(value));
  else
    store(channel.values.data() + 2 * index, half(float(value)).bits());
}

const DeepChannel* channelNamed(const std::vector<DeepChannel>& channels, std::string_view name) {
  const auto at = std::ranges::find(channels, name, &DeepChannel::name);
  return at == channels.end() ? nullptr : &*at;
}

std::uint64_t fragmentsIn(const DeepImage& image, const Rect& window) {
  const Rect both = intersect(image.dataWindow, window);
  std::uint64_t count = 0;
  for (int y = both.y; y < both.bottom(); ++y)
    if (both.width > 0)
      count += image.fragmentOffsets[image.pixelIndex(both.right() - 1, y) + 1] -
               image.fragmentOffsets[image.pixelIndex(both.x, y)];
  return count;
}

std::string DeepRepairs::text() const {
  std::string text;
  const auto add = [&text](std::size_t count, const char* what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(nanDepth, "NaN depths became infinite");
  add(nanColor, "NaN or infinite colors became 0");
  add(alphaOutside, "alphas were brought into 0..1");
  add(unsortedPixels, "pixels were sorted");
  return text;
}

bool hasColor(const std::vector<DeepChannel>& channels) {
  return std::ranges::any_of(channels, [](const DeepChannel& channel) {
    return channel.name == "R" || channel.name == "G" || channel.name == "B" || channel.name == "Y";
  });
}

bool hasIds(const std::vector<DeepChannel>& channels) {
  return std::ranges::count(channels, ChannelType::Uint, &DeepChannel::type) > 0;
}

Fragment decodeFragment(const DeepImage& image, std::size_t index) {
  FATHOM_CHECK_OP(index, <, image.fragmentCount());
  return decodeWords(image, image.words.data() + index * std::size_t(image.stride()));
}

Fragment decodeWords(const DeepImage& image, const std::uint32_t* words) {
  if (image.format == FragmentFormat::Rgba8) return decodeRgba8(words);
  return image.format == FragmentFormat::Half ? decodeHalf(words) : decodeIndexed(image, words);
}

void sortLists(DeepImage& image) {
  if (image.format == FragmentFormat::Rgba8)
    sortListsOf<2>(image);
  else
    sortListsOf<4>(image);
  image.sorted = true;
}

bool sameValue(const DeepChannel& a, std::size_t i, const DeepChannel& b, std::size_t j) {
  const std::size_t bytes = bytesPerValue(a.type);
  return std::memcmp(a.values.data() + i * bytes, b.values.data() + j * bytes, bytes) == 0;
}

bool sameFragment(const DeepImage& a, const std::uint32_t* wordsA, const DeepImage& b,
                  const std::uint32_t* wordsB) {
  if (a.format != FragmentFormat::Indexed) return std::equal(wordsA, wordsA + a.stride(), wordsB);
  if (wordsA[2] != wordsB[2] || wordsA[3] != wordsB[3]) return false;
  return std::equal(
      a.channels.begin(), a.channels.end(), b.channels.begin(),
      [&](const auto& x, const auto& y) { return sameValue(x, wordsA[0], y, wordsB[0]); });
}

bool sameFragments(const DeepImage& a, const DeepImage& b) {
  if (a.format != b.format || a.fragmentCount() != b.fragmentCount()) return false;
  if (!std::ranges::equal(a.channels, b.channels, [](const DeepChannel& x, const DeepChannel& y) {
        return x.name == y.name && x.type == y.type;
      }))
    return false;
  const Rect window = unite(a.dataWindow, b.dataWindow);
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x) {
      const auto listA = a.list(x, y), listB = b.list(x, y);
      if (listA.size() != listB.size()) return false;
      for (std::size_t i = 0; i < listA.size(); i += std::size_t(a.stride()))
        if (!sameFragment(a, &listA[i], b, &listB[i])) return false;
    }
  return true;
}

// ---- The same channels for several images

// When the union of all channels fits half color and depth, images stay Half and at most alpha is
// filled in. Otherwise every channel becomes a plane of values and the words carry an index into
// it.
namespace {

constexpr std::size_t kFragmentsPerJob = 1 << 16;

bool isDepth(const std::string& name) { return name == "Z" || name == "ZBack"; }

/// The word of a Half fragment that holds a color channel, and the shift within it; -1 for others.
struct HalfPlace {
  int word = -1, shift = 0;
};
HalfPlace halfPlace(const std::string& name) {
  if (name == "R") return {0, 0};
  if (name == "G") return {0, 16};
  if (name == "B") return {1, 0};
  if (name == "A") return {1, 16};
  return {};
}

bool fitsHalf(const std::vector<DeepChannel>& channels) {
  return std::ranges::all_of(channels, [](const DeepChannel& channel) {
    if (isDepth(channel.name)) return channel.type != ChannelType::Uint;
    return halfPlace(channel.name).word >= 0 && channel.type == ChannelType::Half;
  });
}

/// The channels of all images, without values; half and float of one name make float.
std::vector<DeepChannel> unionOf(const std::vector<DeepImage>& images,
                                 const std::vector<std::string>& names) {
  const auto nameOf = [&](std::size_t i) {
    return i < names.size() ? names[i] : fmt::format("input {}", i + 1);
  };
  struct Found {
    ChannelType type;
    std::size_t image;
  };
  std::map<std::string, Found> found;
  for (std::size_t i = 0; i < images.size(); ++i)
    for (const DeepChannel& channel : images[i].channels) {
      const auto [at, isNew] = found.emplace(channel.name, Found{channel.type, i});
      if (isNew || at->second.type == channel.type) continue;
      const bool isId = channel.type == ChannelType::Uint;
      if (isId || at->second.type == ChannelType::Uint)
        fail("{}: channel \"{}\": expected {} as in {}, found {}", nameOf(i), channel.name,
             isId ? "float" : "uint", nameOf(at->second.image), isId ? "uint" : "float");
      at->second.type = ChannelType::Float;
    }
  std::vector<DeepChannel> channels;
  for (const auto& [name, first] : found) channels.push_back({name, first.type, {}});
  return channels;
}

/// The bits of 1 in a channel's type.
std::uint32_t oneIn(ChannelType type) {
  if (type == ChannelType::Half) return 0x3C00;
  return type == ChannelType::Float ? std::bit_cast<std::uint32_t>(1.0f) : 1u;
}

/// A plane that gives every fragment the same value.
std::vector<std::byte> constantPlane(ChannelType type, std::uint32_t bits, std::size_t count) {
  const std::size_t bytes = bytesPerValue(type);
  std::vector<std::byte> plane(count * bytes);
  if (bits)
    for (std::size_t i = 0; i < count; ++i) std::memcpy(plane.data() + i * bytes, &bits, bytes);
  return plane;
}

/// Z or ZBack out of the words, by value index.
std::vector<std::byte> depthPlane(const DeepImage& image, ChannelType type, std::size_t word) {
  const std::size_t count = image.fragmentCount(), bytes = bytesPerValue(type);
  std::vector<std::byte> plane(count * bytes);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* fragment = image.words.data() + i * kWideWords;
    std::byte* at = plane.data() + std::size_t(fragment[0]) * bytes;
    if (type == ChannelType::Half)
      store(at, half(std::bit_cast<float>(fragment[word])).bits());
    else
      store(at, fragment[word]);
  }
  return plane;
}

std::vector<std::byte> widened(const std::vector<std::byte>& halves) {
  std::vector<std::byte> floats(halves.size() * 2);
  for (std::size_t i = 0; i * 2 < halves.size(); ++i)
    store(floats.data() + 4 * i, halfValue(load<std::uint16_t>(halves.data() + 2 * i)));
  return floats;
}

/// A Half image gets the channels: only the list changes, and A where color had none.
void adoptHalf(DeepImage& image, const std::vector<DeepChannel>& channels, bool fillAlpha) {
  image.channels = channels;
  if (!fillAlpha) return;
  for (std::size_t i = 1; i < image.words.size(); i += kWideWords)
    image.words[i] = (image.words[i] & 0xFFFFu) | oneIn(ChannelType::Half) << 16;
}

/// An Indexed image gets a plane for each channel, in the channel's type.
void adoptIndexed(DeepImage& image, const std::vector<DeepChannel>& channels, bool fillAlpha) {
  std::vector<DeepChannel> planes = channels;
  const std::size_t count = image.fragmentCount();
  for (DeepChannel& plane : planes) {
    const DeepChannel* own = channelNamed(image.channels, plane.name);
    if (own && own->type == plane.type)
      plane.values = own->values;
    else if (own)
      plane.values = widened(own->values);
    else if (plane.name == "ZBack")
      plane.values = depthPlane(image, plane.type, 2);
    else
      plane.values =
          constantPlane(plane.type, plane.name == "A" && fillAlpha ? oneIn(plane.type) : 0, count);
  }
  image.channels = std::move(planes);
}

void checkIndices(const DeepImage& merged, std::size_t count) {
  for (std::size_t i = 0; i < merged.fragmentCount(); ++i)
    if (merged.words[i * kWideWords] >= count)
      fail("deep merge: expected fragment indices below {}, found {}", count,
           merged.words[i * kWideWords]);
}

/// Picks one channel's values in the order of merged's index words.
template <std::size_t Bytes>
void pick(std::span<const DeepImage> inputs, const std::vector<std::size_t>& first,
          std::size_t channel, const DeepImage& merged, std::byte* out) {
  parallelForEach(merged.fragmentCount(), kFragmentsPerJob, [&](std::size_t i) {
    const std::size_t index = merged.words[i * kWideWords];
    std::size_t input = inputs.size() - 1;
    while (index < first[input]) --input;
    std::memcpy(out + i * Bytes,
                inputs[input].channels[channel].values.data() + (index - first[input]) * Bytes,
                Bytes);
  });
}

/// Half color out of the words as a plane.
std::vector<std::byte> colorPlane(const DeepImage& image, HalfPlace place) {
  const std::size_t count = image.fragmentCount();
  std::vector<std::byte> plane(count * 2);
  for (std::size_t i = 0; i < count; ++i)
    store(plane.data() + 2 * i,
          std::uint16_t(image.words[i * kWideWords + std::size_t(place.word)] >> place.shift));
  return plane;
}

/// Two words of 8-bit color become four of premultiplied half.
void makeHalf(DeepImage& image) {
  std::vector<std::uint32_t> words(image.fragmentCount() * kWideWords);
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
    const Fragment f = decodeFragment(image, i);
    words[i * kWideWords] = half(f.r).bits() | std::uint32_t(half(f.g).bits()) << 16;
    words[i * kWideWords + 1] = half(f.b).bits() | std::uint32_t(half(f.a).bits()) << 16;
    words[i * kWideWords + 2] = words[i * kWideWords + 3] = image.words[2 * i + 1];
  }
  image.words = std::move(words);
  image.format = FragmentFormat::Half;
  image.channels = halfRgbaAndZ();
}

}  // namespace

std::vector<DeepChannel> halfRgbaAndZ() {
  std::vector<DeepChannel> channels;
  for (const char* name : {"A", "B", "G", "R"}) channels.push_back({name, ChannelType::Half, {}});
  channels.push_back({"Z", ChannelType::Float, {}});
  return channels;
}

void makeIndexed(DeepImage& image) {
  if (image.format == FragmentFormat::Indexed) return;
  if (image.format == FragmentFormat::Rgba8) makeHalf(image);
  for (DeepChannel& channel : image.channels)
    if (const HalfPlace place = halfPlace(channel.name); place.word >= 0)
      channel.values = colorPlane(image, place);
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
    image.words[i * kWideWords] = std::uint32_t(i);
    image.words[i * kWideWords + 1] = 0;
  }
  image.format = FragmentFormat::Indexed;
  for (DeepChannel& channel : image.channels)
    if (isDepth(channel.name))
      channel.values = depthPlane(image, channel.type, channel.name == "Z" ? 2 : 3);
}

DeepImage emptyLike(const DeepImage& image, const Rect& dataWindow) {
  DeepImage empty;
  empty.dataWindow = dataWindow, empty.displayWindow = image.displayWindow;
  empty.pixelAspect = image.pixelAspect;
  empty.format = image.format, empty.hasZBack = image.hasZBack;
  for (const DeepChannel& channel : image.channels)
    empty.channels.push_back({channel.name, channel.type, {}});
  return empty;
}

DeepImage together(std::vector<DeepImage>&& images, const Rect& window) {
  if (images.size() == 1 && images[0].dataWindow == window) return std::move(images[0]);
  DeepImage all = emptyLike(images[0], window);
  const bool indexed = all.format == FragmentFormat::Indexed;
  const std::size_t stride = std::size_t(all.stride());
  std::vector<std::size_t> first;  // of each image's index words
  std::size_t count = 0;
  for (const DeepImage& image : images) {
    first.push_back(count);
    count += image.fragmentCount();
  }
  all.words.reserve(count * stride);
  all.fragmentOffsets.reserve(all.pixelCount() + 1);
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x) {
      for (std::size_t i = 0; i < images.size(); ++i) {
        const std::size_t from = all.words.size();
        const auto list = images[i].list(x, y);
        all.words.insert(all.words.end(), list.begin(), list.end());
        for (std::size_t w = from; indexed && w < all.words.size(); w += stride)
          all.words[w] += std::uint32_t(first[i]);
      }
      all.fragmentOffsets.push_back(all.words.size() / stride);
    }
  if (indexed) gather(images, all);
  all.sorted = false;
  return all;
}

void unify(std::vector<DeepImage>& images, const std::vector<std::string>& names) {
  const bool allRgba8 = std::ranges::all_of(
      images, [](const DeepImage& image) { return image.format == FragmentFormat::Rgba8; });
  if (images.empty() || allRgba8) return;
  for (DeepImage& image : images)
    if (image.format == FragmentFormat::Rgba8) makeHalf(image);

  const std::vector<DeepChannel> channels = unionOf(images, names);
  const bool asHalf = fitsHalf(channels) && std::ranges::all_of(images, [](const DeepImage& image) {
                        return image.format == FragmentFormat::Half;
                      });
  for (std::size_t i = 0; i < images.size(); ++i) {
    DeepImage& image = images[i];
    const bool fillAlpha = channelNamed(channels, "A") && !channelNamed(image.channels, "A") &&
                           hasColor(image.channels);
    if (fillAlpha && i < names.size())
      log::warn("{}: no \"A\" channel, every fragment counts as opaque", names[i]);
    if (!asHalf) makeIndexed(image);
    asHalf ? adoptHalf(image, channels, fillAlpha) : adoptIndexed(image, channels, fillAlpha);
    image.hasZBack = channelNamed(channels, "ZBack") != nullptr;
  }
}

void gather(std::span<const DeepImage> inputs, DeepImage& merged) {
  std::vector<std::size_t> first;  // index of each input's first fragment
  std::size_t count = 0;
  for (const DeepImage& input : inputs) {
    first.push_back(count);
    count += input.fragmentCount();
    FATHOM_CHECK(input.format == FragmentFormat::Indexed);
    FATHOM_CHECK_OP(input.channels.size(), ==, inputs.front().channels.size());
  }
  checkIndices(merged, count);
  std::vector<DeepChannel> channels;
  for (std::size_t c = 0; !inputs.empty() && c < inputs.front().channels.size(); ++c) {
    const DeepChannel& like = inputs.front().channels[c];
    const std::size_t bytes = bytesPerValue(like.type);
    DeepChannel& channel = channels.emplace_back(DeepChannel{like.name, like.type, {}});
    channel.values.resize(merged.fragmentCount() * bytes);
    bytes == 2 ? pick<2>(inputs, first, c, merged, channel.values.data())
               : pick<4>(inputs, first, c, merged, channel.values.data());
  }
  merged.channels = std::move(channels);
  for (std::size_t i = 0; i < merged.fragmentCount(); ++i)
    merged.words[i * kWideWords] = std::uint32_t(i);
}

}  // namespace fathom
