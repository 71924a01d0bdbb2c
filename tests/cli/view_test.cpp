// SPDX-License-Identifier: BSD-3-Clause
// fathom view: what its flags refuse before any window opens, and the subcommand that may be left
// out.
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace fathom {
namespace {

using test::Outcome;
using test::runFathom;

TEST(View, RefusesWhatTheWindowCannotDo) {
  EXPECT_EQ(runFathom({"view", "planes", "-o", "a.png"}).code, 2);
  EXPECT_EQ(runFathom({"view", "planes", "--backend", "egl"}).code, 2);
  EXPECT_EQ(runFathom({"view", "planes", "--frames", "0"}).code, 2);
  EXPECT_EQ(runFathom({"view", "planes", "--pixel", "here"}).code, 2);
  EXPECT_EQ(runFathom({"view", "planes", "--screenshot", "a.jpg"}).code, 2);
}

TEST(View, RefusesAScreenshotWithoutAFolder) {
  const Outcome outcome =
      runFathom({"view", "planes", "--screenshot", "/nonexistent/folder/a.png"});
  EXPECT_EQ(outcome.code, 1);
}

// The window starts a child of itself for each, so that a damaged file ends that one at most.
TEST(View, MakesThumbnailsInAProcessOfTheirOwn) {
  const test::TempFolder folder;
  const std::string picture = folder.file("a.png");
  ASSERT_EQ(
      runFathom({"deep", "flatten", "planes:count=2,spheres=1", "--size", "284x80", "-o", picture})
          .code,
      0);
  const Outcome thumbnail = runFathom({"--thumbnail-of", picture});
  ASSERT_EQ(thumbnail.code, 0);
  glm::ivec2 size(0);
  ASSERT_GT(thumbnail.out.size(), sizeof size);
  std::memcpy(&size, thumbnail.out.data(), sizeof size);
  EXPECT_EQ(size, glm::ivec2(142, 40));
  EXPECT_EQ(thumbnail.out.size(), sizeof size + std::size_t(size.x * size.y * 4));
  EXPECT_EQ(runFathom({"--thumbnail-of", "/dev/zero"}).code, 1);
}

TEST(View, TakesAScreenshotWithoutItsWord) {
  const test::TempFolder folder;
  const Outcome outcome = runFathom({"planes:count=8,spheres=2", "--frames", "1", "--hidden",
                                     "--size", "640x480", "--screenshot", folder.file("a.png")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Outcome info = runFathom({"info", folder.file("a.png")});
  EXPECT_NE(info.out.find("640x480"), std::string::npos) << info.out;
}

TEST(View, ChecksSettingsAgainstTheTechniqueThatOpensTheFile) {
  const test::TempFolder folder;
  const std::string picture = folder.file("photo.png");
  ASSERT_EQ(
      runFathom({"deep", "flatten", "planes:count=2,spheres=1", "--size", "32x24", "-o", picture})
          .code,
      0);
  // Depth of field takes a PNG too, but only beside a depth picture: SMoE opens this one.
  const std::vector<std::string> view = {"view",     picture,  "--frames", "1",
                                         "--hidden", "--size", "640x480"};
  auto with = [&](const char* setting) {
    std::vector<std::string> all = view;
    all.insert(all.end(), {"--set", setting});
    return runFathom(all);
  };
  const Outcome known = with("components=60");
  EXPECT_EQ(known.code, 0) << known.err;
  const Outcome unknown = with("focus-distance=3");
  EXPECT_EQ(unknown.code, 2) << unknown.err;
}

TEST(View, RecordsWhatThePictureCosts) {
  const test::TempFolder folder;
  const Outcome outcome =
      runFathom({"view", "planes:count=8,spheres=2", "--frames", "1", "--hidden", "--size",
                 "640x480", "--record", folder.file("a.json"), "--pictures", "3"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::ifstream in(folder.file("a.json"));
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(text.find("fathom.bench/1"), std::string::npos) << text;
  EXPECT_NE(text.find("view.deep"), std::string::npos) << text;
  EXPECT_NE(text.find("\"n\": 3"), std::string::npos) << text;
  EXPECT_NE(text.find("pass: merge lists"), std::string::npos) << text;
  EXPECT_NE(text.find("\"checked\""), std::string::npos) << text;
}

TEST(View, DoesNotRecordWhatTheReferenceDoesNotShow) {
  const test::TempFolder folder;
  const Outcome outcome = runFathom({"view", "planes:count=8,spheres=2", "--frames", "1",
                                     "--hidden", "--size", "640x480", "--set", "show=heat-map",
                                     "--record", folder.file("a.json"), "--pictures", "1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("a.json: not recorded"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.json")));
}

TEST(View, EndsWithoutARecordingOfWhatItCannotShow) {
  const test::TempFolder folder;
  folder.write("broken.exr", "no picture at all");
  const Outcome outcome = runFathom({"view", folder.file("broken.exr"), "--frames", "1", "--hidden",
                                     "--record", folder.file("a.json")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("broken.exr"), std::string::npos) << outcome.err;
}

TEST(View, NamesTheFileThatItCannotShow) {
  const Outcome outcome = runFathom({"nowhere.exr", "--frames", "1", "--hidden"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("nowhere.exr"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace fathom
