// SPDX-License-Identifier: BSD-3-Clause
// The sweep finds the disparities that a light field was made with.
#include "app/engine/smoe/fit/mixture.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::smoe {
namespace {

constexpr glm::ivec2 kSize{64, 48};

/// A pattern without period in sight, defined everywhere.
glm::vec4 pattern(double x, double y) {
  const double a = std::sin(0.9 * x + 0.31 * y) + std::sin(0.37 * x - 0.71 * y + 1);
  const double b = std::sin(0.53 * x * std::cos(0.2 * y)) + std::cos(0.83 * y);
  return {float(0.5 + 0.2 * a), float(0.5 + 0.2 * b), float(0.5 + 0.1 * (a - b)), 1};
}

/// Left half moves by `left` px per step, right half by `right`.
TrainingSet twoPlanes(glm::ivec2 views, double left, double right) {
  TrainingSet set;
  set.dims = 4, set.size = kSize, set.views = views;
  set.viewOrigin = glm::dvec2(views - 1) / 2.0;
  set.pictures.resize(std::size_t(views.x * views.y), Image(kSize.x, kSize.y));
  for (std::size_t i = 0; i < set.pictures.size(); ++i) {
    const ViewCoordinates a = set.coordinatesOf(i);
    for (int y = 0; y < kSize.y; ++y)
      for (int x = 0; x < kSize.x; ++x) {
        const double d = x < kSize.x / 2 ? left : right;
        set.pictures[i].at(x, y) = pattern(x - d * a.x, y - d * a.y);
      }
  }
  return set;
}

TEST(DisparitySweep, FindsWhatThingsMoveBy) {
  const DisparitySweep sweep(twoPlanes({5, 5}, 0.7, -1.2));
  EXPECT_NEAR(sweep.over({8, 10, 12, 12}), 0.7, 0.11);
  EXPECT_NEAR(sweep.over({44, 20, 12, 12}), -1.2, 0.11);
}

TEST(DisparitySweep, JudgesSmallBoxesWithTheirSurroundings) {
  const DisparitySweep sweep(twoPlanes({5, 5}, 0.7, -1.2));
  EXPECT_NEAR(sweep.over({16, 20, 1, 1}), 0.7, 0.11);
}

TEST(DisparitySweep, WorksInSmallGridsAndAlongOneAxis) {
  EXPECT_NEAR(DisparitySweep(twoPlanes({3, 3}, 0.7, 0.7)).over({8, 10, 12, 12}), 0.7, 0.11);
  EXPECT_NEAR(DisparitySweep(twoPlanes({1, 7}, 0.7, 0.7)).over({8, 10, 12, 12}), 0.7, 0.11);
  EXPECT_EQ(DisparitySweep(twoPlanes({1, 1}, 0.7, 0.7)).over({8, 10, 12, 12}), 0);
}

TEST(DisparitySweep, LeavesFlatThingsWhereTheyAre) {
  TrainingSet set = twoPlanes({5, 5}, 0, 0);
  for (Image& picture : set.pictures) picture = Image(kSize.x, kSize.y, glm::vec4(0.4f));
  EXPECT_EQ(DisparitySweep(set).over({8, 10, 12, 12}), 0);
}

TEST(DisparitySweep, DoesNotLookAtHeldOutViews) {
  TrainingSet set = twoPlanes({5, 5}, 0.7, 0.7);
  for (const std::size_t i : {2u, 10u, 14u, 22u}) {  // two steps to each side of the middle
    set.heldOut.push_back(i);
    set.pictures[i] = Image(kSize.x, kSize.y, glm::vec4(1));
  }
  EXPECT_NEAR(DisparitySweep(set).over({8, 10, 12, 12}), 0.7, 0.21);
}

}  // namespace
}  // namespace fathom::smoe
