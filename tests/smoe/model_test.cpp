// SPDX-License-Identifier: BSD-3-Clause
// Models on the CPU: whitening there and back, rounding, slicing and tiling; the reference decoder,
// its bounds, lists and certificates; the decoders that benches compare with; lists of a fit.
#include "app/engine/smoe/model/model.h"
#include "app/engine/core/random.h"
#include "app/engine/smoe/decode/processor.h"
#include "app/engine/smoe/fit/relocate.h"
#include "app/engine/smoe/model/component_lists.h"
#include "app/lab/smoe/baseline.h"
#include "tests/smoe/models.h"

namespace fathom::smoe {
namespace {

using reference::Grid;

TEST(FractionBits, HoldCentersOnePictureOutside) {
  EXPECT_EQ(20, fractionBitsFor(1, 1));
  EXPECT_EQ(20, fractionBitsFor(512, 512));
  EXPECT_EQ(17, fractionBitsFor(3840, 2160));
  EXPECT_EQ(15, fractionBitsFor(16384, 16384));
}

TEST(Whiten, IsUndoneByUnwhiten) {
  for (const int dims : {2, 3, 4})
    for (const Gaussian& g : randomMixture(1, dims, 20, {64, 48})) {
      const Gaussian back = unwhiten(whiten(g, dims, "test"), dims);
      EXPECT_NEAR(g.prior, back.prior, 1e-12);
      for (int i = 0; i < dims + 3; ++i) EXPECT_NEAR(g.mean[i], back.mean[i], 1e-12);
      // R_YY is not part of a record.
      for (int i = 0; i < dims + 3; ++i)
        for (int j = 0; j < std::min(dims, i + 1); ++j)
          EXPECT_NEAR(g.covariance[i][j], back.covariance[i][j], 1e-9) << dims << " " << i << j;
    }
}

TEST(Whiten, BoundsTheExpertsSlopeByTheColorsVariance) {
  // R_YY - H H^T is positive semidefinite for every true mixture.
  for (const Gaussian& g : randomMixture(2, 4, 50, {64, 48})) {
    const Record r = whiten(g, 4, "test");
    for (int i = 0; i < 3; ++i) {
      const double h2 = r.h[i].x * r.h[i].x + r.h[i].y * r.h[i].y + r.leadH[i].x * r.leadH[i].x +
                        r.leadH[i].y * r.leadH[i].y;
      EXPECT_LE(h2, g.covariance[4 + i][4 + i]);
    }
  }
}

TEST(Whiten, RefusesACovarianceThatIsNotPositiveDefinite) {
  Gaussian g{.prior = 1};
  g.covariance[0][0] = g.covariance[1][1] = 1;
  g.covariance[0][1] = g.covariance[1][0] = 1.1;
  EXPECT_EQ("a.smoe: component 3: expected a positive definite covariance, found one that is not",
            messageOf([&] { whiten(g, 2, "a.smoe: component 3"); }));
}

TEST(Whiten, HelpsASingularCovarianceByAMillionth) {
  Gaussian g{.prior = 1};
  for (auto& row : {0, 1})
    for (auto& column : {0, 1}) g.covariance[row][column] = 4;
  const Record r = whiten(g, 2, "test");
  EXPECT_TRUE(std::isfinite(r.w22));
  EXPECT_NEAR(0.5, r.w11, 1e-6);
}

TEST(Rounded, KeepsCentersToHalfAStepAndTheRestToFloats) {
  const Model model = randomModel(3, 4, 30, {100, 80});
  const std::vector<Gaussian> mixture = randomMixture(3, 4, 30, {100, 80});
  for (std::size_t j = 0; j < mixture.size(); ++j) {
    const Record r = whiten(mixture[j], 4, "test"), back = exact(model.components[j], model);
    EXPECT_NEAR(r.center.x, back.center.x, std::ldexp(0.5, -model.centerFractionBits));
    EXPECT_NEAR(r.center.y, back.center.y, std::ldexp(0.5, -model.centerFractionBits));
    EXPECT_EQ(float(r.w21), float(back.w21));
    EXPECT_EQ(float(r.leadH[2].y), float(back.leadH[2].y));
    EXPECT_EQ(float(r.m[1].x), float(back.m[1].x));
    EXPECT_EQ(model.components[j], rounded(back, model));
  }
}

TEST(Rounded, EndsAtTheLimitsOfFixedPoint) {
  Model model;
  const double huge = 1e30, none = std::numeric_limits<double>::quiet_NaN();
  Record r{.center = {huge, -huge}};
  EXPECT_EQ(std::numeric_limits<std::int32_t>::max(), rounded(r, model).cx);
  EXPECT_EQ(-std::numeric_limits<std::int32_t>::max(), rounded(r, model).cy);
  r.center.x = none;
  EXPECT_EQ(0, rounded(r, model).cx);
}

/// Every coordinate between, on and outside the views.
class SliceAgainstMixture : public testing::TestWithParam<int> {};
TEST_P(SliceAgainstMixture, IsTheSameTo1e10) {
  const int dims = GetParam();
  const glm::ivec2 size{23, 17};
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const std::vector<Gaussian> mixture = randomMixture(seed, dims, 60, size);
    for (const ViewCoordinates a : {glm::dvec2(0, 0), {1.37, -2.2}, {5.5, 6}, {-7, 3}}) {
      std::vector<Record> records;
      for (const Gaussian& g : mixture)
        records.push_back(slice(whiten(g, dims, "test"), dims - 2, a));
      const Grid grid{size};
      EXPECT_LT(largestDifference(reference::decode(records, grid),
                                  reference::decodeMixture(mixture, dims, grid, a)),
                1e-10);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Dims, SliceAgainstMixture, testing::Values(2, 3, 4));

TEST(Tiled, FillsALargerPictureWithCopies) {
  const Model model = randomModel(5, 2, 40, {32, 24});
  const Model large = tiled(model, 80, 60);
  EXPECT_EQ(80, large.width);
  EXPECT_EQ(60, large.height);
  std::size_t inside = 0;
  for (const Component& component : large.components) {
    const Record r = exact(component, large);
    inside += r.center.x >= 0 && r.center.x < 80 && r.center.y >= 0 && r.center.y < 60;
  }
  EXPECT_EQ(large.components.size(), inside);
  EXPECT_NEAR(40.0 * 80 * 60 / (32 * 24), double(large.components.size()), 60);
}

TEST(Tiled, RepeatsThePictureFarFromSeams) {
  // Small components: in the middle of a copy its neighbors do not count.
  std::vector<Record> records;
  for (int y = 4; y < 64; y += 8)
    for (int x = 4; x < 64; x += 8)
      records.push_back(disc({x, y}, 2, {x / 64.0, y / 64.0, (x ^ y) / 64.0}));
  const Model model = modelOf(records, {64, 64}), large = tiled(model, 192, 128);
  EXPECT_EQ(6 * model.components.size(), large.components.size());
  const auto once = reference::decode(reference::recordsOf(model, {}), {{8, 8}, {28, 28}});
  const auto again = reference::decode(reference::recordsOf(large, {}), {{8, 8}, {156, 92}});
  EXPECT_LT(largestDifference(once, again), 1e-12);
}

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
    Record r{.center = {double(random.uniform(-20, 20)), double(random.uniform(-20, 20))},
             .w11 = std::exp(double(random.uniform(-4, 1))),
             .w22 = std::exp(double(random.uniform(-4, 1)))};
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

TEST(ToImage, DecodesTheColorSpaceAndGoesOnBeyondIt) {
  const std::vector<glm::dvec3> colors{{-0.5, 0.5, 2}};
  const glm::vec4 linear = toImage(colors, {1, 1}, ColorSpace::Linear).pixels[0];
  EXPECT_EQ(glm::vec4(-0.5f, 0.5f, 2, 1), linear);
  const glm::vec4 srgb = toImage(colors, {1, 1}, ColorSpace::Srgb).pixels[0];
  const float half = linearFromSrgb(0.5f);
  EXPECT_EQ(glm::vec4(-half, half, linearFromSrgb(2), 1), srgb);
  const glm::vec4 kept =
      toImage(std::vector<glm::dvec3>{{0, 0.5, 1}}, {1, 1}, {ColorSpace::Asinh, 40}).pixels[0];
  EXPECT_EQ(kept.r, 0);
  EXPECT_NEAR(kept.g, std::sinh(std::asinh(100 * 40.0) / 2) / 100, 1e-6);
  EXPECT_NEAR(kept.b, 40, 1e-4);
}

TEST(ToImage, KnowsThePrimariesOfBt709) {
  // Red: Y' = 0.2126, Cb = -0.2126 / 1.8556, Cr = 1/2.
  const std::vector<glm::dvec3> red{{0.2126, 0.5 - 0.2126 / 1.8556, 1}};
  const glm::vec4 pixel = toImage(red, {1, 1}, ColorSpace::Ycbcr709).pixels[0];
  EXPECT_NEAR(1, pixel.r, 1e-4);
  EXPECT_NEAR(0, pixel.g, 1e-4);
  EXPECT_NEAR(0, pixel.b, 1e-4);
}

using reference::Grid;

class Block : public testing::TestWithParam<int> {
 protected:
  const Grid block{{19, 13}, {7, 5}};
  const ViewCoordinates a{1.5, -2.25};
  std::vector<Gaussian> mixture = randomMixture(1, GetParam(), 80, {40, 30});
  std::vector<glm::dvec3> exact = reference::decodeMixture(mixture, GetParam(), block, a);
};

TEST_P(Block, IsRight) {
  const auto colors = baseline::decodeBlock(mixture, GetParam(), block, a);
  EXPECT_LT(largestDifference(exact, colors), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Dims, Block, testing::Values(2, 3, 4));

/// Also tiles that are no whole number of vectors, at the edges and in the middle.
TEST(Processor, DecodesWhatTheListsHold) {
  const Grid grid{{50, 37}, {3, 2}, 0.5};
  const auto records = reference::recordsOf(randomModel(2, 2, 200, {32, 24}), {});
  for (const int side : {8, 11, 16}) {
    const auto lists = reference::boundedLists(records, grid, side, reference::thresholdFor(8));
    std::vector<glm::vec4> colors(50 * 37);
    const glm::ivec2 tiles = (grid.size + side - 1) / side;
    for (glm::ivec2 at(0); at.y < tiles.y; ++at.y)
      for (at.x = 0; at.x < tiles.x; ++at.x)
        decodeTile(records, lists.lists[std::size_t(at.y * tiles.x + at.x)], grid,
                   {at * side, glm::min((at + 1) * side, grid.size)}, colors);
    const auto exact = reference::decode(records, grid, lists.lists, side);
    EXPECT_LT(largestDifference(exact, std::vector<glm::dvec3>(colors.begin(), colors.end())), 5e-6)
        << side;
  }
}

/// The strongest component of the tile weighs e^-1800 of nothing where another one is alone.
TEST(Processor, SumsThatVanishAreThoseOfTheReference) {
  const std::vector records{disc({0.5, 0.5}, 0.1, {1, 0, 0}), disc({-400, 0.5}, 60, {0, 0.5, 0})};
  std::vector<glm::vec4> colors(8);
  decodeTile(records, std::vector<std::uint32_t>{0, 1}, {{8, 1}}, {{0, 0}, {8, 1}}, colors);
  const auto exact = reference::decode(records, {{8, 1}});
  EXPECT_LT(largestDifference(exact, std::vector<glm::dvec3>(colors.begin(), colors.end())), 1e-6);
  EXPECT_NEAR(0.5, colors[7].g, 1e-6);
}

/// In every color space, with samples per pixel; the lists leave out nothing that shows.
TEST(Processor, DrawsThePictureOfTheReference) {
  Model model = randomModel(4, 2, 300, {70, 50});
  for (const ColorSpace space :
       {ColorSpace::Srgb, ColorSpace::Linear, ColorSpace::Ycbcr709, ColorSpace::Asinh}) {
    model.colorSpace = space, model.peak = 4;
    for (const ViewWindow& window : {ViewWindow{{70, 50}}, ViewWindow{{31, 20}, {-5, 7.5}, 2, 3}}) {
      const Image found = decodedPart(model, window, 20),
                  wanted = reference::picture(model, window);
      EXPECT_TRUE(test::rounding(found, wanted, 2e-5f)) << int(space);
    }
  }
}

TEST(ComponentLists, HoldWhatTheReferenceHolds) {
  for (const int count : {1, 30, 400}) {
    const Model model = randomModel(3, 2, count, {83, 45});
    const auto records = reference::recordsOf(model, {});
    const ComponentLists lists = buildComponentLists(records, {{0, 0}, {83, 45}}, 11);
    const auto expected = reference::boundedLists(records, {{83, 45}, {0, 0}, 1}, 8, 11);
    ASSERT_EQ(lists.tileStarts.size(), expected.lists.size() + 1);
    for (std::size_t tile = 0; tile < expected.lists.size(); ++tile)
      EXPECT_EQ(std::vector<std::uint32_t>(lists.components.begin() + lists.tileStarts[tile],
                                           lists.components.begin() + lists.tileStarts[tile + 1]),
                expected.lists[tile])
          << "tile " << tile << " of " << count << " components";
  }
}

TEST(ComponentLists, TransposeListsEachSlotOnce) {
  const Model model = randomModel(4, 2, 90, {64, 40});
  const ComponentLists lists =
      buildComponentLists(reference::recordsOf(model, {}), {{0, 0}, {64, 40}}, 11);
  std::vector<std::uint32_t> seen(lists.slotCount(), 0);
  for (std::uint32_t j = 0; j < 90; ++j)
    for (std::uint32_t k = lists.componentEnds[j]; k < lists.componentEnds[j + 1]; ++k) {
      EXPECT_EQ(lists.components[lists.slots[k]], j);
      ++seen[lists.slots[k]];
    }
  EXPECT_EQ(seen, std::vector<std::uint32_t>(lists.slotCount(), 1));
  for (std::size_t i = 0; i < 90; ++i) {
    const std::uint32_t j = lists.order[i];
    EXPECT_LE(lists.componentEnds[j + 1] - lists.componentEnds[j], lists.bounds[i / 64]);
  }
}

TEST(ComponentLists, RegionsOfAPictureHoldWhatTheWholeHolds) {
  const Model model = randomModel(5, 2, 60, {48, 48});
  const auto records = reference::recordsOf(model, {});
  const ComponentLists whole = buildComponentLists(records, {{0, 0}, {48, 48}}, 11);
  const ComponentLists lower = buildComponentLists(records, {{0, 24}, {48, 48}}, 11);
  EXPECT_EQ(std::vector<std::uint32_t>(whole.components.begin() + whole.tileStarts[18],
                                       whole.components.end()),
            lower.components);
}

TEST(Split, HalvesLieBesideEachOtherAndKeepTheExpertsSlope) {
  const Model model = randomModel(9, 2, 5, {64, 64});
  for (const Record& r : reference::recordsOf(model, {})) {
    const Halves halves = split(r, {0, 1, {0.2, -0.1}, {0.5, 0.3, 1.4}});
    EXPECT_NEAR(glm::distance((halves.first.center + halves.second.center) / 2.0, r.center), 0,
                1e-9);
    // The covariance's determinant falls by 0.75^2.
    EXPECT_NEAR(halves.first.w11 * halves.first.w22, r.w11 * r.w22 / 0.75, 1e-9);
    for (const Record& half : {halves.first, halves.second})
      for (std::size_t k = 0; k < 3; ++k) {
        // H W before and after; and the expert of a half at its center is the old expert there.
        const auto slope = [&](const Record& of) {
          return glm::dvec2(of.h[k].x * of.w11 + of.h[k].y * of.w21, of.h[k].y * of.w22);
        };
        EXPECT_NEAR(slope(half).x, slope(r).x, 1e-9);
        EXPECT_NEAR(slope(half).y, slope(r).y, 1e-9);
        EXPECT_NEAR(half.color[int(k)],
                    r.color[int(k)] + glm::dot(slope(r), half.center - r.center), 1e-9);
      }
  }
}

TEST(Relocate, MovesTheLeastUsefulToTheWorst) {
  Model model = randomModel(10, 2, 4, {64, 64});
  const std::vector<Component> before = model.components;
  const std::vector<ComponentWorth> worth{{5, 1}, {0.1, 0.2}, {9, 30, {}, {1, 0, 0.1}}, {8, 2}};
  EXPECT_EQ(relocate(model.components, model, worth, 1), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(model.components[0], before[0]);
  EXPECT_EQ(model.components[3], before[3]);
  const Record first = exact(model.components[2], model),
               second = exact(model.components[1], model);
  const glm::dvec2 old = exact(before[2], model).center;
  EXPECT_NEAR(glm::distance((first.center + second.center) / 2.0, old), 0, 1e-5);
}

TEST(Relocate, LeavesAllWhereNothingIsToBeGained) {
  Model model = randomModel(10, 2, 3, {64, 64});
  const std::vector<Component> before = model.components;
  const std::vector<ComponentWorth> worth{{5, 1}, {4, 2}, {9, 3}};
  EXPECT_TRUE(relocate(model.components, model, worth, 3).empty());
  EXPECT_EQ(model.components, before);
}

/// Three components like the first, their sizes by these factors of W.
Model alike(int dims, const std::vector<float>& narrower) {
  Model model = randomModel(10, dims, 4, {64, 64});
  for (std::size_t j = 1; j < 4; ++j) {
    Component& c = model.components[j] = model.components[0];
    c.w11 *= narrower[j - 1], c.w21 *= narrower[j - 1], c.w22 *= narrower[j - 1];
  }
  return model;
}

TEST(Relocate, SplitsTheSmallerOfTwoWithAlikeBlame) {
  const std::vector<ComponentWorth> worth{
      {0.1, 0.2}, {9, 30, {}, {1, 0, 0.1}}, {9, 28, {}, {1, 0, 0.1}}, {8, 2}};
  Model picture = alike(2, {1, 2, 1});
  EXPECT_EQ(relocate(picture.components, picture, worth, 1), (std::vector<std::uint32_t>{0, 2}));
  // Where components are crowded it is as with views.
  Model crowded = alike(2, {1, 2, 1});
  crowded.width = crowded.height = 16;
  EXPECT_EQ(relocate(crowded.components, crowded, worth, 1), (std::vector<std::uint32_t>{0, 1}));
  // Of much more blame, the larger one; and of views always.
  Model equal = alike(2, {1, 1.05f, 1});
  EXPECT_EQ(relocate(equal.components, equal, worth, 1), (std::vector<std::uint32_t>{0, 1}));
  Model views = alike(4, {1, 2, 1});
  EXPECT_EQ(relocate(views.components, views, worth, 1), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Relocate, PassesOverASmallOneThatHasLittleToGain) {
  Model model = alike(2, {100, 1, 1});
  const std::vector<ComponentWorth> worth{
      {2, 1}, {9, 3, {}, {1, 0, 0.1}}, {9, 30, {}, {1, 0, 0.1}}, {8, 2}};
  EXPECT_EQ(relocate(model.components, model, worth, 1), (std::vector<std::uint32_t>{0, 2}));
}

}  // namespace
}  // namespace fathom::smoe
