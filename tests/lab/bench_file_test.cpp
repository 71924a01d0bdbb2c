// SPDX-License-Identifier: BSD-3-Clause
// Reading bench files: old ones, new ones, damaged ones; writing what was read; joining two runs.
#include "app/lab/bench_file.h"
#include "tests/lab/sample_files.h"

namespace fathom::bench {
namespace {

std::string refusal(const std::string& text) {
  return messageOf([&] { parseBenchFile(text, "a.json"); });
}

std::string withRow(const std::string& members) {
  return R"({"schema": "fathom.bench/1", "trials": [{"bench": "gpu.copy")" + members + "}]}";
}

TEST(BenchFile, HoldsWhatTheFileSays) {
  const BenchFile run = parseBenchFile(test::smallBenchFile(), "a.json");
  EXPECT_EQ(run.machine.device.renderer, "Renderer <9>");
  EXPECT_EQ(run.commit, "0123456789");
  EXPECT_EQ(run.scale, "paper");
  ASSERT_EQ(run.rows.size(), 4u);
  const BenchRow& row = run.rows[0];
  EXPECT_EQ(row.sizeText(), "1920 x 1080");
  EXPECT_EQ(row.settingsText(), "block-size=4 layout=ll");
  EXPECT_DOUBLE_EQ(row.time().median, 18.1);
  EXPECT_DOUBLE_EQ(row.ofCopyBandwidth, 0.62);
  ASSERT_EQ(row.paper.size(), 1u);
  EXPECT_DOUBLE_EQ(row.paper[0].paper, 36.2);
  EXPECT_EQ(run.rows[2].values.at(0).first, "PSNR dB");
}

TEST(BenchFile, OfOlderVersionsLacksSomeThings) {
  const BenchFile run =
      parseBenchFile(withRow(R"(, "gpu_ms": {"median": 2, "p10": 1, "p90": 3, "n": 5})"), "a.json");
  const Summary& gpu = run.rows.at(0).gpu;
  EXPECT_GT(gpu.p25, 1);
  EXPECT_LT(gpu.p25, 2);
  EXPECT_EQ(run.rows[0].cpu.n, 0);
  EXPECT_EQ(run.commit, "");
}

TEST(BenchFile, HoldsTheTrialsOfEachRound) {
  const BenchFile run = parseBenchFile(
      withRow(
          R"(, "rounds": [{"started": 12.5, "gpu_ms": [1, 2], "cpu_ms": [3, 4]}, {"started": 20}])"),
      "a.json");
  const std::vector<RoundTimes>& rounds = run.rows.at(0).rounds;
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0].started, 12.5);
  EXPECT_EQ(rounds[0].cpuMs, (std::vector<double>{3, 4}));
  EXPECT_TRUE(rounds[0].paceMs.empty());
  EXPECT_THAT(refusal(withRow(R"(, "rounds": [{"gpu_ms": [1, -2]}])")),
              HasSubstr("a.json: trial 0: round 0: expected times from 0 on in \"gpu_ms\""));
  EXPECT_THAT(refusal(withRow(R"(, "rounds": [5])")), HasSubstr("expected an object"));
}

TEST(BenchFile, IsWrittenAsItWasRead) {
  BenchFile file = parseBenchFile(test::smallBenchFile(), "a.json");
  const std::string once = benchFileJson(file);
  EXPECT_EQ(benchFileJson(parseBenchFile(once, "a.json")), once);
  // With all that is optional.
  file.rounds = 2, file.keepsRounds = true, file.interrupted = true;
  BenchRow& row = file.rows[0];
  row.rounds = {{1e9, {1.5}, {2.25}, {3}, {4}}, {2e9, {1}, {2}, {3}, {}}};
  row.settings = {{"a", "on", FieldValue::Kind::Bool}, {"b", "1e-05", FieldValue::Kind::Number}};
  summarizeRounds(row);
  const std::string all = benchFileJson(file);
  EXPECT_THAT(all, HasSubstr("\"a\": true"));
  BenchFile again = parseBenchFile(all, "a.json");
  again.keepsRounds = true;  // only one row has them
  for (BenchRow& other : again.rows) EXPECT_EQ(other.rounds.empty(), &other != &again.rows[0]);
  EXPECT_EQ(benchFileJson(again), all);
}

TEST(BenchFile, KeepsRoundsWhenAllRowsDo) {
  const std::string rounds = R"("rounds": [{"started": 1}])";
  EXPECT_TRUE(parseBenchFile(withRow(", " + rounds), "a.json").keepsRounds);
  EXPECT_FALSE(parseBenchFile(withRow(""), "a.json").keepsRounds);
}

TEST(BenchFile, RefusesWhatIsNoBenchFile) {
  EXPECT_THAT(refusal(""), HasSubstr("a.json: expected JSON, found"));
  EXPECT_THAT(refusal("{\"schema\": \"fathom"), HasSubstr("a.json: expected JSON, found"));
  EXPECT_THAT(refusal("[1, 2]"), HasSubstr("expected an object, found array"));
  EXPECT_THAT(refusal("{}"),
              HasSubstr("expected a bench file (schema \"fathom.bench/1\"), found none"));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/2", "trials": []})"),
              HasSubstr("found \"fathom.bench/2\""));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/1"})"), HasSubstr("\"trials\", found none"));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/1", "trials": {}})"), HasSubstr("found object"));
}

TEST(BenchFile, NamesTheTrialThatIsWrong) {
  EXPECT_THAT(refusal(withRow(R"(, "work": "much")")),
              HasSubstr("a.json: trial 0: expected a number as \"work\", found string"));
  EXPECT_THAT(refusal(withRow(R"(, "gpu_ms": 7)")), HasSubstr("gpu_ms: expected an object"));
  EXPECT_THAT(refusal(withRow(R"(, "gpu_ms": {"median": -1, "n": 1})")), HasSubstr("from 0 on"));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/1", "device": 7, "trials": []})"),
              HasSubstr("a.json: device: expected an object, found number"));
  EXPECT_THAT(refusal(withRow(R"(, "size": [1920])")), HasSubstr("[width, height]"));
  EXPECT_THAT(refusal(withRow(R"(, "size": [1, 2.5])")), HasSubstr("[width, height]"));
  EXPECT_THAT(refusal(withRow(R"(, "work": 1e999)")), HasSubstr("1e999"));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/1", "trials": [{}]})"),
              HasSubstr("expected \"bench\", found none"));
  EXPECT_THAT(refusal(withRow(", \"label\": \"" + std::string(5000, 'x') + "\"")),
              HasSubstr("at most 4096 bytes, found 5000"));
}

TEST(BenchFile, RefusesDepthWithoutFallingOver) {
  EXPECT_THAT(refusal(std::string(1'000'000, '[')), HasSubstr("levels, found more"));
}

TEST(BenchFile, RefusesHugeFilesBeforeReadingThem) {
  const TempFolder folder;
  const auto file = folder.write("huge.json", "{");
  std::filesystem::resize_file(file, std::uintmax_t(3) << 30);  // sparse
  EXPECT_THROW(readBenchFile(file), Error);
}

TEST(BenchFile, CutOffAnywhereIsRefused) {
  const std::string whole = test::smallBenchFile();
  for (std::size_t length = 0; length < whole.size(); length += 7)
    EXPECT_THAT(refusal(whole.substr(0, length)), HasSubstr("a.json: expected")) << length;
}

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
  return messageOf([&] { joinRuns(now, before); });
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
