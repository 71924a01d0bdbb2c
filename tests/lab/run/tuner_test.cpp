// SPDX-License-Identifier: BSD-3-Clause
// The tuner on a fake technique whose times are known: it finds the fastest correct variant, stops
// when asked to, and states what the result is valid for.
#include "app/lab/tuner.h"
#include "app/engine/engine.h"
#include "tests/support/gpu_test.h"

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
  explicit FakeWorkload(gpu::Context& gpu) : TuneWorkload(gpu, kSpace) {}
  void run(const Variant&) override {}
  CheckResult runAndCompare(const Variant& v) override {
    return {v[0] != 2 && !(wrongA && v[0] == 0), "exact", "is wrong"};
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
  fake.make = [](gpu::Context& gpu, const TuneRequest&,
                 Progress&) -> std::unique_ptr<TuneWorkload> {
    return std::make_unique<FakeWorkload>(gpu);
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
  EXPECT_EQ(std::ranges::count_if(
                result.sweep.rows(),
                [](const auto& row) { return row.state == VariantSweep::State::Failed; }),
            8);
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
  even.make = [](gpu::Context& gpu, const TuneRequest&,
                 Progress&) -> std::unique_ptr<TuneWorkload> {
    struct Even : FakeWorkload {
      using FakeWorkload::FakeWorkload;
      double timeMs(const Variant& v) override { return 100 + 0.1 * kSpace.index(v); }
    };
    return std::make_unique<Even>(gpu);
  };
  const TuneResult result = tune(context(), even, {{160, 90}, "only", 1}, progress_);
  EXPECT_EQ(result.tuned.best, "d.w");
  EXPECT_EQ(result.tuned.bestMs, result.tuned.defaultMs);
}

TEST_F(Tuner, TechniquesTakeWhatTheProfileHolds) {
  const TempFolder folder;
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
  EXPECT_THAT(csv, HasSubstr("\nc.x,failed,0.0000,0\n"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 17);
}

}  // namespace
}  // namespace fathom::bench
