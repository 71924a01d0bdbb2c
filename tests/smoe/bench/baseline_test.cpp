// SPDX-License-Identifier: BSD-3-Clause
// The baselines give the right answers: what they are timed for is the whole work.
#include "app/lab/smoe/baseline.h"

#include "tests/smoe/model/models.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::smoe {
namespace {

using baseline::Solver;
using reference::Grid;

class Block : public testing::TestWithParam<int> {
 protected:
  const Grid block{{19, 13}, {7, 5}};
  const ViewCoordinates a{1.5, -2.25};
  std::vector<Gaussian> mixture = randomMixture(1, GetParam(), 80, {40, 30});
  std::vector<glm::dvec3> exact = reference::decodeMixture(mixture, GetParam(), block, a);
};

TEST_P(Block, IsRightWithBothSolvers) {
  for (const Solver solver : {Solver::Fast, Solver::Slow}) {
    const auto colors = baseline::decodeBlock(mixture, GetParam(), block, a, solver);
    EXPECT_LT(largestDifference(exact, colors), 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(Dims, Block, testing::Values(2, 3, 4));

TEST(RecordLoop, DecodesWhatTheListsHold) {
  const Grid grid{{50, 37}, {3, 2}, 0.5};
  const auto records = reference::recordsOf(randomModel(2, 2, 200, {32, 24}), {});
  const auto lists = reference::boundedLists(records, grid, 16, reference::thresholdFor(8)).lists;
  const auto colors = baseline::decodeRecords(records, grid, lists, 16);
  const auto exact = reference::decode(records, grid, lists, 16);
  EXPECT_LT(largestDifference(exact, std::vector<glm::dvec3>(colors.begin(), colors.end())), 5e-6);
}

TEST(RecordLoop, SkipsWhatWeighsLessThanEToTheMinus20) {
  // 6 sigma apart: e^-18 counts; 7 sigma: e^-24.5 does not.
  const Grid grid{{1, 1}};
  const auto at = [&](double x) {
    return baseline::decodeRecords(
        std::vector{disc({0.5, 0.5}, 1, {0, 0, 0}), disc({x, 0.5}, 1, {1e9, 0, 0})}, grid, {{0, 1}},
        16)[0];
  };
  EXPECT_NEAR(1e9 * std::exp(-18.0), at(6.5).r, 1e-3);
  EXPECT_EQ(0, at(7.5).r);
}

}  // namespace
}  // namespace fathom::smoe
