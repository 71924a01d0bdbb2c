// SPDX-License-Identifier: BSD-3-Clause
// Every list, popup, menu, section, tab and page of every technique, with ImGui's assertions on,
// and no two controls of one ID beside each other.
#include "tests/support/program.h"
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

test::Outcome walk(const std::vector<std::string>& what, const std::string& how = "lists") {
  const test::TempFolder folder;
  const XServer server;
  std::vector<std::string> command = {VIEWER_DRIVER, "--walk", how};
  command.insert(command.end(), what.begin(), what.end());
  test::RunOptions options;
  options.environment = {"DISPLAY=" + server.display(), "XDG_CONFIG_HOME=" + folder.file("config")};
  options.folder = folder.path();
  return test::runProgram(command, options);
}

struct Technique {
  std::string name;
  std::vector<std::string> what;
  int opens;  // at least
};
void PrintTo(const Technique& technique, std::ostream* out) { *out << technique.name; }

class EveryListOpens : public ::testing::TestWithParam<Technique> {};

TEST_P(EveryListOpens, WithoutAnAssertionOrEqualIds) {
  const test::Outcome outcome = walk(GetParam().what);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  int opened = 0;
  std::sscanf(outcome.out.c_str(), "opened %d", &opened);
  EXPECT_GE(opened, GetParam().opens) << outcome.err;
}

std::string asset(const char* name) {
  return test::sourcePath(std::string("assets/") + name).string();
}

const std::string kPlanes = "planes:count=1,spheres=12,alpha=1,seed=4";
INSTANTIATE_TEST_SUITE_P(
    Window, EveryListOpens,
    ::testing::Values(
        Technique{"Deep", {kPlanes, "--technique", "deep"}, 65},
        Technique{"DepthOfField",
                  {kPlanes, "--technique", "dof", "--set", "max-radius=8", "--set", "layers=first"},
                  70},
        Technique{"ActivePixel", {kPlanes, "--technique", "active-pixel"}, 55},
        Technique{"Flame", {asset("flame/corona.flame"), "--set", "quality=1"}, 65},
        Technique{"Film", {asset("flame/edge.corona=seahorse.json"), "--set", "quality=1"}, 65},
        Technique{"Smoe", {asset("smoe/atrium.smoe")}, 60}),
    [](const auto& each) { return each.param.name; });

TEST(EveryListOpensNet, FindsTwoButtonsOfOneId) {
  const test::Outcome outcome = walk({asset("smoe/atrium.smoe")}, "planted");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("equal ID in window planted"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace fathom::viewer
