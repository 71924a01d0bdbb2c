// SPDX-License-Identifier: BSD-3-Clause
// fathom view: what its flags refuse before any window opens, and the subcommand that may be left
// out.
#include "tests/support/program.h"

namespace fathom {
namespace {

class View : public FolderTest {};

TEST_F(View, RefusesWhatTheWindowCannotDo) {
  EXPECT_EQ(runFathom({"view", "planes", "-o", "a.png"}).code, 2);
  EXPECT_EQ(runFathom({"view", "planes", "--backend", "egl"}).code, 2);
  EXPECT_EQ(runFathom({"view", "planes", "--frames", "0"}).code, 2);
  EXPECT_EQ(runFathom({"view", "planes", "--pixel", "here"}).code, 2);
  EXPECT_EQ(runFathom({"view", "planes", "--screenshot", "a.jpg"}).code, 2);
}

TEST_F(View, RefusesAScreenshotWithoutAFolder) {
  refusalOf({"view", "planes", "--screenshot", "/nonexistent/folder/a.png"});
}

// The window starts a child of itself for each, so that a damaged file ends that one at most.
TEST_F(View, MakesThumbnailsInAProcessOfTheirOwn) {
  const std::string picture = folder.file("a.png");
  outputOf({"deep", "flatten", "planes:count=2,spheres=1", "--size", "284x80", "-o", picture});
  const Outcome thumbnail = runFathom({"--thumbnail-of", picture});
  ASSERT_EQ(thumbnail.code, 0);
  glm::ivec2 size(0);
  ASSERT_GT(thumbnail.out.size(), sizeof size);
  std::memcpy(&size, thumbnail.out.data(), sizeof size);
  EXPECT_EQ(size, glm::ivec2(142, 40));
  EXPECT_EQ(thumbnail.out.size(), sizeof size + std::size_t(size.x * size.y * 4));
  EXPECT_EQ(runFathom({"--thumbnail-of", "/dev/zero"}).code, 1);
}

TEST_F(View, TakesAScreenshotWithoutItsWord) {
  outputOf({"planes:count=8,spheres=2", "--frames", "1", "--hidden", "--size", "640x480",
            "--screenshot", folder.file("a.png")});
  const Outcome info = runFathom({"info", folder.file("a.png")});
  EXPECT_THAT(info.out, HasSubstr("640x480"));
}

TEST_F(View, RecordsWhatThePictureCosts) {
  outputOf({"view", "planes:count=8,spheres=2", "--frames", "1", "--hidden", "--size", "640x480",
            "--record", folder.file("a.json"), "--pictures", "3"});
  std::ifstream in(folder.file("a.json"));
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_THAT(text, HasSubstr("fathom.bench/1"));
  EXPECT_THAT(text, HasSubstr("view.deep"));
  EXPECT_THAT(text, HasSubstr("\"n\": 3"));
  EXPECT_THAT(text, HasSubstr("pass: merge lists"));
  EXPECT_THAT(text, HasSubstr("\"checked\""));
}

TEST_F(View, DoesNotRecordWhatTheReferenceDoesNotShow) {
  EXPECT_THAT(refusalOf({"view", "planes:count=8,spheres=2", "--frames", "1", "--hidden", "--size",
                         "640x480", "--set", "show=heat-map", "--record", folder.file("a.json"),
                         "--pictures", "1"}),
              HasSubstr("a.json: not recorded"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.json")));
}

TEST_F(View, EndsWithoutARecordingOfWhatItCannotShow) {
  folder.write("broken.exr", "no picture at all");
  EXPECT_THAT(refusalOf({"view", folder.file("broken.exr"), "--frames", "1", "--hidden", "--record",
                         folder.file("a.json")}),
              HasSubstr("broken.exr"));
}

TEST_F(View, NamesTheSessionWhoseFileIsMissing) {
  folder.write("shot.json", R"({"fathom": "0.1.0", "view": {"inputs": ["nowhere.exr"]}})");
  EXPECT_EQ(
      refusalOf({"view", "--session", folder.file("shot.json"), "--frames", "1", "--hidden"}),
      "fathom: " + folder.file("shot.json") + ": nowhere.exr: expected a file, found nothing\n");
}

}  // namespace
}  // namespace fathom
