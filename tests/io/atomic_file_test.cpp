// SPDX-License-Identifier: BSD-3-Clause
// A file appears complete or not at all.
#include "app/engine/io/atomic_file.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

class AtomicFiles : public FolderTest {};

TEST_F(AtomicFiles, WithoutCommitTheOldFileStaysAlone) {
  folder.write("a.txt", "old");
  { AtomicFile(folder / "a.txt").append("new"); }
  EXPECT_EQ(readText(folder / "a.txt"), "old");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
}

TEST_F(AtomicFiles, WriteAtFillsAnyPlace) {
  AtomicFile file(folder / "a.txt");
  file.append("....");
  file.writeAt(1, std::as_bytes(std::span("ab", 2)));
  file.commit();
  EXPECT_EQ(readText(folder / "a.txt"), ".ab.");
}

TEST_F(AtomicFiles, MissingFolderIsNamed) {
  EXPECT_EQ(messageOf([&] { AtomicFile(folder / "no" / "a.txt"); }),
            fmt::format("{}: expected an existing folder \"{}\", found none",
                        (folder / "no" / "a.txt").string(), (folder / "no").string()));
}

TEST_F(AtomicFiles, FolderAsTargetIsRefused) {
  EXPECT_EQ(messageOf([&] { AtomicFile file(folder.path()); }),
            folder.path().string() + ": expected a file to write, found a folder");
}

TEST_F(AtomicFiles, FullDiskIsNamed) {
  EXPECT_EQ(messageOf([] { writeFile("/dev/full", "hello"); }),
            "/dev/full: expected room to write, found: No space left on device");
}

TEST_F(AtomicFiles, DevicesAreWrittenNotReplaced) {
  writeFile("/dev/null", "hello");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFiles, LinksAreFollowed) {
  folder.write("real.txt", "old");
  fs::create_symlink("real.txt", folder / "link.txt");
  writeFile(folder / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(readText(folder / "real.txt"), "new");
}

TEST_F(AtomicFiles, PermissionsOfTheReplacedFileStay) {
  folder.write("a.txt", "old");
  fs::permissions(folder / "a.txt", fs::perms::owner_read | fs::perms::owner_write);
  writeFile(folder / "a.txt", "new");
  EXPECT_EQ(fs::status(folder / "a.txt").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFiles, LongNamesAreWritten) {
  const std::string name = std::string(246, 'n') + ".txt";
  writeFile(folder / name, "hello");
  EXPECT_EQ(folder.names(), std::vector<std::string>{name});
}

TEST(ReadFile, TakesRegularFilesAndLinksToThem) {
  const TempFolder folder;
  folder.write("a.txt", std::string(200'000, 'x'));
  fs::create_symlink("a.txt", folder / "link.txt");
  EXPECT_EQ(readFile(folder / "link.txt").size(), 200'000u);
  EXPECT_EQ(readFile(folder / "a.txt", 200'000).size(), 200'000u);
  EXPECT_EQ(messageOf([&] { readFile(folder / "a.txt", 199'999); }),
            folder.file("a.txt") + ": expected at most 199999 bytes, found 200000");
  EXPECT_EQ(startOf(folder / "link.txt", 3), "xxx");
}

TEST(ReadFile, RefusesWhatNeedNotEnd) {
  const TempFolder folder;
  ASSERT_EQ(std::system(("mkfifo " + folder.file("pipe")).c_str()), 0);
  fs::create_symlink("/dev/zero", folder / "zero.smoe");
  for (const std::string& file : {folder.file("pipe"), folder.file("zero.smoe")}) {
    EXPECT_EQ(messageOf([&] { readFile(file); }),
              file + ": expected a file, found a pipe or a device");
    EXPECT_EQ(startOf(file, 8), "");
  }
  EXPECT_EQ(messageOf([&] { readFile(folder.path()); }),
            folder.path().string() + ": expected a file, found a folder");
}

TEST(ReadFile, CountsWhatAFileDoesNotTell) {
  // Files of the kernel are of 0 bytes.
  EXPECT_GT(readFile("/proc/self/status").size(), 100u);
  EXPECT_NE(messageOf([] { readFile("/proc/self/status", 10); }), "no error");
}

}  // namespace
}  // namespace fathom
