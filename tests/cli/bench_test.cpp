// SPDX-License-Identifier: BSD-3-Clause
// fathom bench: names, the bench file, what it refuses. Sizes are small: these are no measurements.
#include "app/lab/catalog.h"
#include "app/lab/workload.h"
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using nlohmann::json;

TEST(Bench, ListNamesAll) {
  const std::string out = outputOf({"bench", "--list"});
  for (const char* name : {"gpu.copy", "gpu.scan", "gpu.sort", "gpu.reduce-by-key",
                           "deep.composite", "deep.save", "deep.pairwise", "deep.memory"})
    EXPECT_THAT(out, HasSubstr(name));
}

TEST(Bench, NamesMayBeBeginnings) {
  for (const Bench* bench : bench::benchesNamed({"deep"}))
    EXPECT_EQ(bench->name.rfind("deep.", 0), 0u);
  EXPECT_EQ(bench::benchesNamed({"gpu.sc", "gpu.scan"}).size(), 1u);
}

TEST(Bench, FileHasTheShapeOfTheContract) {
  const TempFolder folder;
  EXPECT_THAT(outputOf({"bench", "gpu.copy", "gpu.scan", "--quick", "--trials", "2", "--json",
                        folder.file("a.json"), "--csv", folder.file("a.csv")}),
              HasSubstr("GPU ms"));
  const json root = json::parse(readText(folder.file("a.json")));
  EXPECT_EQ(root["schema"], "fathom.bench/1");
  for (const char* key : {"cpu", "os", "date", "fathom"}) EXPECT_TRUE(root[key].is_string()) << key;
  EXPECT_EQ(root["scale"], "quick");
  ASSERT_GE(root["trials"].size(), 2u);
  for (const json& trial : root["trials"]) {
    EXPECT_EQ(trial["checked"], "exact");
    EXPECT_EQ(trial["gpu_ms"]["n"], 2);
    EXPECT_GT(trial["gpu_ms"]["median"].get<double>(), 0);
    EXPECT_LE(trial["gpu_ms"]["p10"].get<double>(), trial["gpu_ms"]["p90"].get<double>());
    EXPECT_GT(trial["wall_ms"]["median"].get<double>(), 0);
    EXPECT_EQ(trial["cpu_ms"]["n"], 2);
    EXPECT_GT(trial["of_copy_bandwidth"].get<double>(), 0);
    EXPECT_GT(trial["work"].get<double>(), 0);
    EXPECT_GT(trial["memory_bytes"].get<double>(), 0);
  }
  EXPECT_EQ(readText(folder.file("a.csv")).rfind("bench,workload", 0), 0u);
}

TEST(Bench, AppendJoinsRounds) {
  const TempFolder folder;
  const std::string file = folder.file("a.json");
  const std::vector<std::string> command = {
      "bench",   "flame.filter",       "--quick", "--trials", "2",
      "--sweep", "estimator=fast,off", "--size",  "64x40",    "--append"};
  EXPECT_EQ(runFathom(command).code, 2);  // to what?
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    more.insert(more.end(), {"--json", file});
    return runFathom(more);
  };
  for (int round = 1; round <= 2; ++round) {
    const Outcome outcome = run({});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  const std::string joined = readText(file);
  const json root = json::parse(joined);
  EXPECT_EQ(root["rounds"], 2);
  ASSERT_EQ(root["trials"].size(), 2u);
  for (const json& trial : root["trials"]) {
    EXPECT_EQ(trial["gpu_ms"]["n"], 4);
    ASSERT_EQ(trial["rounds"].size(), 2u);
    EXPECT_LT(trial["rounds"][0]["started"], trial["rounds"][1]["started"]);
    EXPECT_EQ(trial["rounds"][1]["cpu_ms"].size(), 2u);
  }
  const Outcome other = run({"--set", "estimator=fast"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("expected the 1 rows of this run, found 2"));
  EXPECT_EQ(readText(file), joined);
}

TEST(Bench, CheckTimesNothingAndPasses) {
  EXPECT_THAT(outputOf({"bench", "gpu.scan", "--quick", "--check"}), HasSubstr("0 differ"));
}

TEST(Bench, OffersTheNearestName) {
  EXPECT_THAT(refusalOf({"bench", "gpu.scam"}, 2), HasSubstr("did you mean \"gpu.scan\"?"));
}

TEST(Bench, WantsOneScaleAndSoundSweeps) {
  EXPECT_EQ(runFathom({"bench", "gpu", "--quick", "--paper"}).code, 2);
  EXPECT_EQ(runFathom({"bench", "gpu", "--sweep", "layout"}).code, 2);
  EXPECT_EQ(runFathom({"bench", "gpu", "--trials", "0"}).code, 2);
  EXPECT_THAT(
      refusalOf({"bench", "flame.filter", "smoe.fit", "--quick", "--sweep", "estimater=off"}, 2),
      HasSubstr("did you mean \"estimator\"?"));
}

}  // namespace
}  // namespace fathom
