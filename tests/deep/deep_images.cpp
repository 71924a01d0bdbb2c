// SPDX-License-Identifier: BSD-3-Clause
// Lists spelled out or filled from a seed, as images of each format; and comparing what lists hold.
#include "tests/deep/deep_images.h"

#include "app/engine/deep/read/streaming.h"
#include "app/engine/deep/reference.h"

#include <half.h>

#include <random>

namespace fathom::test {
namespace {

std::uint32_t halfBits(float value) { return half(value).bits(); }
std::uint32_t halves(float low, float high) { return halfBits(low) | halfBits(high) << 16; }

DeepImage emptyImage(const Rect& window, FragmentFormat format) {
  DeepImage image;
  image.dataWindow = image.displayWindow = window;
  image.format = format;
  for (const char* name : {"A", "B", "G", "R"})
    image.channels.push_back({name, ChannelType::Half, {}});
  image.channels.push_back({"Z", ChannelType::Float, {}});
  return image;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::array<float, 12> kDepths{-kInfinity, -7.5f, -1e-40f, -0.0f, 0.0f,  1e-40f,
                                        0.25f,      1.0f,  1.0f,    2.0f,  1e30f, kInfinity};

}  // namespace

std::string layoutName(const testing::TestParamInfo<deep::Layout>& layout) {
  static const char* const names[] = {"LL", "LA", "IA", "BIA", "RIA", "ABIA"};
  return names[int(layout.param)];
}

DeepImage deepImage(const Rect& window, const std::vector<std::vector<Fragment>>& lists) {
  DeepImage image = emptyImage(window, FragmentFormat::Half);
  for (const std::vector<Fragment>& list : lists) {
    for (const Fragment& f : list)
      image.words.insert(image.words.end(),
                         {halves(f.r, f.g), halves(f.b, f.a), std::bit_cast<std::uint32_t>(f.z),
                          std::bit_cast<std::uint32_t>(f.zBack)});
    image.fragmentOffsets.push_back(image.words.size() / 4);
  }
  EXPECT_EQ(image.fragmentOffsets.size(), image.pixelCount() + 1);
  return image;
}

CountOf boundaryCounts(std::uint32_t seed) {
  return [seed](int x, int y) {
    constexpr std::array<std::uint32_t, 12> counts{0, 1, 7, 8, 9, 31, 32, 33, 2, 3, 15, 17};
    const std::uint32_t mixed =
        (std::uint32_t(x) * 73856093u ^ std::uint32_t(y) * 19349663u ^ seed * 83492791u) >> 3;
    return counts[mixed % counts.size()];
  };
}

CountOf constantCount(std::uint32_t count) {
  return [count](int, int) { return count; };
}

DeepImage randomImage(const RandomImage& wanted) {
  DeepImage image = emptyImage(wanted.window, wanted.format);
  std::mt19937 random(wanted.seed);
  std::uint32_t index = wanted.firstIndex;
  for (int y = 0; y < wanted.window.height; ++y)
    for (int x = 0; x < wanted.window.width; ++x) {
      const std::uint32_t count = wanted.counts(x, y);
      for (std::uint32_t i = 0; i < count; ++i, ++index) {
        const std::size_t depth = random() % kDepths.size();
        const auto z = std::bit_cast<std::uint32_t>(kDepths[depth]);
        const auto zBack = random() % 2 == 0
                               ? z
                               : std::bit_cast<std::uint32_t>(
                                     kDepths[depth + random() % (kDepths.size() - depth)]);
        const std::uint32_t alpha = random() % 17;  // sixteenths
        const auto share = [&] { return float(random() % (alpha + 1)) / 16; };
        if (wanted.format == FragmentFormat::Rgba8) {
          image.words.insert(image.words.end(), {std::uint32_t(random()), z});
          continue;
        }
        std::uint32_t low = std::uint32_t(random()), high = std::uint32_t(random());
        if (wanted.format == FragmentFormat::Indexed) {
          low = index, high = 0;
        } else if (wanted.colors == Colors::Premultiplied) {
          const float r = share(), g = share(), b = share();
          low = halves(r, g), high = halves(b, float(alpha) / 16);
        }
        image.words.insert(image.words.end(), {low, high, z, zBack});
      }
      image.fragmentOffsets.push_back(image.words.size() / std::size_t(image.stride()));
    }
  image.sorted = false;
  if (wanted.sorted) sortLists(image);
  return image;
}

DeepImage sheetsImage(const Rect& window, FragmentFormat format, bool hasZBack) {
  DeepImage image;
  image.dataWindow = window, image.format = format, image.hasZBack = hasZBack;
  std::mt19937 random(11);
  for (std::uint32_t i = 0; i < std::uint32_t(window.area()); ++i) {
    const std::uint32_t x = i % std::uint32_t(window.width), y = i / std::uint32_t(window.width);
    std::map<std::uint32_t, std::array<std::uint32_t, 4>> list;  // by Z
    for (std::uint32_t sheet = 0; sheet < 6; ++sheet) {
      const std::uint32_t step = x * (sheet % 3);
      const std::uint32_t z = 0x40000000 + 900 * sheet + x * 211 * (5 - sheet) + y * 77;
      if (random() % 9 == 0) continue;
      if (format == FragmentFormat::Rgba8)
        list[z] = {(20 + step) | (40 + step) << 8 | (50 + sheet) << 16 | 200u << 24, z};
      else
        list[z] = {(11000 + step) | (11500 + 2 * step) << 16, (9000 + sheet) | 12288u << 16, z,
                   hasZBack ? z + 1000 * sheet : z};
    }
    for (const auto& [z, words] : list)
      image.words.insert(image.words.end(), words.begin(), words.begin() + image.stride());
    image.fragmentOffsets.push_back(image.words.size() / std::size_t(image.stride()));
  }
  return image;
}

DeepImage referenceMerged(std::vector<DeepImage> images) {
  unify(images);
  deep::countThrough(images, {});
  DeepImage merged = deep::reference::merge(images);
  if (merged.format == FragmentFormat::Indexed) gather(images, merged);
  return merged;
}

bool isSorted(const DeepImage& image) {
  const auto stride = std::size_t(image.stride());
  const auto depthOf = [&](std::size_t i) {
    const std::uint32_t* words = image.words.data() + i * stride;
    return std::pair(std::bit_cast<float>(words[stride == 2 ? 1 : 2]),
                     std::bit_cast<float>(words[stride - 1]));
  };
  for (std::size_t p = 0; p < image.pixelCount(); ++p)
    for (std::size_t i = image.fragmentOffsets[p] + 1; i < image.fragmentOffsets[p + 1]; ++i)
      if (depthOf(i) < depthOf(i - 1)) return false;
  return true;
}

bool isTidy(const DeepImage& image) {
  const auto stride = std::size_t(image.stride());
  for (std::size_t p = 0; p < image.pixelCount(); ++p) {
    float end = -INFINITY;    // of the fragment before
    bool pointAtEnd = false;  // it was a point
    for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
      const std::uint32_t* words = image.words.data() + i * stride;
      const auto z = std::bit_cast<float>(words[stride == 2 ? 1 : 2]);
      const float zBack = std::max(z, std::bit_cast<float>(words[stride - 1]));
      const bool isPoint = z == zBack;
      if (z < end || (z == end && isPoint && pointAtEnd)) return false;
      end = zBack, pointAtEnd = isPoint;
    }
  }
  return true;
}

::testing::AssertionResult sameWords(const DeepImage& found, const DeepImage& expected) {
  if (!(found.dataWindow == expected.dataWindow))
    return ::testing::AssertionFailure() << "the data windows differ";
  const auto stride = std::size_t(expected.stride());
  for (std::size_t p = 0; p < expected.pixelCount(); ++p) {
    const std::size_t first = expected.fragmentOffsets[p];
    const std::size_t count = expected.fragmentOffsets[p + 1] - first;
    if (found.fragmentOffsets[p + 1] != expected.fragmentOffsets[p + 1])
      return ::testing::AssertionFailure()
             << "pixel " << p << ": expected " << count << " fragments, found "
             << found.fragmentOffsets[p + 1] - found.fragmentOffsets[p];
    for (std::size_t i = 0; i < count * stride; ++i)
      if (found.words[first * stride + i] != expected.words[first * stride + i])
        return ::testing::AssertionFailure()
               << "pixel " << p << " of " << count << " fragments: word " << i % stride
               << " of fragment " << i / stride << " differs";
  }
  if (found.words != expected.words) return ::testing::AssertionFailure() << "words are left over";
  return ::testing::AssertionSuccess();
}

}  // namespace fathom::test
