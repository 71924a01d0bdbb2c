// SPDX-License-Identifier: BSD-3-Clause
// Where the panels lie, what is in front, and which sections are open.
#include "app/window/workspace/workspace.h"

#include <sys/wait.h>
#include <unistd.h>

namespace fathom::viewer {
namespace {

class LayoutSizes : public ::testing::TestWithParam<glm::ivec2> {};

TEST_P(LayoutSizes, AreasTouchButDoNotOverlap) {
  const glm::vec2 size(GetParam());
  const Areas a = arrange(PanelLayout{}, size.x, size.y, 1);
  EXPECT_EQ(a.top.height, a.toolbar.y);
  EXPECT_EQ(a.toolbar.y + a.toolbar.height, a.picture.y);
  EXPECT_EQ(a.toolbar.width, a.picture.width);
  EXPECT_EQ(a.picture.x + a.picture.width, a.side.x);
  EXPECT_EQ(a.picture.y + a.picture.height, a.bottom.y);
  EXPECT_EQ(a.bottom.y + a.bottom.height, a.status.y);
  EXPECT_EQ(a.side.y, a.top.height);
  EXPECT_EQ(a.side.y + a.side.height, a.status.y);
  EXPECT_EQ(a.side.x + a.side.width, size.x);
  EXPECT_EQ(a.status.y + a.status.height, size.y);
  EXPECT_GE(a.picture.width, size.x / 3);
  EXPECT_GE(a.picture.height, size.y / 5);
}
INSTANTIATE_TEST_SUITE_P(Windows, LayoutSizes,
                         ::testing::Values(glm::ivec2(720, 480), glm::ivec2(1280, 720),
                                           glm::ivec2(1920, 1080), glm::ivec2(3840, 2160)));

TEST(PanelLayout, TheStripOfATechniqueLiesRightBelowThePicture) {
  for (const glm::vec2 size : {glm::vec2(720, 480), glm::vec2(1920, 1080)}) {
    const Areas a = arrange(PanelLayout{}, size.x, size.y, 1, 124);
    EXPECT_GT(a.strip.height, 100);
    EXPECT_EQ(a.picture.y + a.picture.height, a.strip.y);
    EXPECT_EQ(a.strip.y + a.strip.height, a.bottom.y);
    EXPECT_EQ(a.strip.width, a.picture.width);
    EXPECT_GE(a.picture.height, size.y / 5);
  }
}

TEST(PanelLayout, HiddenPanelsGiveTheirRoomToThePicture) {
  PanelLayout layout;
  layout.side = layout.bottom = false;
  const Areas a = arrange(layout, 1280, 720, 1);
  EXPECT_EQ(a.picture.width, 1280);
  EXPECT_EQ(a.picture.y + a.picture.height, a.status.y);
}

TEST(PanelLayout, ATabComesInFrontOfThePage) {
  PanelLayout layout;
  layout.bottom = false;
  layout.showPage("mutations");
  EXPECT_TRUE(layout.bottom);
  EXPECT_EQ(layout.page(), "mutations");
  layout.showTab(PanelLayout::Tab::Memory);
  EXPECT_EQ(layout.tab(), PanelLayout::Tab::Memory);
  EXPECT_EQ(layout.page(), "");
}

TEST(PanelLayout, OnlyTheAlgorithmIsClosedAtFirst) {
  PanelLayout layout;
  EXPECT_TRUE(isOpen(layout, Section::Picture));
  EXPECT_FALSE(isOpen(layout, Section::Algorithm));
  setOpen(layout, Section::Picture, false);
  setOpen(layout, Section::Algorithm, true);
  EXPECT_FALSE(isOpen(layout, Section::Picture));
  EXPECT_TRUE(isOpen(layout, Section::Algorithm));
  EXPECT_EQ(layout.closed, "image");
}

TEST(PanelLayout, SessionsNameTabAndPage) {
  PanelLayout layout;
  const Describe fields = [&](FieldVisitor& field) { describe(layout, field); };
  assign(fields, "tab", "timings");
  assign(fields, "page", "mutations");
  EXPECT_EQ(layout.tab(), PanelLayout::Tab::Timings);
  EXPECT_EQ(layout.page(), "mutations");
}

// Recovery ----------------------------------------------------------------------------------------

/// What a process that is gone has left under two names, whatever the folder lists first.
TEST(Recovery, FindsTheNewestEdits) {
  for (const std::string newest : {"a.flame", "b.flame"}) {
    const TempFolder folder;
    std::filesystem::create_directories(folder / "999999999.0");
    folder.write("999999999.0/technique", "flame");
    for (const std::string name : {"a.flame", "b.flame"}) {
      const auto file = folder.write("999999999.0/" + name, "x");
      const auto age = std::chrono::seconds(name == newest ? 10 : 20);
      std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
    }
    Recovery recovery;
    recovery.keepIn(folder.path());
    const auto found = recovery.find();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->file.filename(), newest);
  }
}

/// Killed, but its parent has not heard of it.
TEST(Recovery, AZombieIsGone) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended;
  waitid(P_PID, id_t(child), &ended, WEXITED | WNOWAIT);
  const TempFolder folder;
  const std::string left = std::to_string(child);
  std::filesystem::create_directories(folder / left);
  folder.write(left + "/a.flame", "x");
  Recovery recovery;
  recovery.keepIn(folder.path());
  EXPECT_TRUE(recovery.find());
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace fathom::viewer
