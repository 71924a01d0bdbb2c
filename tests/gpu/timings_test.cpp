// SPDX-License-Identifier: BSD-3-Clause
// Times are plausible: above zero, in the order of the wall clock, and nothing is lost or counted
// twice.
#include "app/engine/gpu/timings.h"

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/scan.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

class TimingsTest : public test::GpuTest {
 protected:
  static Timings& timings() { return context().timings(); }

  static const PassTiming* find(const std::string& name) {
    for (const PassTiming& pass : timings().passes())
      if (pass.name == name) return &pass;
    return nullptr;
  }

  void scan() {
    if (!words_) words_.emplace(context(), "words", 1'000'001);
    if (!scanner_) scanner_.emplace(context());
    scanner_->exclusive(*words_, *words_, 1'000'000);
  }
  void TearDown() override {
    timings().clear();
    GpuTest::TearDown();
  }

  std::optional<Buffer<std::uint32_t>> words_;
  std::optional<Scanner> scanner_;
};

TEST_F(TimingsTest, SumStaysBelowTheWallClock) {
  scan();  // compiles
  timings().finish();
  const auto start = std::chrono::steady_clock::now();
  timings().beginFrame();
  for (int i = 0; i < 5; ++i) scan();
  timings().endFrame();
  timings().finish();
  const double elapsed =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  ASSERT_NE(find("scan"), nullptr);
  ASSERT_NE(find("scan"), nullptr);
  EXPECT_EQ(find("scan")->count, 5);
  EXPECT_GT(find("scan")->gpuMs, 0);
  EXPECT_GT(find("scan")->cpuMs, 0);
  EXPECT_GT(timings().gpuSumMs(), 0);
  EXPECT_LE(timings().gpuSumMs(), timings().frameWallMs());
  EXPECT_LE(timings().frameWallMs(), elapsed + 0.5);  // two clocks
}

TEST_F(TimingsTest, WorkWithoutFrames) {
  scan();
  scan();
  EXPECT_EQ(timings().finishedFrames(), 0u);
  timings().finish();
  EXPECT_EQ(timings().finishedFrames(), 1u);
  ASSERT_NE(find("scan"), nullptr);
  EXPECT_EQ(find("scan")->count, 2);
}

// Drawing is queued by a software renderer, compute is not: the times must still be told apart.
TEST_F(TimingsTest, SeeComputeAfterDrawing) {
  scan();
  timings().finish();
  const Texture color(context(), "color", TextureFormat::Rgba8, 256, 256);
  const Target target(context(), "target", &color, nullptr);
  const Buffer<glm::vec4> corners(
      context(), "corners", std::vector<glm::vec4>{{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}});
  RasterPass& fill =
      context().rasterPass({"fill", "tests/gpu/data/quad.vert", "tests/gpu/data/color.frag", {}});
  fill.storage(0, corners).params(0, glm::vec4(1));
  timings().beginFrame();
  fill.draw(target, {.viewport = {0, 0, 256, 256}}, 0, 3);
  scan();
  timings().endFrame();
  timings().finish();
  EXPECT_GT(find("fill")->gpuMs, 0);
  EXPECT_GT(find("scan")->gpuMs, 0);
  if (context().device().software) {  // there, submitting compute is doing it
    EXPECT_GT(find("scan")->gpuMs, find("scan")->cpuMs / 10);
  }
}

TEST_F(TimingsTest, CountNestedScopesOnce) {
  {
    const Timings::Scope outer(timings(), "outer");
    const Timings::Scope inner(timings(), "inner");
    scan();
  }
  timings().finish();
  ASSERT_NE(find("outer"), nullptr);
  ASSERT_NE(find("inner"), nullptr);
  EXPECT_GE(find("outer")->gpuMs, find("inner")->gpuMs);
  EXPECT_NEAR(timings().gpuSumMs(), find("outer")->gpuMs, 1e-9);
}

TEST_F(TimingsTest, KeepFramesInFlightApart) {
  for (int frame = 1; frame <= 5; ++frame) {
    timings().beginFrame();
    for (int i = 0; i < frame; ++i) const Timings::Scope scope(timings(), "work");
    timings().endFrame();
  }
  timings().finish();
  EXPECT_EQ(timings().finishedFrames(), 5u);
  ASSERT_NE(find("work"), nullptr);
  EXPECT_EQ(find("work")->count, 5);
  EXPECT_EQ(find("work")->history.size(), 5u);
}

TEST_F(TimingsTest, ListPassesOfTheNewestFrameFirst) {
  for (const char* name : {"old", "new"}) {
    timings().beginFrame();
    { const Timings::Scope scope(timings(), name); }
    timings().endFrame();
  }
  timings().finish();
  ASSERT_EQ(timings().passes().size(), 2u);
  EXPECT_EQ(timings().passes()[0].name, "new");
  EXPECT_EQ(timings().passes()[1].name, "old");
  EXPECT_EQ(timings().passes()[1].count, 0);
}

TEST_F(TimingsTest, ForgetPassesThatRestedLong) {
  for (int frame = 0; frame < 300; ++frame) {
    timings().beginFrame();
    { const Timings::Scope scope(timings(), frame == 0 ? "once" : "always"); }
    timings().endFrame();
  }
  timings().finish();
  ASSERT_EQ(timings().passes().size(), 1u);
  EXPECT_EQ(timings().passes()[0].history.size(), 240u);
}

TEST_F(TimingsTest, KeepResultsThroughIdleFrames) {
  scan();
  timings().finish();
  timings().beginFrame();
  timings().endFrame();
  timings().finish();
  EXPECT_NE(find("scan"), nullptr);
  EXPECT_EQ(timings().finishedFrames(), 1u);
}

TEST_F(TimingsTest, TakeInLongFramesOnTheWay) {
  timings().beginFrame();
  for (int i = 0; i < 5000; ++i) const Timings::Scope scope(timings(), "short");
  timings().endFrame();
  timings().finish();
  ASSERT_NE(find("short"), nullptr);
  EXPECT_EQ(find("short")->count, 5000);
}

TEST_F(TimingsTest, IgnorePassesDuringAPause) {
  { const Timings::Scope scope(timings(), "work"); }
  {
    const Timings::Pause pause(timings());
    const Timings::Scope scope(timings(), "window");
  }
  timings().finish();
  EXPECT_NE(find("work"), nullptr);
  EXPECT_EQ(find("window"), nullptr);
}

TEST_F(TimingsTest, ClearForgetsAll) {
  scan();
  timings().finish();
  timings().clear();
  EXPECT_TRUE(timings().passes().empty());
  EXPECT_EQ(timings().gpuSumMs(), 0);
}

TEST(PassTimingTest, RanksItsHistory) {
  PassTiming pass;
  EXPECT_EQ(pass.medianMs(), 0);
  pass.history.resize(101);
  std::iota(pass.history.rbegin(), pass.history.rend(), 0.0f);
  EXPECT_EQ(pass.medianMs(), 50);
  EXPECT_EQ(pass.percentileMs(0.9), 90);
  EXPECT_EQ(pass.percentileMs(1), 100);
}

}  // namespace
}  // namespace fathom::gpu
