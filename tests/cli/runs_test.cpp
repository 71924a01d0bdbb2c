// SPDX-License-Identifier: BSD-3-Clause
// Alternating runs compared: two of the same work, and one with more. They are measured, so no
// other test runs beside this one.
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using nlohmann::json;

/// The same bench twice, and once with half as many pixels again to work on, passed off as the same
/// size. tests/lab/run/try_runs.py tries smaller changes in more rounds.
TEST(Runs, FindsHalfAsMuchWorkAgainInRealRunsAndNothingElse) {
  const std::vector<std::pair<std::string, std::string>> runs = {
      {"before.json", "96x60"}, {"again.json", "96x60"}, {"more.json", "96x90"}};
  Outcome again, slower;
  // Other programs may disturb a run by any amount: then it is made again. What flags everything,
  // or nothing, fails every time.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const TempFolder folder;
    for (std::size_t turn = 0; turn < 8 * runs.size(); ++turn) {
      const auto& [name, size] = runs[(turn + turn / runs.size()) % runs.size()];
      outputOf({"bench", "flame.filter", "--quick", "--trials", "4", "--sweep",
                "estimator=fast,off", "--size", size, "--append", "--json", folder.file(name)});
    }
    json more = json::parse(readText(folder.file("more.json")));
    for (json& trial : more["trials"]) trial["size"] = {96, 60};
    folder.write("more.json", more.dump());
    const auto compare = [&](const char* name) {
      return runFathom({"report", "--against", folder.file("before.json"), folder.file(name),
                        "--fail-slower-than", "5%"});
    };
    again = compare("again.json"), slower = compare("more.json");
    if (again.code == 0 && slower.code == 3) break;
  }
  EXPECT_THAT(again.out, HasSubstr("8 alternating rounds"));
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_EQ(slower.code, 3) << slower.out << slower.err;
}

}  // namespace
}  // namespace fathom
