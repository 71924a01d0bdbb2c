// SPDX-License-Identifier: BSD-3-Clause
// Runs joined into one file: what is summed up, what is refused.
#include "app/bench/join_runs.h"

#include "app/bench/bench_report.h"

#include <gmock/gmock.h>

namespace fathom::bench {
namespace {

using testing::HasSubstr;

Machine machine() {
  Machine m;
  m.device = {"Vendor", "Renderer", "4.5", true};
  m.cpu = "A processor", m.scale = "quick";
  m.keepsRounds = true;
  return m;
}

/// A row that took `ms` in each trial of its only round.
Result row(const std::string& label, double ms) {
  Result result;
  result.bench = "test.bench", result.unit = "words";
  result.benchCase.workload = "words", result.benchCase.label = label;
  result.benchCase.settings = {{"level", "0.25"}, {"early", "on"}};
  result.rounds = {{1e9 + ms, {ms, ms}, {ms, ms}, {2 * ms, 2 * ms}, {3, 3}}};
  summarizeRounds(result);
  return result;
}

RunFile fileOf(const Machine& m, const std::vector<Result>& results) {
  return parseRunFile(benchFile(m, results), "old.json");
}

std::string refusal(Machine m, std::vector<Result> results, const RunFile& before) {
  try {
    joinRuns(m, results, before);
  } catch (const Error& error) {
    return error.what();
  }
  return "joined";
}

TEST(JoinRuns, PutsEarlierRoundsAheadOfTheirRows) {
  const RunFile before = fileOf(machine(), {row("a", 1), row("b", 2), row("b", 3)});
  Machine m = machine();
  std::vector<Result> results = {row("b", 20), row("b", 30), row("a", 10)};
  results[0].ofCopyBandwidth = 0.5;
  joinRuns(m, results, before);
  EXPECT_EQ(m.rounds, 2);
  EXPECT_EQ(results[0].gpu.n, 4);
  EXPECT_DOUBLE_EQ(results[0].gpu.median, 11);  // of 2, 2, 20, 20
  EXPECT_DOUBLE_EQ(results[0].ofCopyBandwidth, 0.5 * 20 / 11);
  EXPECT_EQ(results[1].rounds.at(0).gpuMs.at(0), 3);  // equal rows in their order
  EXPECT_EQ(results[2].rounds.at(0).gpuMs.at(0), 1);
  EXPECT_EQ(results[2].rounds.at(1).gpuMs.at(0), 10);
  EXPECT_EQ(results[2].pace.n, 4);
  // And once more, from the file of both.
  const RunFile both = fileOf(m, results);
  joinRuns(m, results, both);
  EXPECT_EQ(m.rounds, 4);
}

TEST(JoinRuns, RefusesOtherRows) {
  const RunFile before = fileOf(machine(), {row("a", 1), row("b", 2)});
  EXPECT_EQ(refusal(machine(), {row("a", 1)}, before),
            "old.json: expected the 1 rows of this run, found 2");
  EXPECT_THAT(refusal(machine(), {row("a", 1), row("c", 1)}, before),
              HasSubstr("old.json: expected the row test.bench, words, c"));
}

TEST(JoinRuns, RefusesOtherMachinesAndFilesWithoutRounds) {
  Machine other = machine();
  other.device.renderer = "Another";
  EXPECT_EQ(refusal(machine(), {row("a", 1)}, fileOf(other, {row("a", 1)})),
            "old.json: expected a run of the same device to join, \"Renderer\", found \"Another\"");
  other = machine(), other.scale = "paper";
  EXPECT_THAT(refusal(machine(), {row("a", 1)}, fileOf(other, {row("a", 1)})), HasSubstr("scale"));
  RunFile before = fileOf(machine(), {row("a", 1)});
  before.commit = "0000000000";
  EXPECT_THAT(refusal(machine(), {row("a", 1)}, before), HasSubstr("commit"));
  other = machine(), other.keepsRounds = false;
  EXPECT_THAT(refusal(machine(), {row("a", 1)}, fileOf(other, {row("a", 1)})),
              HasSubstr("the trials of each round"));
}

}  // namespace
}  // namespace fathom::bench
