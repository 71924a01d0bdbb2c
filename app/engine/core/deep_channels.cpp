// SPDX-License-Identifier: BSD-3-Clause
// When the union of all channels fits half color and depth, images stay Half and at most alpha is
// filled in. Otherwise every channel becomes a plane of values and the words carry an index into
// it.
#include "app/engine/core/deep_channels.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/log.h"

#include <half.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <string>

namespace fathom {
namespace {

constexpr std::size_t kFragmentsPerJob = 1 << 16;

const DeepChannel* find(const std::vector<DeepChannel>& channels, const std::string& name) {
  const auto at = std::find_if(channels.begin(), channels.end(),
                               [&](const DeepChannel& channel) { return channel.name == name; });
  return at == channels.end() ? nullptr : &*at;
}

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
  return std::all_of(channels.begin(), channels.end(), [](const DeepChannel& channel) {
    if (isDepth(channel.name)) return channel.type != ChannelType::Uint;
    return halfPlace(channel.name).word >= 0 && channel.type == ChannelType::Half;
  });
}

/// The channels of all images, without values; half and float of one name make float.
std::vector<DeepChannel> unionOf(const std::vector<DeepImage>& images) {
  std::map<std::string, ChannelType> types;
  for (const DeepImage& image : images)
    for (const DeepChannel& channel : image.channels) {
      const auto [at, isNew] = types.emplace(channel.name, channel.type);
      if (isNew || at->second == channel.type) continue;
      if (at->second == ChannelType::Uint || channel.type == ChannelType::Uint)
        fail("channel \"{}\": expected one kind in all inputs, found uint and float", channel.name);
      at->second = ChannelType::Float;
    }
  std::vector<DeepChannel> channels;
  for (const auto& [name, type] : types) channels.push_back({name, type, {}});
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
  for (std::size_t i = 0; i * 2 < halves.size(); ++i) {
    half value;
    value.setBits(load<std::uint16_t>(halves.data() + 2 * i));
    store(floats.data() + 4 * i, float(value));
  }
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
    const DeepChannel* own = find(image.channels, plane.name);
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
  parallelFor(merged.fragmentCount(), kFragmentsPerJob, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const std::size_t index = merged.words[i * kWideWords];
      std::size_t input = inputs.size() - 1;
      while (index < first[input]) --input;
      std::memcpy(out + i * Bytes,
                  inputs[input].channels[channel].values.data() + (index - first[input]) * Bytes,
                  Bytes);
    }
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
  image.channels = {{"A", ChannelType::Half, {}},
                    {"B", ChannelType::Half, {}},
                    {"G", ChannelType::Half, {}},
                    {"R", ChannelType::Half, {}},
                    {"Z", ChannelType::Float, {}}};
}

}  // namespace

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

void unify(std::vector<DeepImage>& images, UnifyWarnings warnings) {
  const bool allRgba8 = std::all_of(images.begin(), images.end(), [](const DeepImage& image) {
    return image.format == FragmentFormat::Rgba8;
  });
  if (images.empty() || allRgba8) return;
  for (DeepImage& image : images)
    if (image.format == FragmentFormat::Rgba8) makeHalf(image);

  const std::vector<DeepChannel> channels = unionOf(images);
  const bool asHalf =
      fitsHalf(channels) && std::all_of(images.begin(), images.end(), [](const DeepImage& image) {
        return image.format == FragmentFormat::Half;
      });
  for (std::size_t i = 0; i < images.size(); ++i) {
    DeepImage& image = images[i];
    const bool fillAlpha =
        find(channels, "A") && !find(image.channels, "A") && hasColor(image.channels);
    if (fillAlpha && warnings == UnifyWarnings::On)
      log::warn("input {}: no \"A\" channel, every fragment counts as opaque", i + 1);
    if (!asHalf) makeIndexed(image);
    asHalf ? adoptHalf(image, channels, fillAlpha) : adoptIndexed(image, channels, fillAlpha);
    image.hasZBack = find(channels, "ZBack") != nullptr;
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
