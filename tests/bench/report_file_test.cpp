// SPDX-License-Identifier: BSD-3-Clause
// Reading bench files: old ones, new ones, damaged ones.
#include "app/bench/report_file.h"

#include "tests/bench/report_files.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <cmath>

namespace fathom::bench {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    parseRunFile(text, "a.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string withTrial(const std::string& members) {
  return R"({"schema": "fathom.bench/1", "trials": [{"bench": "gpu.copy")" + members + "}]}";
}

TEST(RunFile, HoldsWhatTheFileSays) {
  const RunFile run = parseRunFile(test::smallBenchFile(), "a.json");
  EXPECT_EQ(run.machine.device.renderer, "Renderer <9>");
  EXPECT_EQ(run.commit, "0123456789");
  EXPECT_EQ(run.machine.scale, "paper");
  EXPECT_EQ(run.machine.clocks.processor.seen, 3400);
  EXPECT_EQ(run.machine.clocks.gpu.most, 2100);
  EXPECT_EQ(run.machine.clocks.gpuMemory.seen, 0);
  ASSERT_EQ(run.trials.size(), 4u);
  const RunTrial& trial = run.trials[0];
  EXPECT_EQ(trial.sizeText(), "1920 x 1080");
  EXPECT_EQ(trial.settingsText(), "block-size=4 layout=ll");
  EXPECT_DOUBLE_EQ(trial.time().median, 18.1);
  EXPECT_DOUBLE_EQ(trial.ofCopyBandwidth, 0.62);
  ASSERT_EQ(trial.paper.size(), 1u);
  EXPECT_DOUBLE_EQ(trial.paper[0].paper, 36.2);
  EXPECT_EQ(run.trials[2].values.at(0).first, "PSNR dB");
}

TEST(RunFile, OfOlderVersionsLacksSomeThings) {
  const RunFile run =
      parseRunFile(withTrial(R"(, "gpu_ms": {"median": 2, "p10": 1, "p90": 3, "n": 5})"), "a.json");
  const Summary& gpu = run.trials.at(0).gpu;
  EXPECT_GT(gpu.p25, 1);
  EXPECT_LT(gpu.p25, 2);
  EXPECT_EQ(run.trials[0].cpu.n, 0);
  EXPECT_EQ(run.commit, "");
}

TEST(RunFile, HoldsTheTrialsOfEachRound) {
  const RunFile run = parseRunFile(
      withTrial(
          R"(, "rounds": [{"started": 12.5, "gpu_ms": [1, 2], "cpu_ms": [3, 4]}, {"started": 20}])"),
      "a.json");
  const std::vector<RoundTimes>& rounds = run.trials.at(0).rounds;
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0].started, 12.5);
  EXPECT_EQ(rounds[0].cpuMs, (std::vector<double>{3, 4}));
  EXPECT_TRUE(rounds[0].paceMs.empty());
  EXPECT_THAT(refusal(withTrial(R"(, "rounds": [{"gpu_ms": [1, -2]}])")),
              HasSubstr("a.json: trial 0: round 0: expected times from 0 on in \"gpu_ms\""));
  EXPECT_THAT(refusal(withTrial(R"(, "rounds": [5])")), HasSubstr("expected an object"));
}

TEST(RunFile, RefusesWhatIsNoBenchFile) {
  EXPECT_THAT(refusal(""), HasSubstr("a.json: expected JSON, found"));
  EXPECT_THAT(refusal("{\"schema\": \"fathom"), HasSubstr("a.json: expected JSON, found"));
  EXPECT_THAT(refusal("[1, 2]"), HasSubstr("expected an object, found array"));
  EXPECT_THAT(refusal("{}"), HasSubstr("expected the schema \"fathom.bench/1\", found none"));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/2", "trials": []})"),
              HasSubstr("found \"fathom.bench/2\""));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/1"})"), HasSubstr("\"trials\", found none"));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/1", "trials": {}})"), HasSubstr("found object"));
}

TEST(RunFile, NamesTheTrialThatIsWrong) {
  EXPECT_THAT(refusal(withTrial(R"(, "work": "much")")),
              HasSubstr("a.json: trial 0: expected a number as \"work\", found string"));
  EXPECT_THAT(refusal(withTrial(R"(, "gpu_ms": 7)")), HasSubstr("gpu_ms: expected an object"));
  EXPECT_THAT(refusal(withTrial(R"(, "gpu_ms": {"median": -1, "n": 1})")), HasSubstr("from 0 on"));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/1", "clocks_mhz": {"gpu": 7}, "trials": []})"),
              HasSubstr("a.json: clocks_mhz: gpu: expected an object, found number"));
  EXPECT_THAT(refusal(withTrial(R"(, "size": [1920])")), HasSubstr("[width, height]"));
  EXPECT_THAT(refusal(withTrial(R"(, "size": [1, 2.5])")), HasSubstr("[width, height]"));
  EXPECT_THAT(refusal(withTrial(R"(, "work": 1e999)")), HasSubstr("1e999"));
  EXPECT_THAT(refusal(R"({"schema": "fathom.bench/1", "trials": [{}]})"),
              HasSubstr("expected \"bench\", found none"));
  EXPECT_THAT(refusal(withTrial(", \"label\": \"" + std::string(5000, 'x') + "\"")),
              HasSubstr("at most 4096 bytes, found 5000"));
}

TEST(RunFile, RefusesDepthWithoutFallingOver) {
  EXPECT_THAT(refusal(std::string(1'000'000, '[')), HasSubstr("levels, found more"));
}

TEST(RunFile, RefusesHugeFilesBeforeReadingThem) {
  const test::TempFolder folder;
  const auto file = folder.write("huge.json", "{");
  std::filesystem::resize_file(file, std::uintmax_t(3) << 30);  // sparse
  EXPECT_THROW(readRunFile(file), Error);
}

TEST(RunFile, CutOffAnywhereIsRefused) {
  const std::string whole = test::smallBenchFile();
  for (std::size_t length = 0; length < whole.size(); length += 7)
    EXPECT_THAT(refusal(whole.substr(0, length)), HasSubstr("a.json: expected")) << length;
}

TEST(RunNames, SayWhatTellsRunsApart) {
  std::vector<RunFile> runs(3);
  for (RunFile& run : runs) run.machine.device.renderer = "GPU", run.machine.date = "2026-01-31";
  runs[0].commit = "aaa", runs[1].commit = "bbb", runs[2].commit = "bbb";
  runs[0].file = "x/1.json", runs[1].file = "x/2.json", runs[2].file = "y/2.json";
  nameRuns(runs);
  EXPECT_EQ(runs[0].name.rfind("GPU, aaa", 0), 0u);
  EXPECT_NE(runs[1].name, runs[2].name);
}

}  // namespace
}  // namespace fathom::bench
