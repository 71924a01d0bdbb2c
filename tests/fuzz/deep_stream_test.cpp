// SPDX-License-Identifier: BSD-3-Clause
// The fuzz target as an ordinary test, with streams of every format.
#include "app/engine/deep/distribute/row_stream.h"
#include "tests/deep/deep_images.h"
#include "tests/fuzz/corpus.h"

namespace fathom::deep {
namespace {

/// A stream as the target expects it, with its four bytes in front.
std::string seedOf(const DeepImage& image, int level) {
  constexpr int kPlace = 2;  // gives the corner 0, 2
  const std::vector<std::byte> stream = encodeRows(image, image.dataWindow, {1, level});
  std::string seed = {char(18), char(6), char(int(image.format) + (image.hasZBack ? 3 : 0)),
                      char(kPlace)};
  seed.append(reinterpret_cast<const char*>(stream.data()), stream.size());
  return seed;
}

std::string seedOf(FragmentFormat format, bool hasZBack, int level) {
  DeepImage image = test::randomImage(
      {.window = {0, 2, 19, 7}, .format = format, .seed = 3, .counts = test::boundaryCounts(3)});
  image.hasZBack = hasZBack;
  if (format == FragmentFormat::Indexed) {
    image.channels = {{"A", ChannelType::Half, {}}, {"id", ChannelType::Uint, {}}};
    for (DeepChannel& channel : image.channels)
      channel.values.resize(image.fragmentCount() * bytesPerValue(channel.type));
  }
  return seedOf(image, level);
}

std::vector<std::string> seeds() {
  return {seedOf(FragmentFormat::Half, true, 1), seedOf(FragmentFormat::Half, true, 0),
          seedOf(FragmentFormat::Rgba8, false, 0), seedOf(FragmentFormat::Indexed, false, 0),
          // Surfaces, whose fragments are much like their neighbors.
          seedOf(test::sheetsImage({0, 2, 19, 7}, FragmentFormat::Half, true), 1)};
}

TEST(DeepStream, MutatedOrCutOffIsRowsOrAnError) {
  Random random(5);
  const std::uint32_t kWords[] = {0, 1, 2, 3, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 0x10000};
  for (const std::string& seed : seeds()) {
    fuzz::run(seed);
    fuzz::feedTruncations(seed, 1 + seed.size() / 200, fuzz::run);
    for (int i = 0; i < 1500; ++i) {
      std::string input = seed;
      for (std::uint32_t changes = 1 + random.below(3); changes > 0; --changes) {
        // Most numbers are near the beginning.
        const std::uint32_t near = random.below(2) ? 80 : std::uint32_t(input.size());
        const std::size_t at = random.below(std::min(near, std::uint32_t(input.size()) - 4));
        if (random.below(2))
          input[at] = char(input[at] ^ (1 << random.below(8)));
        else
          std::memcpy(input.data() + at / 4 * 4, &kWords[random.below(8)], 4);
      }
      fuzz::run(input);
    }
  }
}

TEST(DeepStream, TheCorpusIsSound) {
  for (const std::string& seed : fuzz::corpus("deep_stream")) {
    ASSERT_GT(seed.size(), 64u);
    const Rect region{0, 2, 1 + seed[0], 1 + seed[1]};
    StreamLimits limits{region, {}, 3, 10'000};
    limits.like.format = FragmentFormat(seed[2] % 3), limits.like.hasZBack = seed[2] >= 3;
    EXPECT_NO_THROW(decodeRows(std::as_bytes(std::span(seed)).subspan(4), limits));
    fuzz::run(seed);
  }
}

}  // namespace
}  // namespace fathom::deep
