// SPDX-License-Identifier: BSD-3-Clause
// A file appears complete or not at all.
#include "app/engine/io/atomic_file.h"

#include "app/engine/core/error.h"
#include "tests/support/message.h"
#include "tests/support/temp_folder.h"

namespace fathom {
namespace {

using test::messageOf;

namespace fs = std::filesystem;
using test::readText;
using test::TempFolder;

TEST(AtomicFile, CommitPutsTheBytesInPlace) {
  const TempFolder folder;
  writeFile(folder / "a.txt", "hello");
  EXPECT_EQ(readText(folder / "a.txt"), "hello");
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const TempFolder folder;
  folder.write("a.txt", "old");
  {
    AtomicFile file(folder / "a.txt");
    file.append("new");
  }
  EXPECT_EQ(readText(folder / "a.txt"), "old");
}

TEST(AtomicFile, WithoutCommitNothingIsLeft) {
  const TempFolder folder;
  { AtomicFile(folder / "a.txt").append("new"); }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(AtomicFile, WriteAtFillsAnyPlace) {
  const TempFolder folder;
  AtomicFile file(folder / "a.txt");
  file.append("....");
  file.writeAt(1, std::as_bytes(std::span("ab", 2)));
  file.commit();
  EXPECT_EQ(readText(folder / "a.txt"), ".ab.");
}

TEST(AtomicFile, MissingFolderIsNamed) {
  const TempFolder folder;
  EXPECT_EQ(messageOf([&] { AtomicFile(folder / "no" / "a.txt"); }),
            fmt::format("{}: expected an existing folder \"{}\", found none",
                        (folder / "no/a.txt").string(), (folder / "no").string()));
}

TEST(AtomicFile, FolderAsTargetIsRefused) {
  const TempFolder folder;
  EXPECT_EQ(messageOf([&] { AtomicFile file(folder.path()); }),
            folder.path().string() + ": expected a file to write, found a folder");
}

TEST(AtomicFile, FullDiskIsNamed) {
  EXPECT_EQ(messageOf([] { writeFile("/dev/full", "hello"); }),
            "/dev/full: expected room to write, found: No space left on device");
}

TEST(AtomicFile, DevicesAreWrittenNotReplaced) {
  writeFile("/dev/null", "hello");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(AtomicFile, LinksAreFollowed) {
  const TempFolder folder;
  folder.write("real.txt", "old");
  fs::create_symlink("real.txt", folder / "link.txt");
  writeFile(folder / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(readText(folder / "real.txt"), "new");
}

TEST(AtomicFile, PermissionsOfTheReplacedFileStay) {
  const TempFolder folder;
  folder.write("a.txt", "old");
  fs::permissions(folder / "a.txt", fs::perms::owner_read | fs::perms::owner_write);
  writeFile(folder / "a.txt", "new");
  EXPECT_EQ(fs::status(folder / "a.txt").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(ReadFile, LimitIsCheckedFirst) {
  const TempFolder folder;
  folder.write("a.txt", "hello");
  EXPECT_EQ(messageOf([&] { readFile(folder / "a.txt", 4); }),
            (folder / "a.txt").string() + ": expected at most 4 bytes, found 5");
}

TEST(ReadFile, FolderIsNamedAsSuch) {
  const TempFolder folder;
  EXPECT_EQ(messageOf([&] { readFile(folder.path()); }),
            folder.path().string() + ": expected a file, found a folder");
}

}  // namespace
}  // namespace fathom
