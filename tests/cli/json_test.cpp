// SPDX-License-Identifier: BSD-3-Clause
// --json: the shape that scripts rely on.
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using nlohmann::json;

TEST(Json, OfACommandHasTheShapeOfTheContract) {
  const TempFolder folder;
  const json root = jsonOf({"deep", "flatten", "planes", "--size", "64x32", "--layout", "bia",
                            "--block-size", "8", "-o", folder.file("a.exr")});
  EXPECT_EQ(root["fathom"], FATHOM_VERSION);
  EXPECT_EQ(root["command"], "deep flatten");
  EXPECT_TRUE(root["device"]["renderer"].is_string());
  EXPECT_TRUE(root["device"]["software"].is_boolean());
  EXPECT_EQ(root["size"], json::parse("[64, 32]"));
  EXPECT_EQ(root["settings"]["layout"], "bia");
  EXPECT_EQ(root["settings"]["block-size"], 8);
  ASSERT_FALSE(root["passes"].empty());
  double gpuMs = 0;
  for (const json& pass : root["passes"]) {
    EXPECT_TRUE(pass["name"].is_string());
    gpuMs += pass["gpu_ms"].get<double>();
    EXPECT_LT(pass["cpu_ms"].get<double>(), root["wall_ms"].get<double>());
    EXPECT_GE(pass["count"].get<int>(), 1);
  }
  EXPECT_GT(gpuMs, 0);
  EXPECT_LT(gpuMs, root["wall_ms"].get<double>());  // passes run one after the other
  EXPECT_FALSE(root["phases_ms"].empty());
  EXPECT_GT(root["result"]["fragments_in"].get<long>(), 0);
}

TEST(Json, GoesToAFileAndLeavesStandardOutputToTheResult) {
  const TempFolder folder;
  EXPECT_THAT(outputOf({"info", "planes", "--json", folder.file("a.json")}),
              HasSubstr("triangles"));
  EXPECT_GT(json::parse(readText(folder.file("a.json")))["result"]["triangles"].get<long>(), 0);
}

TEST(Json, ToAMissingFolderIsAnError) {
  EXPECT_EQ(runFathom({"info", "planes", "--json", "/nonexistent/folder/a.json"}).code, 1);
}

TEST(Passes, ArePrintedAsATable) {
  const TempFolder folder;
  const Outcome outcome = runFathom(
      {"deep", "flatten", "planes", "--size", "32x32", "-o", folder.file("a.exr"), "--passes"});
  EXPECT_THAT(outcome.out, HasSubstr("GPU ms"));
  EXPECT_THAT(outcome.out, HasSubstr("\nsum "));
  EXPECT_THAT(outcome.out, HasSubstr("\nwall "));
}

}  // namespace
}  // namespace fathom
