// SPDX-License-Identifier: BSD-3-Clause
// Whitening there and back, rounding, slicing and tiling.
#include "app/engine/smoe/model/model.h"

#include "app/engine/core/error.h"
#include "tests/smoe/model/models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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
  Gaussian g;
  g.prior = 1;
  g.covariance[0][0] = g.covariance[1][1] = 1;
  g.covariance[0][1] = g.covariance[1][0] = 1.1;
  try {
    whiten(g, 2, "a.smoe: component 3");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        "a.smoe: component 3: expected a positive definite covariance, found one that is not",
        error.what());
  }
}

TEST(Whiten, HelpsASingularCovarianceByAMillionth) {
  Gaussian g;
  g.prior = 1;
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
  Record r;
  r.center = {huge, -huge};
  EXPECT_EQ(std::numeric_limits<std::int32_t>::max(), rounded(r, model).cx);
  EXPECT_EQ(-std::numeric_limits<std::int32_t>::max(), rounded(r, model).cy);
  r.center.x = none;
  EXPECT_EQ(0, rounded(r, model).cx);
}

TEST(Slice, LeavesAnImageAsItIs) {
  const Record r = disc({3, 4}, 2, {0.1, 0.2, 0.3});
  EXPECT_EQ(r.center, slice(r, 0, {5, 6}).center);
  EXPECT_EQ(r.c, slice(r, 0, {5, 6}).c);
}

TEST(Slice, MovesAComponentAlongItsMotion) {
  Record r = disc({10, 20}, 2, {0.5, 0.5, 0.5});
  r.m[0] = {1.5, 0}, r.m[1] = {-0.5, 0};
  r.leadCenter = {4, 0};
  EXPECT_EQ(glm::dvec2(13, 19), slice(r, 1, {6, 99}).center);
  EXPECT_DOUBLE_EQ(r.c - 2, slice(r, 1, {6, 99}).c);  // two frames at one frame of sigma
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

}  // namespace
}  // namespace fathom::smoe
