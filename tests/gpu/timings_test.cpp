// SPDX-License-Identifier: BSD-3-Clause
// What passes cost comes back frame by frame; every wait and every allocation is counted, and
// nothing else; slices in flight do not stop the processor; a lost device ends waits.
#include "app/engine/gpu/timings.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/gpu/sort/scan.h"
#include "app/engine/gpu/texture.h"
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

class WorkCountsTest : public test::GpuTest {
 protected:
  /// What `work` adds to the counts.
  template <class Work>
  static WorkCounts countsOf(const Work& work) {
    const WorkCounts before = workCounts();
    work();
    return workCounts() - before;
  }
  static void expect(const WorkCounts& counts, std::uint64_t synchronizations,
                     std::uint64_t allocations) {
    EXPECT_EQ(counts.synchronizations(), synchronizations);
    EXPECT_EQ(counts.allocations, allocations);
  }
};

TEST_F(WorkCountsTest, CountsWaits) {
  const Buffer<std::uint32_t> words(context(), "words", 4);
  const Texture texture(context(), "texture", TextureFormat::Rgba32f, 2, 2);
  float texels[16];
  expect(countsOf([] { context().finish(); }), 1, 0);
  expect(countsOf([] { context().timings().finish(); }), 1, 0);
  expect(countsOf([&] { words.download(); }), 1, 0);
  expect(countsOf([&] { texture.downloadImage(); }), 1, 0);
  expect(countsOf([&] { texture.read(texels, sizeof texels); }), 1, 0);
  expect(countsOf([&] { texture.readRegion({0, 0, 1, 1}, texels, 1); }), 1, 0);
  expect(countsOf([&] { texture.texel(1, 1); }), 1, 0);
}

TEST_F(WorkCountsTest, CountsAllocations) {
  Buffer<std::uint32_t> words;
  Texture texture;
  expect(countsOf([&] { ensure(context(), words, "words", 2000); }), 0, 1);
  expect(countsOf([&] { ensure(context(), words, "words", 1999); }), 0, 0);
  const auto ensureTexture = [&] {
    ensure(context(), texture, "texture", TextureFormat::R32f, {3, 2});
  };
  expect(countsOf(ensureTexture), 0, 1);
  expect(countsOf(ensureTexture), 0, 0);
  expect(countsOf([&] { WordView(context(), texture); }), 0, 1);
  expect(countsOf([&] { TexelView(context(), words); }), 0, 1);
  expect(countsOf([&] { Target(context(), "target", &texture, nullptr); }), 0, 1);
}

TEST_F(WorkCountsTest, AReadBackThatIsPolledIsNoWait) {
  const Buffer<std::uint32_t> words(context(), "words", std::vector<std::uint32_t>{7});
  ReadBack back(context(), "back", 4);
  expect(countsOf([&] {
           back.request(words, 4);
           while (!back.ready()) {
           }
           back.wait();
           back.data();
         }),
         0, 0);
  expect(countsOf([&] {
           back.request(words, 4);
           back.wait();
           back.wait();
         }),
         1, 0);
}

TEST_F(WorkCountsTest, AFrameHasItsOwn) {
  Buffer<std::uint32_t> words(context(), "words", 5000);
  words.clear(1);
  Scanner scanner(context());
  scanner.exclusive(words, words, 4999);
  Timings& timings = context().timings();
  const auto frame = [&](int reads) {
    timings.beginFrame();
    scanner.exclusive(words, words, 4999);
    for (int i = 0; i < reads; ++i) words.download(0, 1);
    timings.endFrame();
    timings.finish();
    return timings.counts();
  };
  expect(frame(0), 0, 0);
  expect(frame(2), 2, 0);
  expect(frame(0), 0, 0);
}

TEST_F(WorkCountsTest, PacingIsNoSynchronization) {
  Buffer<std::uint32_t> words(context(), "words", 100'000);
  const WorkCounts counts = countsOf([&] {
    for (std::uint32_t i = 0; i < 6; ++i) {
      words.clear(i);
      context().pace();
    }
  });
  expect(counts, 0, 0);
  EXPECT_LE(counts.paced, 4u);  // the first two never wait
}

TEST_F(WorkCountsTest, SlicesAreTimedAfterwards) {
  Buffer<std::uint32_t> words(context(), "words", 1'000'001);
  Scanner scanner(context());
  SliceTimer timer(context());
  EXPECT_EQ(timer.rate(), 0);
  const auto slices = [&](int count) {
    for (int i = 0; i < count; ++i) {
      timer.begin();
      scanner.exclusive(words, words, 1'000'000);
      timer.end(1e6);
    }
  };
  slices(1);  // compiles
  context().finish();
  expect(countsOf([&] { slices(12); }), 0, 0);
  context().finish();
  EXPECT_GT(timer.rate(), 1e6 / 2000);  // not slower than two seconds each
  EXPECT_LT(timer.rate(), 1e6 / 0.001);
}

TEST_F(WorkCountsTest, ALostDeviceStaysLost) {
  EXPECT_NO_THROW(throwIfLost());
  simulateDeviceLoss();
  for (int i = 0; i < 2; ++i) {  // the first may have been caught by somebody who goes on
    try {
      context().finish();
      ADD_FAILURE() << "expected DeviceLost";
    } catch (const DeviceLost& lost) {
      EXPECT_THAT(std::string(lost.what()), HasSubstr("the GPU was reset"));
    }
  }
  context().makeCurrent();  // another one, as far as anybody knows
  EXPECT_NO_THROW(context().finish());
}

}  // namespace
}  // namespace fathom::gpu
