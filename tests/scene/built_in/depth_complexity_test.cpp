// SPDX-License-Identifier: BSD-3-Clause
// The benchmark scenes are as deep as those of Archer, Leach and van Schyndel 2018: mean fragments
// per pixel of both images together at 16:9, from the bytes in the paper's Table 4.
#include "app/engine/scene/load_scene.h"
#include "tests/scene/count_fragments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace fathom {
namespace {

constexpr int kWidth = 480, kHeight = 270;

struct Depth {
  double mean = 0;                    // fragments per pixel, all parts together
  std::uint32_t mostOfNearlyAll = 0;  // 99.9 % of a part's pixels hold fewer
  std::uint32_t max = 0;              // of a pixel of a part
};

Depth depthOf(const std::string& spec) {
  Progress progress;
  const auto scene = loadScene(spec, progress);
  Depth depth;
  for (std::size_t part = 0; part < scene->parts.size(); ++part) {
    std::vector<std::uint32_t> counts =
        countFragments(*scene, part, scene->camera, kWidth, kHeight);
    depth.mean += double(std::accumulate(counts.begin(), counts.end(), std::uint64_t(0))) /
                  double(counts.size());
    std::sort(counts.begin(), counts.end());
    depth.max = std::max(depth.max, counts.back());
    depth.mostOfNearlyAll = std::max(depth.mostOfNearlyAll, counts[counts.size() * 999 / 1000]);
  }
  return depth;
}

void expectWithinTenPercent(double found, double paper) {
  EXPECT_GT(found, paper * 0.9);
  EXPECT_LT(found, paper * 1.1);
}

TEST(DepthComplexity, AtriumIsNearThePapers) {
  const Depth depth = depthOf("atrium");
  expectWithinTenPercent(depth.mean, 8.9);
  EXPECT_LE(depth.mostOfNearlyAll, 20u);
}

/// Its lists reach into the hundreds: those of the interior alone to 300 and more.
TEST(DepthComplexity, PowerplantIsNearThePapers) {
  const Depth depth = depthOf("powerplant");
  expectWithinTenPercent(depth.mean, 18.5);
  EXPECT_GE(depth.max, 300u);
  EXPECT_LT(depth.max, 1000u);
}

TEST(DepthComplexity, HairballIsNearThePapers) {
  expectWithinTenPercent(depthOf("hairball").mean, 22.9);
}

TEST(DepthComplexity, PlanesIsNearThePapers) {
  expectWithinTenPercent(depthOf("planes").mean, 63.3);
}

TEST(DepthComplexity, PlanesCoverTwoThirdsOfTheHeight) {
  Progress progress;
  const auto scene = loadScene("planes:count=1,spheres=0", progress);
  const auto counts = countFragments(*scene, 0, scene->camera, kWidth, kHeight);
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 1u), 180 * 180);
  EXPECT_EQ(counts[std::size_t(kHeight / 2) * kWidth + kWidth / 2], 1u);
}

}  // namespace
}  // namespace fathom
