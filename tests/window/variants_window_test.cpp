// SPDX-License-Identifier: BSD-3-Clause
// The page of variants in the real window: a choice is used, impossible ones change nothing, a
// sweep leaves the window answering, and its table holds a row for every variant.
#include "tests/window/screen.h"

namespace fathom::viewer {
namespace {

class VariantsWindow : public ScreenTest {
 protected:
  void start() {
    screen.startFathom({"planes", "--technique", "dof", "--open-panel", "variants", "--no-profile",
                        "--set", "operator=over", "--set", "max-radius=8", "--set",
                        "layers=first"});
  }
};

TEST_F(VariantsWindow, ASweepLeavesTheWindowAnswering) {
  start();
  screen.clickOn("variants:measure");
  ASSERT_TRUE(screen.comes("variants:best"));
  for (int i = 0; i < 3; ++i) {
    const auto asked = std::chrono::steady_clock::now();
    screen.key("h");
    ASSERT_TRUE(screen.comes("help"));
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(3));
    screen.key("h");
    ASSERT_TRUE(screen.goes("help"));
    EXPECT_TRUE(screen.has("variants:stop"));  // it goes on meanwhile
  }
  screen.clickOn("variants:best");
  screen.clickOn("variants:stop");
  ASSERT_TRUE(screen.comes("variants:measure"));
  screen.clickOn("variants:save");
  const auto file = folder / "config" / "fathom" / "dof-variants.csv";
  ASSERT_TRUE(Screen::eventually([&] { return std::filesystem::exists(file); }));
  const std::string table = test::readText(file);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 321);
  EXPECT_NE(table.find(",passed,"), std::string::npos);
  EXPECT_EQ(table.find(",failed,"), std::string::npos);
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(VariantsWindow, AnImpossibleChoiceIsGrey) {
  start();
  const auto choice = [&] {
    const Place area = screen.place("variants:order=btf");
    return screen.shot().at(area.x + area.width / 2, area.y + area.height / 2);
  };
  screen.clickOn("variants:early=none");
  screen.move(300, 600);
  const glm::ivec3 possible = choice();
  screen.clickOn("variants:early=each");
  screen.move(300, 600);
  ASSERT_TRUE(Screen::eventually([&] { return choice() != possible; }));
  const glm::ivec3 grey = choice();
  screen.clickOn("variants:order=btf");  // C1: early is each
  screen.move(300, 600);
  EXPECT_TRUE(Screen::eventually([&] { return choice() == grey; }));
  screen.clickOn("variants:early=none");
  screen.clickOn("variants:order=btf");
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

}  // namespace
}  // namespace fathom::viewer
