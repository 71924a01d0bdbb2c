// SPDX-License-Identifier: BSD-3-Clause
// fathom report: what it refuses, exit codes. What it finds slower is tested with the
// report (tests/lab/report), on real runs by tests/lab/run/try_runs.py.
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using nlohmann::json;

/// A bench file of one row per time, each watched long enough to be judged.
std::string fileOf(const std::vector<double>& times) {
  json root = {{"schema", "fathom.bench/1"}, {"device", {{"renderer", "R"}, {"software", false}}}};
  root["trials"] = json::array();
  for (std::size_t i = 0; i < times.size(); ++i)
    root["trials"].push_back(
        {{"bench", "gpu.copy"},
         {"label", std::to_string(i)},
         {"gpu_ms", {{"median", times[i]}, {"p10", times[i]}, {"p90", times[i]}, {"n", 100}}}});
  return root.dump();
}

class Report : public FolderTest {};

TEST_F(Report, WritesAPage) {
  folder.write("a.json", fileOf({1, 2}));
  EXPECT_EQ(outputOf({"report", folder.file("a.json"), "-o", folder.file("page.html")}), "");
  EXPECT_THAT(readText(folder.file("page.html")), HasSubstr("<!DOCTYPE html>"));
}

TEST_F(Report, NeedsAnOutputOrSomethingToCompareWith) {
  const std::string a = folder.write("a.json", fileOf({1})).string();
  EXPECT_EQ(runFathom({"report", a}).code, 2);
  EXPECT_EQ(runFathom({"report"}).code, 2);
  EXPECT_EQ(runFathom({"report", a, "-o", folder.file("page.pdf")}).code, 2);
  EXPECT_EQ(runFathom({"report", a, "-o", folder.file("a.html"), "--fail-slower-than", "5%"}).code,
            2);
  EXPECT_EQ(runFathom({"report", a, a, "--against", a}).code, 2);
  EXPECT_EQ(runFathom({"report", a, "--against", a, "--fail-slower-than", "much"}).code, 2);
}

TEST_F(Report, ExitsWith3WhenSlowerThanAllowed) {
  const std::string before = folder.write("before.json", fileOf({10, 20, 30})).string();
  const std::string slower = folder.write("slower.json", fileOf({12, 24, 36})).string();
  const auto compare = [&](const std::string& now, const std::string& limit) {
    return runFathom({"report", "--against", before, now, "--fail-slower-than", limit});
  };
  EXPECT_EQ(compare(slower, "5%").code, 3);
  EXPECT_EQ(compare(slower, "25%").code, 0);
  EXPECT_EQ(compare(before, "0").code, 0);
  const Outcome outcome = compare(slower, "5");
  EXPECT_THAT(outcome.out, HasSubstr("SLOWER"));
  EXPECT_THAT(outcome.out, HasSubstr("+20.0 %"));
  const json result = jsonOf({"report", "--against", before, slower})["result"];
  EXPECT_NEAR(result["worst_slowdown"], 0.2, 1e-6);
  EXPECT_NEAR(result["benches"][0]["change"], 0.2, 1e-6);
  EXPECT_TRUE(result["benches"][0]["slower"].get<bool>());
  EXPECT_EQ(runFathom({"report", slower, "-o", folder.file("a.html"), "--json", "-"}).code, 2);
}

TEST_F(Report, FilesWithNothingInCommonAreAnError) {
  const std::string a = folder.write("a.json", fileOf({1})).string();
  const std::string none = folder.write("b.json", fileOf({})).string();
  EXPECT_EQ(runFathom({"report", "--against", a, none}).code, 1);
}

}  // namespace
}  // namespace fathom
