// SPDX-License-Identifier: BSD-3-Clause
// Every list, popup, menu, section, tab and page of every technique, with ImGui's assertions on,
// and no two controls of one ID beside each other.
#include "tests/window/screen.h"

#include <csignal>

namespace fathom::viewer {
namespace {

class Walk {
 public:
  /// `how`: of --walk. Runs in a folder of its own; the program's assets are not in reach.
  Outcome run(const std::vector<std::string>& what, const std::string& how = "lists") {
    const XServer server;
    std::filesystem::create_directory_symlink(sourcePath("shaders"), folder / "shaders");
    std::vector<std::string> command = {VIEWER_DRIVER, "--walk", how};
    command.insert(command.end(), what.begin(), what.end());
    return test::runProgram(command, {.environment = {"DISPLAY=" + server.display(),
                                                      "XDG_CONFIG_HOME=" + folder.file("config"),
                                                      "FATHOM_SHADERS=" + folder.path().string()},
                                      .folder = folder.path()});
  }
  /// Edits that the next start would offer.
  int recoverable() const {
    int count = 0;
    std::error_code none;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder / "config/fathom/recovery", none))
      count += entry.is_regular_file() && entry.path().filename() == "technique";
    return count;
  }
  TempFolder folder;
};

struct Technique {
  std::string name;
  std::vector<std::string> what;
  int opens;  // at least
};
void PrintTo(const Technique& technique, std::ostream* out) { *out << technique.name; }

class EveryListOpens : public ::testing::TestWithParam<Technique> {};

TEST_P(EveryListOpens, WithoutAnAssertionOrEqualIds) {
  const Outcome outcome = Walk().run(GetParam().what);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("stale figure"), std::string::npos) << outcome.err;
  int opened = 0;
  std::sscanf(outcome.out.c_str(), "opened %d", &opened);
  EXPECT_GE(opened, GetParam().opens) << outcome.err;
}

std::string asset(const char* name) { return sourcePath(std::string("assets/") + name).string(); }

const std::string kPlanes = "planes:count=1,spheres=12,alpha=1,seed=4";
const Technique kTechniques[] = {
    {"Deep", {kPlanes, "--technique", "deep"}, 65},
    {"DepthOfField",
     {kPlanes, "--technique", "dof", "--set", "max-radius=8", "--set", "layers=first"},
     70},
    {"ActivePixel", {kPlanes, "--technique", "active-pixel"}, 55},
    {"Flame", {asset("flame/corona.flame"), "--set", "quality=1"}, 65},
    {"Film", {asset("flame/edge.corona=seahorse.json"), "--set", "quality=1"}, 65},
    {"Smoe", {asset("smoe/atrium.smoe")}, 60}};
INSTANTIATE_TEST_SUITE_P(Window, EveryListOpens, ::testing::ValuesIn(kTechniques),
                         [](const auto& each) { return each.param.name; });

/// The seed and the number of inputs may be chosen: FATHOM_WALK=7,10000.
class RandomWalk : public EveryListOpens {};

TEST_P(RandomWalk, EndsWithoutAnAssertionAndLosesNoEdit) {
  const char* const chosen = std::getenv("FATHOM_WALK");
  Walk walk;
  std::vector<std::string> what = GetParam().what;
  if (std::filesystem::exists(what[0])) {        // saved over, perhaps
    const std::filesystem::path from = what[0];  // with what belongs to it
    std::filesystem::copy(from.parent_path(), walk.folder / "files");
    what[0] = (walk.folder / "files" / from.filename()).string();
  }
  const Outcome outcome = walk.run(what, chosen ? chosen : "1,120");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* alarm : {"OpenGL", "Sanitizer", "runtime error", "equal ID", "stale figure"})
    EXPECT_EQ(outcome.err.find(alarm), std::string::npos) << outcome.err;
  EXPECT_EQ(walk.recoverable(), outcome.out.ends_with(", unsaved\n")) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(Window, RandomWalk, ::testing::ValuesIn(kTechniques),
                         [](const auto& each) { return each.param.name; });

TEST(EveryListOpensNet, FindsTwoButtonsOfOneIdAndAPushWithoutAPop) {
  const Outcome equal = Walk().run({asset("smoe/atrium.smoe")}, "equal-ids");
  EXPECT_EQ(equal.code, 1);
  EXPECT_THAT(equal.err, HasSubstr("equal ID in window planted"));
  EXPECT_EQ(Walk().run({asset("smoe/atrium.smoe")}, "push").code, 128 + SIGABRT);
}

/// The net under the figures: the inspector, the comparison or the timings keep theirs.
class StaleFigure : public PictureTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void TearDown() override {}  // a fault is expected
};

TEST_P(StaleFigure, IsFound) {
  start({"--plant", GetParam()});
  screen.clickAt(left);  // its pixel stays in the inspector
  screen.key("k");
  ASSERT_TRUE(screen.comes("compare:psnr"));
  EXPECT_EQ(screen.errors().find("stale figure"), std::string::npos) << screen.errors();
  screen.clickOn("tint=red");
  EXPECT_TRUE(Screen::eventually([&] {
    return screen.errors().find(fmt::format("stale figure: {}", GetParam())) != std::string::npos;
  }));
}

INSTANTIATE_TEST_SUITE_P(Window, StaleFigure,
                         ::testing::Values("inspector", "comparison", "timings"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace fathom::viewer
