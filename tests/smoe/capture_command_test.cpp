// SPDX-License-Identifier: BSD-3-Clause
// fathom smoe capture as a user runs it, and a fit of what it wrote.
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fathom::smoe {
namespace {

using nlohmann::json;
using test::runFathom;

test::Outcome capture(const std::string& folder, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"smoe",   "capture", "planes", "--grid", "3x2",
                                     "--size", "32x24",   "-o",     folder};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runFathom(arguments);
}

TEST(CaptureCommand, WritesViewsThatAFitReads) {
  const test::TempFolder folder;
  const test::Outcome outcome =
      capture(folder.file("views"), {"--json", "-", "--disparity", "0.5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json result = json::parse(outcome.out)["result"];
  EXPECT_EQ(result["views"], 6);
  EXPECT_NEAR(result["disparity_low"].get<double>(), -0.5, 1e-6);
  EXPECT_NEAR(result["disparity_high"].get<double>(), 0.5, 1e-6);
  const json index = json::parse(test::readText(folder / "views/views.json"));
  EXPECT_EQ(index["columns"], 3);
  EXPECT_EQ(index["rows"], 2);
  EXPECT_EQ(index["source"], "planes");

  const test::Outcome fit =
      runFathom({"smoe", "fit", folder.file("views"), "-k", "20", "--steps", "10", "--hold-out",
                 "2", "-o", folder.file("m.smoe"), "--json", "-"});
  ASSERT_EQ(fit.code, 0) << fit.err;
  const json fitted = json::parse(fit.out)["result"];
  EXPECT_EQ(fitted["components"], 20);
  EXPECT_GT(fitted["held_out"], 0);
  EXPECT_GT(fitted["held_out_psnr"], 10);
}

TEST(CaptureCommand, LeavesAFolderInUseAlone) {
  const test::TempFolder folder;
  folder.write("views/precious.txt", "x");
  const test::Outcome outcome = capture(folder.file("views"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "fathom: " + folder.file("views") +
                             ": expected a new or an empty folder, found one in use or a file\n");
  EXPECT_EQ(test::readText(folder / "views/precious.txt"), "x");
}

TEST(CaptureCommand, EmptyFolderIsFine) {
  const test::TempFolder folder;
  std::filesystem::create_directory(folder / "views");
  EXPECT_EQ(capture(folder.file("views") + "/").code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "views/view_01_02.png"));
}

TEST(CaptureCommand, SaysWhatIsWrong) {
  const test::TempFolder folder;
  const test::Outcome grid = capture(folder.file("views"), {"--grid", "65x1"});
  EXPECT_EQ(grid.code, 2);
  EXPECT_NE(grid.err.find("grid"), std::string::npos) << grid.err;
  const test::Outcome none = runFathom({"smoe", "capture", "planes"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err, "fathom: expected --output PATH, found none\n");
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace fathom::smoe
