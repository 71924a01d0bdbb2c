// SPDX-License-Identifier: BSD-3-Clause
// Sets of files that are opened together: recent ones, what is kept for each, and the files beside.
#include "app/window/workspace/file_sets.h"

namespace fathom::viewer {
namespace {

TEST(Recent, NewestComesFirstAndOnce) {
  std::vector<RecentSet> recent = {{{"one"}}, {{"two"}}};
  addRecent(recent, {"two"});
  EXPECT_EQ(recent, (std::vector<RecentSet>{{{"two"}}, {{"one"}}}));
  for (int i = 0; i < 40; ++i) addRecent(recent, {std::to_string(i)});
  EXPECT_LE(recent.size(), 12u);
  EXPECT_EQ(recent.front().inputs[0], "39");
}

TEST(Recent, AMergedSetIsOneEntryAndDeletedFilesAreLeftOut) {
  const TempFolder folder;
  const std::string a = folder.write("a.exr", "a"), b = folder.write("b.exr", "b");
  std::vector<RecentSet> recent;
  addRecent(recent, {a, b});
  addRecent(recent, {a});
  addRecent(recent, {"atrium"});
  ASSERT_EQ(recent.size(), 3u);
  EXPECT_EQ(titleOf(recent[2]), "a.exr + 1 more");
  std::filesystem::remove(b);
  EXPECT_EQ(existing(recent), (std::vector<RecentSet>{{{"atrium"}}, {{a}}}));
}

TEST(Opened, KeepsItsOrderAndGoesAround) {
  Opened opened;
  EXPECT_FALSE(opened.neighbor(1));
  opened.note({"atrium"}, "deep");
  EXPECT_FALSE(opened.neighbor(1));
  opened.note({"hairball"}, "deep");
  opened.note({"station"}, "active-pixel");
  opened.note({"hairball"}, "dof");  // shown again, as another technique shows it
  ASSERT_EQ(opened.entries().size(), 3u);
  EXPECT_TRUE(opened.isShown(opened.entries()[1]));
  EXPECT_EQ(opened.entries()[1].technique, "dof");
  EXPECT_EQ(opened.neighbor(1)->set.inputs[0], "station");
  EXPECT_EQ(opened.neighbor(-1)->set.inputs[0], "atrium");
  EXPECT_EQ(opened.neighbor(2)->set.inputs[0], "atrium");
}

TEST(Opened, ForgetsOneAndKeepsWhatIsShown) {
  Opened opened;
  for (const char* name : {"atrium", "hairball", "station"}) opened.note({name}, "deep");
  opened.note({"sent:a"}, "picture", false);
  EXPECT_TRUE(opened.isShown(opened.entries()[2]));
  opened.forget({"atrium"});
  ASSERT_EQ(opened.entries().size(), 3u);
  EXPECT_TRUE(opened.isShown(opened.entries()[1]));
  EXPECT_EQ(opened.neighbor(1)->set.inputs[0], "sent:a");
}

TEST(FileSets, EachSetKeepsItsOwnState) {
  const TempFolder folder;
  FileSets sets;
  sets.keepIn(folder / "files");
  Session state;
  state.set("view", "technique", "dof");
  sets.save({"a", "b"}, state);
  EXPECT_EQ(sets.techniqueOf({"a", "b"}), "dof");
  EXPECT_EQ(sets.techniqueOf({"a"}), "");
  EXPECT_NE(sets.thumbnail({"a"}), sets.thumbnail({"b"}));
}

TEST(Neighbor, FilesOfTheFolderFollowEachOtherAroundTheEnd) {
  const TempFolder folder;
  for (const char* name : {"b.EXR", "a.exr", "c.exr", "d.png"}) folder.write(name, "x");
  const auto name = [](const std::optional<std::string>& file) {
    return file ? std::filesystem::path(*file).filename().string() : "none";
  };
  EXPECT_EQ(name(neighborFile(folder.file("a.exr"), 1)), "b.EXR");
  EXPECT_EQ(name(neighborFile(folder.file("a.exr"), -1)), "c.exr");
  EXPECT_EQ(name(neighborFile(folder.file("c.exr"), 1)), "a.exr");
  EXPECT_EQ(name(neighborFile(folder.file("d.png"), 1)), "none");
  EXPECT_EQ(name(neighborFile("atrium", 1)), "none");
}

}  // namespace
}  // namespace fathom::viewer
