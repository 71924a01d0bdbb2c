// SPDX-License-Identifier: BSD-3-Clause
// Passes of sliced work are left between their pieces, do the same as in one go, and do not mind
// what others do with them meanwhile.
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/slices.h"
#include "tests/support/gpu_test.h"

#include <future>

namespace fathom::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

struct MarkParams {
  std::uint32_t count, step, spare[2];
};

class SlicedWorkTest : public test::GpuTest {
 protected:
  /// Adds `step` to each word.
  static void mark(Buffer<std::uint32_t>& marks, Buffer<std::uint32_t>& ran, std::uint32_t step) {
    Pass& pass =
        context().pass({"mark", "tests/gpu/data/mark_invocations.comp", {{"MARK_SIZE", 1}}});
    pass.storage(0, marks).storage(1, ran).params(
        0, MarkParams{std::uint32_t(marks.count()), step, {}});
    pass.dispatch(marks.count(), {});
    barrier(Access::Storage | Access::Transfer);
  }
  static RasterPass& fill() {
    return context().rasterPass(
        {"fill", "tests/gpu/data/quad.vert", "tests/gpu/data/color.frag", {}});
  }
  /// A strip of quads, one per row of the target.
  static Buffer<glm::vec4> rows(int count) {
    std::vector<glm::vec4> corners;
    for (int i = 0; i < count; ++i) {
      const float low = 2 * float(i) / float(count) - 1, high = 2 * float(i + 1) / float(count) - 1;
      for (const glm::vec2 at : {glm::vec2(-1, low), glm::vec2(1, low), glm::vec2(1, high),
                                 glm::vec2(-1, low), glm::vec2(1, high), glm::vec2(-1, high)})
        corners.emplace_back(at, 0, 1);
    }
    return {context(), "rows", corners};
  }
};

// Each resume() has no time: every piece is a slice, and between two the same pass does other work.
TEST_F(SlicedWorkTest, ADispatchInPiecesReachesEveryIndexOnce) {
  constexpr std::size_t kCount = 70000;  // more groups than one row holds
  Buffer<std::uint32_t> marks(context(), "marks", kCount), ran(context(), "ran", 1);
  Buffer<std::uint32_t> others(context(), "others", 10), othersRan(context(), "others ran", 1);
  marks.clear(), ran.clear(), others.clear(), othersRan.clear();
  SlicedWork work;
  work.start([&] { mark(marks, ran, 3); });
  std::uint32_t slices = 1;
  for (; !work.resume(0); ++slices) mark(others, othersRan, 1);
  EXPECT_FALSE(work.pending());
  EXPECT_GT(slices, 3u);
  EXPECT_TRUE(test::exact(marks.download(), Words(kCount, 3)));
  EXPECT_EQ(ran.download()[0], kCount);
  EXPECT_TRUE(test::exact(others.download(), Words(10, slices - 1)));
}

/// A grid is cut into rows of groups, where its shader takes them from gridGroup().
TEST_F(SlicedWorkTest, AGridInPiecesReachesEveryPlaceOnce) {
  constexpr unsigned kSide = 96;
  Buffer<std::uint32_t> marks(context(), "marks", kSide * kSide);
  marks.clear();
  Pass& pass = context().pass({"mark grid", "tests/gpu/data/mark_grid.comp", {}});
  const auto markAll = [&] {
    pass.storage(0, marks).params(0, MarkParams{kSide, kSide, {}});
    pass.dispatchGrid(glm::ivec2(kSide), {});
    barrier(Access::Storage | Access::Transfer);
  };
  SlicedWork work;
  work.start(markAll);
  std::uint32_t slices = 1;
  for (; !work.resume(0); ++slices) markAll();  // others use it in between
  EXPECT_GT(slices, 3u);
  EXPECT_TRUE(test::exact(marks.download(), Words(kSide * kSide, slices)));
}

TEST_F(SlicedWorkTest, ADrawInPiecesGivesTheSamePicture) {
  constexpr int kRows = 2048;  // of six indices each: several pieces
  const Buffer<glm::vec4> quads = rows(kRows);
  Texture color(context(), "color", TextureFormat::Rgba32f, 4, kRows);
  Texture small(context(), "small", TextureFormat::Rgba32f, 2, 2);
  const Target target(context(), "target", &color, nullptr),
      other(context(), "other", &small, nullptr);
  const glm::vec4 red(1, 0, 0, 1), green(0, 1, 0, 1);
  const auto draw = [&](const Target& to, glm::vec4 with, glm::ivec2 size, std::uint64_t count) {
    fill().storage(0, quads).params(0, with);
    fill().draw(to, {.viewport = {0, 0, size.x, size.y}}, 0, count);
  };
  Target cleared(context(), "cleared", &color, nullptr);
  cleared.clear(glm::vec4(0));
  SlicedWork work;
  work.start([&] { draw(target, red, {4, kRows}, 6 * kRows); });
  int slices = 1;
  for (; !work.resume(0); ++slices) draw(other, green, {2, 2}, 6 * kRows);
  EXPECT_GT(slices, 2);
  Image expected(4, kRows);
  for (glm::vec4& p : expected.pixels) p = red;
  EXPECT_TRUE(test::rounding(color.downloadImage(), expected, 0));
}

TEST_F(SlicedWorkTest, WhatIsAbandonedLeavesPassesAsTheyWere) {
  constexpr std::size_t kCount = 1000;
  Buffer<std::uint32_t> marks(context(), "marks", kCount), ran(context(), "ran", 1);
  marks.clear(), ran.clear();
  SlicedWork work;
  work.start([&] { mark(marks, ran, 1); });
  EXPECT_FALSE(work.resume(0));
  work.abandon();
  EXPECT_FALSE(work.pending());
  marks.clear();
  mark(marks, ran, 2);
  EXPECT_TRUE(test::exact(marks.download(), Words(kCount, 2)));
}

TEST_F(SlicedWorkTest, WhatIsMeasuredIsNotLeft) {
  Buffer<std::uint32_t> marks(context(), "marks", 1000), ran(context(), "ran", 1);
  marks.clear(), ran.clear();
  SlicedWork work;
  work.start([&] {
    const NoYield measured;
    mark(marks, ran, 1);
  });
  EXPECT_TRUE(work.resume(0));
  EXPECT_TRUE(test::exact(marks.download(), Words(1000, 1)));
}

// Without a slice all of it is one piece, and nothing is left.
TEST_F(SlicedWorkTest, ElsewhereNothingIsCut) {
  Buffer<std::uint32_t> marks(context(), "marks", 500), ran(context(), "ran", 1);
  marks.clear(), ran.clear();
  EXPECT_FALSE(isSliced());
  EXPECT_FALSE(sliceSpent());
  context().timings().finish();
  context().timings().beginFrame();
  mark(marks, ran, 1);
  context().timings().endFrame();
  context().timings().finish();
  ASSERT_EQ(context().timings().passes().size(), 1u);
  EXPECT_EQ(context().timings().passes()[0].count, 1);
}

TEST_F(SlicedWorkTest, FramesAreDrawnWhileTheProcessorComputesBeside) {
  int result = 0;
  bool stopped = false;
  std::promise<void> drawn;
  SlicedWork work;
  work.start([&] {
    result = runAsync([&] {
      drawn.get_future().wait();  // would never end in one go
      return 7;
    });
  });
  EXPECT_FALSE(work.resume(1000));
  drawn.set_value();
  while (!work.resume(1000)) {
  }
  EXPECT_EQ(result, 7);

  std::promise<void> stop;
  work.start([&] {
    runAsync([&] { stop.get_future().wait(); }, [&] { stopped = true, stop.set_value(); });
  });
  EXPECT_FALSE(work.resume(1000));
  work.abandon();
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace fathom::gpu
