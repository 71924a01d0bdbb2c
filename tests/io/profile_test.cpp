// SPDX-License-Identifier: BSD-3-Clause
// What was tuned is kept and found again; what was tuned for something else is named, not used.
#include "app/engine/io/profile.h"

namespace fathom {
namespace {

TunedVariant tuned(const std::string& best = "block.peel") {
  return {"dof",  "Mesa", "llvmpipe", "4.5 Mesa 22", "r16", "small",
          "abcd", "arb",  best,       1.5,           2.5,   "2026-01-31"};
}

Profile holding(const std::vector<TunedVariant>& results) {
  Profile profile;
  for (const TunedVariant& result : results) profile.put(result);
  return profile;
}

std::string refusalOf(const std::string& text) {
  return test::messageOf([&] { Profile::parse(text, "p.json"); });
}

TEST(Profile, RoundTrip) {
  const Profile read = Profile::parse(holding({tuned()}).json(), "profile");
  ASSERT_EQ(read.all().size(), 1u);
  const TunedVariant& t = read.all()[0];
  EXPECT_TRUE(t.sameKey(tuned()));
  EXPECT_EQ(t.best, "block.peel");
  EXPECT_EQ(t.bestMs, 1.5);
  EXPECT_EQ(t.defaultMs, 2.5);
  EXPECT_EQ(t.templateHash, "abcd");
  EXPECT_EQ(t.backEnd, "arb");
  EXPECT_EQ(t.date, "2026-01-31");
}

TEST(Profile, IsAFileInAFolderThatIsMade) {
  const TempFolder folder;
  const auto file = folder.path() / "deeper" / "profile.json";
  EXPECT_TRUE(Profile::load(file).all().empty());
  holding({tuned()}).save(file);
  EXPECT_EQ(Profile::load(file).all().size(), 1u);
}

TEST(Profile, ANewResultReplacesTheOldOne) {
  TunedVariant large = tuned("warp.peel");
  large.sizeClass = "large";
  const Profile profile = holding({tuned(), tuned("warp.check"), large});
  ASSERT_EQ(profile.all().size(), 2u);
  EXPECT_EQ(profile.all()[0].best, "warp.check");
}

TEST(Profile, FindsWhatWasTunedHere) {
  const Profile profile = holding({tuned()});
  const Profile::Answer answer = profile.find(tuned(""));
  ASSERT_TRUE(answer.use);
  EXPECT_EQ(answer.use->best, "block.peel");
  EXPECT_EQ(answer.note, "block.peel, tuned for r16 small images on 2026-01-31");
}

TEST(Profile, PrefersTheSizeAskedFor) {
  TunedVariant large = tuned("for.large");
  large.sizeClass = "large";
  const Profile profile = holding({large, tuned("for.small")});
  TunedVariant huge = tuned();
  huge.sizeClass = "huge";
  EXPECT_EQ(profile.find(large).use->best, "for.large");
  EXPECT_EQ(profile.find(tuned()).use->best, "for.small");
  EXPECT_TRUE(profile.find(huge).use);
}

TEST(Profile, NamesWhatWasTunedForSomethingElseAndDoesNotUseIt) {
  const Profile profile = holding({tuned()});
  const auto noteFor = [&](std::string TunedVariant::*field, const char* value) {
    TunedVariant key = tuned();
    key.*field = value;
    EXPECT_FALSE(profile.find(key).use) << value;
    return profile.find(key).note;
  };
  EXPECT_EQ(
      noteFor(&TunedVariant::version, "4.5 Mesa 24"),
      "not used: tuned on 2026-01-31 with llvmpipe, 4.5 Mesa 22, found llvmpipe, 4.5 Mesa 24; "
      "`fathom tune dof` renews it");
  EXPECT_THAT(noteFor(&TunedVariant::templateHash, "ffff"), HasSubstr("other shaders"));
  EXPECT_EQ(noteFor(&TunedVariant::workload, "r64"), "");  // never tuned
}

TEST(Profile, DamagedFilesAreRefused) {
  EXPECT_EQ(refusalOf("{}"), "p.json: expected a profile (fathom.profile/1), found something else");
  for (const char* text : {"[1", R"({"schema": "fathom.profile/1", "tuned": [{}]})"})
    EXPECT_THAT(refusalOf(text), StartsWith("p.json: expected a profile (JSON), found: "));
}

TEST(Profile, SizesHaveClasses) {
  EXPECT_EQ(sizeClassOf(160, 90), "small");
  EXPECT_EQ(sizeClassOf(1280, 720), "medium");
  EXPECT_EQ(sizeClassOf(1920, 1080), "large");
  EXPECT_EQ(sizeClassOf(3840, 2160), "huge");
}

}  // namespace
}  // namespace fathom
