// SPDX-License-Identifier: BSD-3-Clause
// Every wait and every allocation is counted, and nothing else; slices in flight do not stop the
// processor; a lost device ends waits.
#include "app/engine/gpu/timings.h"

#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/gpu/sort/scan.h"
#include "app/engine/gpu/texture.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

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
      EXPECT_NE(std::string(lost.what()).find("the GPU was reset"), std::string::npos);
    }
  }
  context().makeCurrent();  // another one, as far as anybody knows
  EXPECT_NO_THROW(context().finish());
}

}  // namespace
}  // namespace fathom::gpu
