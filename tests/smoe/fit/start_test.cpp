// SPDX-License-Identifier: BSD-3-Clause
// The kd-tree and the mixture that a fit begins with.
#include "app/engine/smoe/fit/mixture.h"
#include "tests/smoe/fit/pictures.h"

#include <gtest/gtest.h>

namespace fathom::smoe {
namespace {

std::vector<int> coverage(const std::vector<PixelBox>& boxes, glm::ivec2 size) {
  std::vector<int> covered(std::size_t(size.x * size.y), 0);
  for (const PixelBox& box : boxes)
    for (int y = box.low.y; y < box.high.y; ++y)
      for (int x = box.low.x; x < box.high.x; ++x) ++covered[std::size_t(y * size.x + x)];
  return covered;
}

TEST(CutPicture, CoversEveryPixelOnceWithExactlySoManyBoxes) {
  for (const int count : {1, 2, 37, 300}) {
    const auto boxes = cutPicture(discs({61, 47}), count);
    EXPECT_EQ(int(boxes.size()), count);
    EXPECT_EQ(coverage(boxes, {61, 47}), std::vector<int>(61 * 47, 1)) << count;
  }
}

TEST(CutPicture, RepeatsPixelsWhenThereAreTooFew) {
  EXPECT_EQ(cutPicture(discs({3, 2}), 10).size(), 10u);
  EXPECT_EQ(cutPicture(discs({1, 1}), 5).size(), 5u);
}

TEST(CutPicture, CutsAtTheEdge) {
  Image halves = flat({64, 32}, glm::vec3(0.1f));
  for (int y = 0; y < 32; ++y)
    for (int x = 24; x < 64; ++x) halves.at(x, y) = glm::vec4(0.9f);
  const auto boxes = cutPicture(halves, 2);
  EXPECT_EQ(boxes[0].high, glm::ivec2(24, 32));
  EXPECT_EQ(boxes[1].low, glm::ivec2(24, 0));
}

TEST(CutPicture, SpendsBoxesWhereColorsAreNotLinear) {
  Image picture = ramp({64, 64});
  const Image busy = noise({64, 64}, 3);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) picture.at(x, y) = busy.at(x, y);
  int inside = 0;
  for (const PixelBox& box : cutPicture(picture, 100))
    inside += box.high.x <= 32 && box.high.y <= 32;
  EXPECT_GT(inside, 80);
}

TEST(LeafGaussian, HasMeanAndCovarianceOfItsPixels) {
  // y = x / 16 in red over 16 columns: var_x = 255 / 12, cov = var_x / 16.
  const Gaussian g = leafGaussian(ramp({16, 4}), {{0, 0}, {16, 4}});
  EXPECT_DOUBLE_EQ(g.prior, 1);
  EXPECT_NEAR(g.mean[0], 8, 1e-12);
  EXPECT_NEAR(g.mean[2], 0.5, 1e-6);
  EXPECT_NEAR(g.covariance[0][0], 255.0 / 12 + kPixelVariance, 1e-9);
  EXPECT_NEAR(g.covariance[0][2], 255.0 / 12 / 16, 1e-6);
  EXPECT_NEAR(g.covariance[4][4], kColorVariance, 1e-9);
}

TEST(StartMixture, HasExactlySoManyComponentsInEveryDimension) {
  EXPECT_EQ(startMixture(*trainingOf(discs({32, 32})), 50).size(), 50u);
  EXPECT_EQ(startMixture(*trainingOfViews({3, 3}, {24, 16}), 20).size(), 20u);
  auto video = trainingOfViews({1, 11}, {24, 16});
  video->dims = 3;
  video->frames = 11;
  video->views = {1, 1};
  EXPECT_EQ(startMixture(*video, 21).size(), 21u);
  EXPECT_EQ(startMixture(*video, 1).size(), 1u);
}

}  // namespace
}  // namespace fathom::smoe
