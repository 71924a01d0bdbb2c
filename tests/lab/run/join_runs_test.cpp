// SPDX-License-Identifier: BSD-3-Clause
// Runs joined into one file: what is summarized again, what is refused.
#include "app/lab/run/join_runs.h"

#include "tests/support/message.h"

#include <gmock/gmock.h>

namespace fathom::bench {
namespace {

using testing::HasSubstr;

BenchFile fileWith(std::vector<BenchRow> rows) {
  BenchFile file = newBenchFile({{"Vendor", "Renderer", "4.5", true}, "A processor", "", ""});
  file.path = "now.json";
  file.scale = "quick";
  file.keepsRounds = true;
  file.rows = std::move(rows);
  return file;
}

/// A row that took `ms` in each trial of its only round.
BenchRow row(const std::string& label, double ms) {
  using Kind = FieldValue::Kind;
  BenchRow row;
  row.bench = "test.bench", row.unit = "words";
  row.workload = "words", row.label = label;
  row.settings = {{"level", "0.25", Kind::Number}, {"early", "on", Kind::Bool}, {"id", "007"}};
  row.rounds = {{1e9 + ms, {ms, ms}, {ms, ms}, {2 * ms, 2 * ms}, {3, 3}}};
  summarizeRounds(row);
  return row;
}

/// As it comes back from the disk: settings sorted, texts of numbers as JSON writes them.
BenchFile reread(const BenchFile& file) { return parseBenchFile(benchFileJson(file), "old.json"); }

std::string refusal(BenchFile now, const BenchFile& before) {
  return test::messageOf([&] { joinRuns(now, before); });
}

TEST(JoinRuns, PutsEarlierRoundsAheadOfTheirRows) {
  const BenchFile before = reread(fileWith({row("a", 1), row("b", 2), row("b", 3)}));
  BenchFile now = fileWith({row("b", 20), row("b", 30), row("a", 10)});
  std::vector<BenchRow>& rows = now.rows;
  rows[0].ofCopyBandwidth = 0.5;
  joinRuns(now, before);
  EXPECT_EQ(now.rounds, 2);
  EXPECT_EQ(rows[0].gpu.n, 4);
  EXPECT_DOUBLE_EQ(rows[0].gpu.median, 11);  // of 2, 2, 20, 20
  EXPECT_DOUBLE_EQ(rows[0].ofCopyBandwidth, 0.5 * 20 / 11);
  EXPECT_EQ(rows[1].rounds.at(0).gpuMs.at(0), 3);  // equal rows in their order
  EXPECT_EQ(rows[2].rounds.at(0).gpuMs.at(0), 1);
  EXPECT_EQ(rows[2].rounds.at(1).gpuMs.at(0), 10);
  EXPECT_EQ(rows[2].pace.n, 4);
  // And once more, from the file of both.
  joinRuns(now, reread(now));
  EXPECT_EQ(now.rounds, 4);
}

TEST(JoinRuns, BringsThePapersCellsUpToDate) {
  BenchFile now = fileWith({row("a", 20)});
  now.rows[0].paper = {{"Archer 2018, table 1", "Hairball", "LL-S", "ms"}};
  joinRuns(now, reread(fileWith({row("a", 10)})));
  EXPECT_DOUBLE_EQ(now.rows[0].paper[0].ours, 15);
}

TEST(JoinRuns, RefusesOtherRows) {
  const BenchFile before = reread(fileWith({row("a", 1), row("b", 2)}));
  EXPECT_EQ(refusal(fileWith({row("a", 1)}), before),
            "old.json: expected the 1 rows of this run, found 2");
  EXPECT_EQ(
      refusal(fileWith({row("a", 1), row("c", 1)}), before),
      "old.json: expected the row test.bench, words, c, early=on id=7 level=0.25, found none");
}

TEST(JoinRuns, RefusesOtherMachinesAndFilesWithoutRounds) {
  const BenchFile now = fileWith({row("a", 1)});
  BenchFile other = now;
  other.machine.device.renderer = "Another";
  EXPECT_EQ(refusal(now, reread(other)),
            "old.json: expected a run of the same device to join, \"Renderer\", found \"Another\"");
  other = now, other.scale = "paper";
  EXPECT_THAT(refusal(now, reread(other)), HasSubstr("scale"));
  other = now, other.commit = "0000000000";
  EXPECT_THAT(refusal(now, reread(other)), HasSubstr("commit"));
  other = now, other.keepsRounds = false;
  EXPECT_THAT(refusal(now, reread(other)), HasSubstr("the trials of each round"));
}

}  // namespace
}  // namespace fathom::bench
