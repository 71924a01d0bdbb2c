// SPDX-License-Identifier: BSD-3-Clause
// The reference against closed forms, dense sampling and itself: decoding, bounds, lists and their
// certificates.
#include "app/engine/smoe/model/reference.h"

#include "app/engine/core/color.h"
#include "app/engine/core/random.h"
#include "tests/smoe/model/models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

using namespace reference;

TEST(Decode, OneComponentFillsThePictureWithItsExpert) {
  Record r = disc({2, 1}, 4, {0.25, 0.5, 0.75});
  r.h[0] = {0.1, 0}, r.h[1] = {0, 0.2};
  const auto colors = decode(std::vector{r}, {{5, 3}});
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) {
      const glm::dvec3 color = colors[std::size_t(5 * y + x)];
      EXPECT_NEAR(0.25 + 0.1 * (x + 0.5 - 2) / 4, color.r, 1e-15);
      EXPECT_NEAR(0.5 + 0.2 * (y + 0.5 - 1) / 4, color.g, 1e-15);
      EXPECT_EQ(0.75, color.b);
    }
}

TEST(Decode, TwoEqualComponentsMeetInTheMiddle) {
  const std::vector records{disc({0.5, 0.5}, 1.5, {0, 0, 0}), disc({4.5, 0.5}, 1.5, {1, 1, 1})};
  const auto colors = decode(records, {{5, 1}});
  EXPECT_DOUBLE_EQ(0.5, colors[2].r);
  EXPECT_NEAR(1 / (1 + std::exp(16 / 4.5)), colors[0].r, 1e-15);  // the logistic of d^2/2
  EXPECT_NEAR(1, colors[0].r + colors[4].r, 1e-15);
}

TEST(Decode, FarFromEverythingTheNearestStillCounts) {
  // 3000 sigma away, where exp(-d^2 / 2) is zero in any format.
  const std::vector records{disc({-3000, 0.5}, 1, {1, 0, 0}), disc({-3100, 0.5}, 1, {0, 1, 0})};
  EXPECT_EQ(glm::dvec3(1, 0, 0), decode(records, {{1, 1}})[0]);
}

TEST(Decode, ZoomsAndPansWithTheGrid) {
  const auto records = recordsOf(randomModel(1, 2, 30, {32, 32}), {});
  const auto whole = decode(records, {{32, 32}});
  // Three times as many pixels: the middle one of each three lies where a pixel center was.
  const auto zoomed = decode(records, {{9, 9}, {10, 12}, 1.0 / 3});
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      EXPECT_LT(largestDifference(std::vector{whole[std::size_t(32 * (12 + y) + 10 + x)]},
                                  std::vector{zoomed[std::size_t(9 * (3 * y + 1) + 3 * x + 1)]}),
                1e-12);
}

TEST(Decode, ListsRestrictTheSumTileByTile) {
  const std::vector records{disc({4, 4}, 3, {1, 0, 0}), disc({12, 4}, 3, {0, 1, 0})};
  const auto colors = decode(records, {{10, 3}}, {{0}, {1}}, 8);
  EXPECT_EQ(glm::dvec3(1, 0, 0), colors[7]);
  EXPECT_EQ(glm::dvec3(0, 1, 0), colors[8]);
}

TEST(Bounds, HoldOnDenseSamplesAndAreReached) {
  Random random(7);
  for (int trial = 0; trial < 5000; ++trial) {
    Record r;
    r.center = {double(random.uniform(-20, 20)), double(random.uniform(-20, 20))};
    r.w11 = std::exp(double(random.uniform(-4, 1)));
    r.w22 = std::exp(double(random.uniform(-4, 1)));
    r.w21 = double(random.uniform(-3, 3)) * std::sqrt(r.w11 * r.w22);
    const glm::dvec2 low{double(random.uniform(-20, 10)), double(random.uniform(-20, 10))};
    const glm::dvec2 size{double(random.uniform(0, 12)), double(random.uniform(0, 12))};
    const SampleBox box{low, low + size};
    const double upper = upperBound(r, box), lower = lowerBound(r, box);
    double largest = -1e300, smallest = 1e300;
    for (int j = 0; j <= 40; ++j)
      for (int i = 0; i <= 40; ++i) {
        const glm::dvec2 d = low + size * glm::dvec2(i, j) / 40.0 - r.center;
        const double z1 = r.w11 * d.x, z2 = r.w21 * d.x + r.w22 * d.y;
        largest = std::max(largest, r.c - (z1 * z1 + z2 * z2) / 2);
        smallest = std::min(smallest, r.c - (z1 * z1 + z2 * z2) / 2);
      }
    EXPECT_GE(upper, largest - 1e-9 * (1 + std::abs(largest)));
    EXPECT_NEAR(smallest, lower, 1e-9 * (1 + std::abs(smallest)));
    // The best of 41 x 41 samples is within half a step of the optimum along both axes.
    const double step = 0.5 * (r.w11 * size.x + std::abs(r.w21) * size.x + r.w22 * size.y) / 40;
    const double distance = std::sqrt(std::max(0.0, -2 * upper)) + step;
    EXPECT_LE(upper, largest + distance * step + 1e-9);
  }
}

TEST(Threshold, IsTheRecommendedOne) {
  EXPECT_NEAR(8.24, thresholdFor(8), 0.005);
  EXPECT_NEAR(12.40, thresholdFor(14), 0.005);
}

struct ListCase {
  std::uint64_t seed;
  int count, tilePixels, bits;
};
class Lists : public testing::TestWithParam<ListCase> {
 protected:
  const ListCase& param = GetParam();
  const glm::ivec2 size{83, 61};  // partial tiles and cells
  std::vector<Record> records = recordsOf(randomModel(param.seed, 2, param.count, size), {});
  const Grid grid{size};
  std::vector<glm::dvec3> full = decode(records, grid);
  BoundedLists bounded =
      boundedLists(records, grid, param.tilePixels, thresholdFor(param.bits), reachOf(full));
};

TEST_P(Lists, PassTheStrictTestWithoutAFailingPixel) {
  auto kept = decode(records, grid, bounded.lists, param.tilePixels);
  for (std::size_t i = 0; i < full.size(); ++i)
    for (int k = 0; k < 3; ++k)
      ASSERT_LT(std::abs(std::clamp(kept[i][k], 0.0, 1.0) - std::clamp(full[i][k], 0.0, 1.0)),
                std::exp2(-(param.bits + 1)));
}

TEST_P(Lists, CertifyTheErrorOfEveryTile) {
  const auto kept = decode(records, grid, bounded.lists, param.tilePixels);
  const int tilesPerRow = (size.x + param.tilePixels - 1) / param.tilePixels;
  std::vector<double> measured(bounded.certificate.size(), 0);
  for (std::size_t i = 0; i < full.size(); ++i) {
    const std::size_t x = i % std::size_t(size.x), y = i / std::size_t(size.x);
    double& largest = measured[y / param.tilePixels * tilesPerRow + x / param.tilePixels];
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(kept[i][k] - full[i][k]));
  }
  for (std::size_t tile = 0; tile < measured.size(); ++tile) {
    EXPECT_LE(measured[tile], bounded.certificate[tile] + 1e-14);
    EXPECT_LE(bounded.certificate[tile], bounded.maskedCertificate[tile]);
  }
}

TEST_P(Lists, AreNeverEmptyAndAscend) {
  for (std::size_t tile = 0; tile < bounded.lists.size(); ++tile) {
    EXPECT_FALSE(bounded.lists[tile].empty());
    EXPECT_TRUE(std::is_sorted(bounded.lists[tile].begin(), bounded.lists[tile].end()));
    EXPECT_EQ(bounded.lists[tile].size(), bounded.masks[tile].size());
    for (const std::uint16_t mask : bounded.masks[tile]) EXPECT_NE(0, mask);
  }
}

/// Entries are skipped where their bit is clear: the masked certificate holds for what is left.
TEST_P(Lists, MasksKeepTheirOwnCertificate) {
  const int square = std::max(4, param.tilePixels / 4), squares = param.tilePixels / square;
  const int tilesPerRow = (size.x + param.tilePixels - 1) / param.tilePixels;
  const int squaresPerRow = (size.x + square - 1) / square;
  const int squareRows = (size.y + square - 1) / square;
  std::vector<std::vector<std::uint32_t>> lists;
  for (int y = 0; y < squareRows; ++y)
    for (int x = 0; x < squaresPerRow; ++x) {
      const int tile = y / squares * tilesPerRow + x / squares;
      const int bit = y % squares * squares + x % squares;
      std::vector<std::uint32_t>& list = lists.emplace_back();
      for (std::size_t i = 0; i < bounded.lists[tile].size(); ++i)
        if (bounded.masks[tile][i] >> bit & 1) list.push_back(bounded.lists[tile][i]);
    }
  const auto kept = decode(records, grid, lists, square);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const std::size_t i = std::size_t(y) * size.x + x;
      const int tile = y / param.tilePixels * tilesPerRow + x / param.tilePixels;
      for (int k = 0; k < 3; ++k)
        ASSERT_LE(std::abs(kept[i][k] - full[i][k]), bounded.maskedCertificate[tile] + 1e-14);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, Lists,
                         testing::Values(ListCase{1, 60, 8, 8}, ListCase{2, 400, 16, 8},
                                         ListCase{3, 400, 16, 10}, ListCase{4, 1000, 8, 12},
                                         ListCase{5, 1000, 32, 14}, ListCase{6, 2, 16, 10}));

TEST(Lists, GrowShorterWithSmallerTilesAndFewerBits) {
  const auto records = recordsOf(randomModel(9, 2, 500, {96, 96}), {});
  const Grid grid{{96, 96}};
  const double at8 = boundedLists(records, grid, 8, thresholdFor(8)).meanLength;
  const double at16 = boundedLists(records, grid, 16, thresholdFor(8)).meanLength;
  const double deep16 = boundedLists(records, grid, 16, thresholdFor(14)).meanLength;
  EXPECT_LT(at8, at16);
  EXPECT_LT(at16, deep16);
  EXPECT_LT(deep16, 500);
}

TEST(Lists, KeepTheNearestWhenAllComponentsAreFarAway) {
  const std::vector records{disc({-500, 8}, 2, {1, 0, 0}), disc({-800, 8}, 2, {0, 1, 0})};
  const BoundedLists bounded = boundedLists(records, {{17, 5}}, 16, thresholdFor(8));
  for (const auto& list : bounded.lists) EXPECT_EQ(std::vector<std::uint32_t>{0}, list);
}

TEST(ToImage, ClampsAndDecodesTheColorSpace) {
  const std::vector<glm::dvec3> colors{{-1, 0.5, 2}};
  const glm::vec4 linear = toImage(colors, {1, 1}, ColorSpace::Linear).pixels[0];
  EXPECT_EQ(glm::vec4(0, 0.5f, 1, 1), linear);
  const glm::vec4 srgb = toImage(colors, {1, 1}, ColorSpace::Srgb).pixels[0];
  EXPECT_EQ(glm::vec4(0, linearFromSrgb(0.5f), 1, 1), srgb);
}

TEST(ToImage, KnowsThePrimariesOfBt709) {
  // Red: Y' = 0.2126, Cb = -0.2126 / 1.8556, Cr = 1/2.
  const std::vector<glm::dvec3> red{{0.2126, 0.5 - 0.2126 / 1.8556, 1}};
  const glm::vec4 pixel = toImage(red, {1, 1}, ColorSpace::Ycbcr709).pixels[0];
  EXPECT_NEAR(1, pixel.r, 1e-4);
  EXPECT_NEAR(0, pixel.g, 1e-4);
  EXPECT_NEAR(0, pixel.b, 1e-4);
}

}  // namespace
}  // namespace fathom::smoe
