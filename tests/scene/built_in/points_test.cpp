// SPDX-License-Identifier: BSD-3-Clause
// The globe of points: every stretch is made alike, in order, inside its bounds.
#include "app/engine/scene/built_in/points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <glm/geometric.hpp>

namespace fathom {
namespace {

PointCloud cloudOf(std::uint64_t count, std::uint64_t seed = 1) {
  Progress progress;
  return PointCloud(count, seed, 1, progress);
}

bool same(const std::vector<scene::shared::ScenePoint>& a,
          const std::vector<scene::shared::ScenePoint>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

TEST(PointCloud, IsTheSameInStretches) {
  const PointCloud cloud = cloudOf(10007);
  ASSERT_EQ(cloud.count(), 10007u);
  const auto all = cloud.make(0, 10007);
  std::vector<scene::shared::ScenePoint> joined;
  for (std::uint64_t at = 0; at < 10007; at += 1234) {
    const auto some = cloud.make(at, std::min<std::uint64_t>(at + 1234, 10007));
    joined.insert(joined.end(), some.begin(), some.end());
  }
  EXPECT_TRUE(same(joined, all));
  EXPECT_TRUE(cloud.make(5, 5).empty());
  EXPECT_FALSE(same(cloudOf(10007, 2).make(0, 10007), all));
}

TEST(PointCloud, RunsAlongLongitude) {
  const auto points = cloudOf(20000).make(0, 20000);
  double newest = -4;
  for (const auto& p : points) {
    const double lon = std::atan2(p.x, p.z);
    EXPECT_GT(lon, newest - 0.0059);  // inside a cell in any order
    newest = std::max(newest, lon);
  }
}

TEST(PointCloud, LiesOnTheGlobeAndInItsBounds) {
  const PointCloud cloud = cloudOf(5000);
  for (const auto& [first, end] :
       {std::pair(0, 5000), std::pair(100, 900), std::pair(4999, 5000)}) {
    const Box box = cloud.boundsOf(std::uint64_t(first), std::uint64_t(end));
    for (const auto& p : cloud.make(std::uint64_t(first), std::uint64_t(end))) {
      const glm::vec3 at(p.x, p.y, p.z);
      const float r = cloud.radius().x + cloud.radius().y * float(p.look & 0xFFFF) / 65535;
      EXPECT_NEAR(glm::length(at), 1.006f, 0.0065f);
      for (int i = 0; i < 3; ++i) {
        EXPECT_GE(at[i] - r, box.low[i]);
        EXPECT_LE(at[i] + r, box.high[i]);
      }
    }
  }
  EXPECT_TRUE(cloud.boundsOf(7, 7).empty());
}

TEST(PointCloud, IsDenseInCitiesAndEmptyOnTheSea) {
  const PointCloud cloud = cloudOf(100000);
  std::vector<int> cells(36 * 18);
  for (const auto& p : cloud.make(0, cloud.count())) {
    const double lon = std::atan2(p.x, p.z), lat = std::asin(p.y / std::hypot(p.x, p.y, p.z));
    const int column = std::min(35, int((lon / 3.14159265 + 1) * 18));
    const int row = std::min(17, int((lat / 3.14159265 + 0.5) * 18));
    ++cells[std::size_t(column * 18 + row)];
  }
  const auto empty = std::count(cells.begin(), cells.end(), 0);
  EXPECT_GT(empty, 100);
  EXPECT_LT(empty, 500);
  EXPECT_GT(*std::max_element(cells.begin(), cells.end()), 10 * 100000 / int(cells.size()));
}

TEST(PointCloud, ComesFromAScenesText) {
  Progress progress;
  EXPECT_EQ(PointCloud::fromSpec("points:count=77", progress)->count(), 77u);
  EXPECT_EQ(PointCloud::fromSpec("points", progress)->count(), 200000u);
  EXPECT_FALSE(PointCloud::fromSpec("station", progress));
  EXPECT_THROW(PointCloud::fromSpec("points:count=55300001", progress), Error);
}

}  // namespace
}  // namespace fathom
