// SPDX-License-Identifier: BSD-3-Clause
// Overlays: what is counted in compressed images is what was drawn.
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/active_pixel/image/runs.h"
#include "tests/active_pixel/frames.h"

#include <gtest/gtest.h>

#include <bit>

namespace fathom::active_pixel {
namespace {

using Codes = std::vector<std::uint32_t>;

TEST(Overlay, CountsPartsPerPixel) {
  const SparseImage a = reference::encode(test::drawn({".##.", "#..."}));
  const SparseImage b = reference::encode(test::drawn({"..##", "#..#"}));
  EXPECT_EQ(activeCounts(std::vector<SparseWords>{a.words, b.words}),
            (Codes{0, 1, 2, 1, 2, 0, 0, 1}));
}

TEST(Overlay, NumbersTheRunsInFront) {
  Frame near = test::drawn({".##.", "#..."}), far = test::drawn({"####", "####"});
  for (float& d : near.depth) d = d < 1 ? 0.2f : d;
  for (float& d : far.depth) d = 0.5f;
  const SparseImage a = reference::encode(near), b = reference::encode(far);
  const Codes expected{1, 1, 1, 1, 2, 1, 1, 1};
  EXPECT_EQ(frontRuns(std::vector<SparseWords>{a.words, b.words}, Compositing::ZBuffer, {}),
            expected);
  EXPECT_EQ(frontRuns(std::vector<SparseWords>{b.words, a.words}, Compositing::ZBuffer, {}),
            expected);
}

TEST(Overlay, FollowsTheOrderWhenBlending) {
  const Format format{Color::Rgba32f, Depth::None, Compositing::Blend};
  const SparseImage a = reference::encode(test::drawn({"#.#."}, format));
  const SparseImage b = reference::encode(test::drawn({"####"}, format));
  const std::vector<SparseWords> images{a.words, b.words};
  EXPECT_EQ(frontRuns(images, Compositing::Blend, std::vector<int>{0, 1}), (Codes{1, 1, 2, 1}));
  EXPECT_EQ(frontRuns(images, Compositing::Blend, std::vector<int>{1, 0}), (Codes{1, 1, 1, 1}));
}

TEST(Overlay, SortsRunsByLength) {
  const SparseImage image = reference::encode(test::drawn({"#.##.###.#####.#"}));
  RunLengths expected{};
  expected[0] = 2, expected[1] = 2, expected[2] = 1;
  EXPECT_EQ(runLengths(image.words), expected);
  EXPECT_EQ(runLengths(reference::encode(test::drawn({"...."})).words), RunLengths{});
}

TEST(Overlay, FindsAPixelsPayload) {
  const Frame frame = test::drawn({".##.", "..#."});
  const SparseImage image = reference::encode(frame);
  for (std::size_t pixel = 0; pixel < frame.pixelCount(); ++pixel) {
    const FoundPixel found = findPixel(image.words, pixel);
    ASSERT_EQ(found.payload != nullptr, reference::isActive(frame, pixel)) << pixel;
    if (!found.payload) continue;
    EXPECT_EQ(std::bit_cast<float>(found.payload[1]), frame.depth[pixel]);
    EXPECT_EQ(found.run, pixel < 4 ? 0u : 1u);
    EXPECT_EQ(found.runLength, pixel < 4 ? 2u : 1u);
  }
}

}  // namespace
}  // namespace fathom::active_pixel
