// SPDX-License-Identifier: BSD-3-Clause
// Decoding, sorting and comparing fragment lists on the CPU. Values are read through the format, so
// that the reference and the inspector never see packed words.
#include "app/engine/core/deep_image.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"

#include <half.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>

namespace fathom {
namespace {

constexpr std::size_t kPixelsPerJob = 4096;

float halfValue(std::uint32_t bits) {
  half value;
  value.setBits(static_cast<unsigned short>(bits));
  return value;
}

const DeepChannel* channelNamed(const DeepImage& image, std::string_view name) {
  const auto found = std::find_if(image.channels.begin(), image.channels.end(),
                                  [&](const DeepChannel& channel) { return channel.name == name; });
  return found == image.channels.end() ? nullptr : &*found;
}

float channelValue(const DeepChannel& channel, std::size_t index) {
  const std::size_t bytes = bytesPerValue(channel.type);
  std::uint32_t bits = 0;
  std::memcpy(&bits, channel.values.data() + index * bytes, bytes);
  switch (channel.type) {
    case ChannelType::Half:
      return halfValue(bits);
    case ChannelType::Float:
      return std::bit_cast<float>(bits);
    case ChannelType::Uint:
      return float(bits);
  }
  return 0;
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
  const DeepChannel* channel = channelNamed(image, name);
  return channel && channel->type != ChannelType::Uint ? channel : nullptr;
}

/// Color comes from R, G, B or else from Y; opacity from A or else from the mean of AR, AG, AB.
Fragment decodeIndexed(const DeepImage& image, const std::uint32_t* words) {
  const std::size_t index = words[0];
  const auto read = [&](std::string_view name, float otherwise) {
    const DeepChannel* channel = numberNamed(image, name);
    return channel ? channelValue(*channel, index) : otherwise;
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
  parallelFor(image.pixelCount(), kPixelsPerJob, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p)
      std::sort(fragments + image.fragmentOffsets[p], fragments + image.fragmentOffsets[p + 1],
                inFront);
  });
}

/// Compares the n fragments that start at wordsA and wordsB.
bool sameRun(const DeepImage& a, const std::uint32_t* wordsA, const DeepImage& b,
             const std::uint32_t* wordsB, std::size_t n) {
  const std::size_t stride = std::size_t(a.stride());
  if (a.format != FragmentFormat::Indexed) return std::equal(wordsA, wordsA + n * stride, wordsB);
  for (std::size_t i = 0; i < n; ++i, wordsA += stride, wordsB += stride) {
    if (wordsA[2] != wordsB[2] || wordsA[3] != wordsB[3]) return false;
    for (std::size_t c = 0; c < a.channels.size(); ++c) {
      const std::size_t bytes = bytesPerValue(a.channels[c].type);
      if (std::memcmp(a.channels[c].values.data() + wordsA[0] * bytes,
                      b.channels[c].values.data() + wordsB[0] * bytes, bytes) != 0)
        return false;
    }
  }
  return true;
}

}  // namespace

bool hasColor(const std::vector<DeepChannel>& channels) {
  return std::any_of(channels.begin(), channels.end(), [](const DeepChannel& channel) {
    return channel.name == "R" || channel.name == "G" || channel.name == "B" || channel.name == "Y";
  });
}

Fragment decodeFragment(const DeepImage& image, std::size_t index) {
  FATHOM_CHECK_OP(index, <, image.fragmentCount());
  return decodeWords(image, image.words.data() + index * std::size_t(image.stride()));
}

Fragment decodeWords(const DeepImage& image, const std::uint32_t* words) {
  switch (image.format) {
    case FragmentFormat::Rgba8:
      return decodeRgba8(words);
    case FragmentFormat::Half:
      return decodeHalf(words);
    case FragmentFormat::Indexed:
      return decodeIndexed(image, words);
  }
  return {};
}

void sortLists(DeepImage& image) {
  if (image.format == FragmentFormat::Rgba8)
    sortListsOf<2>(image);
  else
    sortListsOf<4>(image);
  image.sorted = true;
}

bool sameFragments(const DeepImage& a, const DeepImage& b) {
  if (a.format != b.format || a.fragmentCount() != b.fragmentCount()) return false;
  if (!std::equal(a.channels.begin(), a.channels.end(), b.channels.begin(), b.channels.end(),
                  [](const DeepChannel& x, const DeepChannel& y) {
                    return x.name == y.name && x.type == y.type;
                  }))
    return false;
  const Rect window = unite(a.dataWindow, b.dataWindow);
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x) {
      const auto listA = a.list(x, y), listB = b.list(x, y);
      if (listA.size() != listB.size() ||
          !sameRun(a, listA.data(), b, listB.data(), listA.size() / std::size_t(a.stride())))
        return false;
    }
  return true;
}

}  // namespace fathom
