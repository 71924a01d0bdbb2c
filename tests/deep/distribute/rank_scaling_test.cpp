// SPDX-License-Identifier: BSD-3-Clause
// The bench of ranks: the model finds the factors that figures were made of and carries them on;
// what ranks print is not trusted; and real ranks, started by the program.
#include "app/lab/deep/rank_scaling.h"

#include "app/engine/ranks/job.h"
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom::deep {
namespace {

constexpr double kFragments = 1e6, kPixels = 144.0 * 256;

ScalingRun made(int ranks) {
  const double n = ranks, leaving = kFragments * (n - 1) / n, dealt = std::min(n, 256.0);
  const double meets = 1 - std::pow(1 - std::min(1.0, 0.15 * 144 / 256 + 1 / dealt), 2048 / n);
  const double streams = n * dealt * meets, swept = kPixels * n * meets;
  const double range = (2048 / n - 1) / (2048 / n + 1);
  const double window = std::min(1.0, range + 0.15) * std::min(1.0, range + 0.15 * 144 / 256);
  ScalingRun run;
  run.ranks = ranks;
  run.sum.fragments = kFragments;
  run.sum.pack = 1e-5 * kFragments + 1e-6 * kPixels * n * window;
  run.sum.encode = 3e-5 * kFragments + 5e-5 * leaving + 1e-3 * streams;
  run.sum.decode = 2e-5 * kFragments + 2e-3 * streams + 1e-5 * swept;
  run.sum.merge = 4e-5 * kFragments + (ranks > 1 ? 3e-5 : 0) * kFragments + 1e-5 * swept;
  run.sum.sentBytes = 4 * leaving + 90 * (streams - n);
  run.most = run.sum;
  return run;
}

TEST(RankScaling, TheModelFindsWhatPhasesAreMadeOfAndCarriesItOn) {
  std::vector<ScalingRun> runs;
  for (const int ranks : {1, 2, 4, 8, 16, 64}) runs.push_back(made(ranks));
  const auto model = ScalingModel::fitted(runs, kScalingSize, 64);
  for (const int ranks : {128, 256}) {
    const RankFigures expected = made(ranks).sum;
    EXPECT_NEAR(model.of(ScalingModel::Pack, ranks), expected.pack, 1e-4 * expected.pack);
    EXPECT_NEAR(model.of(ScalingModel::Encode, ranks), expected.encode, 1e-4 * expected.encode);
    EXPECT_NEAR(model.of(ScalingModel::Decode, ranks), expected.decode, 1e-4 * expected.decode);
    EXPECT_NEAR(model.of(ScalingModel::Merge, ranks), expected.merge, 1e-4 * expected.merge);
    EXPECT_NEAR(model.of(ScalingModel::Bytes, ranks), expected.sentBytes,
                0.02 * expected.sentBytes);
  }
  EXPECT_NEAR(model.efficiency(1), 1, 1e-12);
  EXPECT_LT(model.efficiency(1024), model.efficiency(64));
  EXPECT_LT(model.wall(64), model.wall(1));
  EXPECT_THAT(scalingTables(runs, model, 64), HasSubstr("\n| 64 | "));
}

TEST(RankScaling, WhatRanksPrintIsNotTrusted) {
  EXPECT_THROW(parseScalingRun(""), Error);
  EXPECT_THROW(parseScalingRun("2 77\n1 2 3\n"), Error);
  EXPECT_THROW(parseScalingRun("-1 77\n"), Error);
}

TEST(RankScaling, OfRealRanks) {
  if (!ranks::mpiAvailable()) GTEST_SKIP() << ranks::mpiMissing();
  const nlohmann::json json = jsonOf({"bench", "ranks", "--ranks", "3", "--size", "48x32"});
  ASSERT_EQ(json["runs"].size(), 5u);
  EXPECT_EQ(json["runs"][2]["ranks"], 3);
  EXPECT_EQ(json["runs"][0]["bytes_sent"], 0);
  EXPECT_GT(json["runs"][2]["bytes_sent"], 0);
  EXPECT_GT(json["runs"][4]["memory_bytes"], 1e6);
  EXPECT_THAT(refusalOf({"bench", "ranks", "--ranks", "3,none"}, 2),
              HasSubstr("--ranks: expected numbers"));
}

}  // namespace
}  // namespace fathom::deep
