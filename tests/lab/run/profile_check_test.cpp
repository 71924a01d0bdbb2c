// SPDX-License-Identifier: BSD-3-Clause
// Pictures with a profile against pictures without: the rule on synthetic numbers, and real
// pictures with variants known to be slow, equal or missing.
#include "app/lab/run/profile_check.h"

#include "app/lab/run/tuner.h"
#include "app/engine/core/error.h"
#include "app/engine/io/profile.h"
#include "app/engine/engine.h"
#include "tests/support/gpu_test.h"
#include "tests/support/temp_folder.h"

namespace fathom::bench {
namespace {

TEST(ProfileCheck, IsSlowerBeyondTheNoiseOnly) {
  const auto slower = [](double ratio, double noise) {
    ProfileCheck check;
    check.time = {ratio, noise};
    return check.slower();
  };
  EXPECT_FALSE(slower(0.5, 0));
  EXPECT_FALSE(slower(1.02, 0));
  EXPECT_TRUE(slower(1.05, 0.01));
  EXPECT_FALSE(slower(1.05, 0.03));
}

class ProfileCheckTest : public test::GpuTest {
 protected:
  /// A picture of the example with this variant in the profile; empty: the profile is empty.
  ProfileCheck check(const std::string& variant) {
    Profile profile;
    TunedVariant tuned =
        tuneKeyOf(context(), *tunablesNamed({"smoe"})[0], {{640, 360}, "frame", 1});
    tuned.best = variant;
    if (!variant.empty()) profile.put(tuned);
    profile.save(folder_.file("profile.json"));
    ProfileCheckRequest request;
    request.inputs = {test::sourcePath("assets/smoe/atrium.smoe").string()};
    request.pictures = 3;
    Progress progress;
    return checkProfile(context(), *techniqueNamed("smoe"), folder_.file("profile.json"), request,
                        progress);
  }
  void TearDown() override {
    useProfile(std::nullopt);
    GpuTest::TearDown();
  }
  test::TempFolder folder_;
};

TEST_F(ProfileCheckTest, MakesPicturesOfBothKinds) {
  const ProfileCheck found = check("8.off.columns");
  EXPECT_EQ(found.variant.rfind("8.off.columns, tuned for frame", 0), 0u) << found.variant;
  EXPECT_EQ(found.standard.n, 3);
  EXPECT_EQ(found.tuned.n, 3);
  EXPECT_GT(found.standard.median, 0);
  EXPECT_GT(found.tunedWall.median, 0);
}

TEST_F(ProfileCheckTest, NoticesAProfileThatIsSlow) {
  if (!context().device().software) GTEST_SKIP() << "which variants are slow depends on the device";
  const ProfileCheck found = check("32.off.batches");
  EXPECT_TRUE(found.slower()) << found.time.ratio << " +- " << found.time.noise;
}

TEST_F(ProfileCheckTest, WantsAProfileThatCounts) { EXPECT_THROW(check(""), Error); }

}  // namespace
}  // namespace fathom::bench
