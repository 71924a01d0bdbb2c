// SPDX-License-Identifier: BSD-3-Clause
// The tuner on a fake technique whose times are known: it finds the fastest correct variant, stops
// when asked to, and states what the result is valid for.
#include "app/lab/run/tuner.h"
#include "app/engine/core/error.h"
#include "app/engine/engine.h"
#include "app/engine/io/profile.h"
#include "app/engine/tuning.h"
#include "tests/support/gpu_test.h"
#include "tests/support/temp_folder.h"

namespace fathom::bench {
namespace {

// 4 x 4: a.x takes 1 ms, the next 2 ms, ...; what holds "c" is wrong.
constexpr VariantSpace kSpace{
    {{"first", "One.", {{"a", "", ""}, {"b", "", ""}, {"c", "", ""}, {"d", "", ""}}},
     {"second", "Two.", {{"x", "", ""}, {"y", "", ""}, {"z", "", ""}, {"w", "", ""}}}},
    {}};
static_assert(kSpace.count() == 16);

int runs = 0;
Progress* stopAfterTen = nullptr;
bool wrongA = false;

class FakeWorkload : public TuneWorkload {
 public:
  const VariantSpace& space() const override { return kSpace; }
  CheckResult check(const Variant& v) override {
    return {v[0] != 2 && !(wrongA && v[0] == 0), "exact", kSpace.id(v) + " is wrong"};
  }
  double timeMs(const Variant& v) override {
    if (++runs == 10 && stopAfterTen) stopAfterTen->cancel();
    return 1 + kSpace.index(v);
  }
};

const Tunable kTunable = [] {
  Tunable fake;
  fake.technique = "fake";
  fake.space = &kSpace;
  fake.classes = {{"only", kSpace.parse("d.w"), kSpace.parse("d.w")}};
  fake.sizeOnSoftware = fake.sizeOnGpu = {160, 90};
  fake.make = [](gpu::Context&, const TuneRequest&, Progress&) -> std::unique_ptr<TuneWorkload> {
    return std::make_unique<FakeWorkload>();
  };
  fake.ownKey = [](gpu::Context&, const TuneRequest& request) {
    return TuneKey{request.workload, request.size, "hash", "end"};
  };
  return fake;
}();

class Tuner : public test::GpuTest {
 protected:
  TuneResult run() {
    runs = 0;
    return tune(context(), kTunable, {{160, 90}, "only", 1}, progress_);
  }
  void TearDown() override {
    stopAfterTen = nullptr;
    wrongA = false;
    GpuTest::TearDown();
  }
  Progress progress_;
};

TEST_F(Tuner, FindsTheFastest) {
  const TuneResult result = run();
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.tuned.best, "a.x");
  EXPECT_EQ(result.tuned.bestMs, 1);
  EXPECT_EQ(result.tuned.defaultMs, 16);
}

TEST_F(Tuner, TakesOnlyWhatIsRight) {
  wrongA = true;
  const TuneResult result = run();
  EXPECT_EQ(result.tuned.best, "b.x");
  const auto failed =
      std::count_if(result.sweep.rows().begin(), result.sweep.rows().end(),
                    [](const auto& row) { return row.state == VariantSweep::State::Failed; });
  EXPECT_EQ(failed, 8);
}

TEST_F(Tuner, StoppedItKeepsTheBestSoFar) {
  stopAfterTen = &progress_;
  const TuneResult result = run();
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.tuned.best.empty());
  EXPECT_LE(runs, 12);  // ten, and the default as often as the best
}

TEST_F(Tuner, SaysWhatTheResultIsFor) {
  const TunedVariant tuned = run().tuned;
  EXPECT_EQ(tuned.technique, "fake");
  EXPECT_EQ(tuned.renderer, context().device().renderer);
  EXPECT_EQ(tuned.version, context().device().version);
  EXPECT_EQ(tuned.workload, "only");
  EXPECT_EQ(tuned.sizeClass, "small");
  EXPECT_EQ(tuned.templateHash, "hash");
  EXPECT_EQ(tuned.backEnd, "end");
  EXPECT_EQ(tuned.date.size(), 10u);
}

TEST_F(Tuner, KeepsTheDefaultWhenNothingIsClearlyFaster) {
  Tunable even = kTunable;
  even.make = [](gpu::Context&, const TuneRequest&, Progress&) -> std::unique_ptr<TuneWorkload> {
    class Even : public FakeWorkload {
      double timeMs(const Variant& v) override { return 100 + 0.1 * kSpace.index(v); }
    };
    return std::make_unique<Even>();
  };
  const TuneResult result = tune(context(), even, {{160, 90}, "only", 1}, progress_);
  EXPECT_EQ(result.tuned.best, "d.w");
  EXPECT_EQ(result.tuned.bestMs, result.tuned.defaultMs);
}

TEST_F(Tuner, TechniquesTakeWhatTheProfileHolds) {
  const test::TempFolder folder;
  TunedVariant tuned = run().tuned;
  const auto chosen = [&] {
    Profile profile;
    profile.put(tuned);
    profile.save(folder.file("profile.json"));
    useProfile(folder.file("profile.json"));
    TunedChoice choice("fake", kSpace);
    const auto variant = choice.choose(context(), [] {
      return TuneKey{"only", {160, 90}, "hash", "end"};
    });
    EXPECT_FALSE(choice.note().empty());
    useProfile(std::nullopt);
    return variant ? kSpace.id(*variant) : std::string();
  };
  EXPECT_EQ(chosen(), "a.x");
  tuned.best = "a.gone";  // of another version of the program
  EXPECT_EQ(chosen(), "");
  tuned.best = "b.x", tuned.templateHash = "other shaders";
  EXPECT_EQ(chosen(), "");
}

TEST_F(Tuner, TheTableIsSortedByTime) {
  const std::string csv = sweepCsv(kSpace, run().sweep);
  EXPECT_EQ(csv.find("variant,state,median_ms,trials\na.x,passed,1.0000,"), 0u) << csv;
  EXPECT_NE(csv.find("\nc.x,failed,0.0000,0\n"), std::string::npos) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 17);
}

}  // namespace
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
  static constexpr glm::ivec2 kPictureSize{160, 90};
  /// A picture of the example with this variant in the profile; empty: the profile is empty.
  ProfileCheck check(const std::string& variant) {
    Profile profile;
    TunedVariant tuned =
        tuneKeyOf(context(), *tunablesNamed({"deep"})[0], {kPictureSize, "merge", 1});
    tuned.best = variant;
    if (!variant.empty()) profile.put(tuned);
    profile.save(folder_.file("profile.json"));
    ProfileCheckRequest request;
    request.inputs = {"planes:count=200,spheres=8"};  // long lists
    request.size = kPictureSize;
    request.pictures = 3;
    Progress progress;
    return checkProfile(context(), *techniqueNamed("deep"), folder_.file("profile.json"), request,
                        progress);
  }
  void TearDown() override {
    useProfile(std::nullopt);
    GpuTest::TearDown();
  }
  test::TempFolder folder_;
};

TEST_F(ProfileCheckTest, MakesPicturesOfBothKinds) {
  const ProfileCheck found = check("bia.stepwise.8.raster");
  EXPECT_EQ(found.variant.rfind("bia.stepwise.8.raster, tuned for merge", 0), 0u) << found.variant;
  EXPECT_EQ(found.standard.n, 3);
  EXPECT_EQ(found.tuned.n, 3);
  EXPECT_GT(found.standard.median, 0);
  EXPECT_GT(found.tunedWall.median, 0);
}

TEST_F(ProfileCheckTest, NoticesAProfileThatIsSlow) {
  if (!context().device().software) GTEST_SKIP() << "which variants are slow depends on the device";
  const ProfileCheck found = check("ll.rbm.8.raster");
  EXPECT_TRUE(found.slower()) << found.time.ratio << " +- " << found.time.noise;
}

TEST_F(ProfileCheckTest, WantsAProfileThatCounts) { EXPECT_THROW(check(""), Error); }

}  // namespace
}  // namespace fathom::bench
