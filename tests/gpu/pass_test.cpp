// SPDX-License-Identifier: BSD-3-Clause
// Passes run as many invocations as asked for, with the bindings given for this dispatch.
#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

struct MarkParams {
  std::uint32_t count, step, spare[2];
};

class PassTest : public test::GpuTest {
 protected:
  struct Marked {
    Words marks;
    std::uint32_t ran;
  };

  static Pass& markPass(int size) {
    return context().pass({"mark", "tests/gpu/data/mark_invocations.comp", {{"MARK_SIZE", size}}});
  }

  /// Binds the pass to fresh buffers, lets `run` dispatch it, and brings the marks back.
  template <class Run>
  static Marked mark(int size, std::size_t count, const Run& run) {
    Buffer<std::uint32_t> marks(context(), "marks", count), ran(context(), "ran", 1);
    marks.clear();
    ran.clear();
    Pass& pass = markPass(size);
    pass.storage(0, marks).storage(1, ran).params(0, MarkParams{std::uint32_t(count), 1, {}});
    run(pass);
    barrier(Access::Transfer);
    return {marks.download(), ran.download()[0]};
  }
};

class Dispatch : public PassTest,
                 public ::testing::WithParamInterface<std::pair<int, std::size_t>> {};

TEST_P(Dispatch, ReachesEveryIndexOnce) {
  const auto [size, count] = GetParam();
  const Marked found = mark(size, count, [c = count](Pass& pass) { pass.dispatch(c, {}); });
  EXPECT_TRUE(test::exact(found.marks, Words(count, 1)));
  // At most a group and a row too many.
  EXPECT_LT(found.ran, count + std::size_t(size) * (count / std::size_t(size) / 65535 + 2));
}

// More than 65,535 groups fold into rows.
INSTANTIATE_TEST_SUITE_P(Sizes, Dispatch,
                         ::testing::Values(std::pair{64, 0}, std::pair{64, 1}, std::pair{64, 63},
                                           std::pair{64, 64}, std::pair{64, 65},
                                           std::pair{64, 17 * 9}, std::pair{1, 65535},
                                           std::pair{1, 65536}, std::pair{1, 65537},
                                           std::pair{1, 4 * 65535 + 1},
                                           std::pair{8, 8 * 65535 + 3}));

TEST_F(PassTest, KnowsItsGroupSize) {
  EXPECT_EQ(markPass(48).groupSize(), 48);
  EXPECT_EQ(context().pass({"double", "tests/gpu/data/double_texels.comp", {}}).groupSize(), 64);
}

TEST_F(PassTest, CompilesOnce) {
  EXPECT_EQ(&markPass(5), &markPass(5));
  EXPECT_NE(&markPass(5), &markPass(6));
}

TEST_F(PassTest, DispatchesGroups) {
  const Marked found = mark(16, 48, [](Pass& pass) { pass.dispatchGroups(3, {}); });
  EXPECT_EQ(found.ran, 48u);
}

TEST_F(PassTest, DispatchesFromABuffer) {
  const Buffer<std::uint32_t> commands(context(), "commands",
                                       std::span<const std::uint32_t>(Words{9, 9, 2, 1, 1}));
  const Marked found = mark(
      16, 32, [&](Pass& pass) { pass.dispatchIndirect(commands, 2 * sizeof(std::uint32_t), {}); });
  EXPECT_EQ(found.ran, 32u);
}

TEST_F(PassTest, SeesParamsOfEachDispatch) {
  Buffer<std::uint32_t> marks(context(), "marks", 4), ran(context(), "ran", 1);
  marks.clear();
  Pass& pass = markPass(4);
  for (const std::uint32_t step : {1u, 10u, 10u, 100u}) {
    pass.storage(0, marks).storage(1, ran).params(0, MarkParams{4, step, {}});
    pass.dispatch(4, {});
    barrier(Access::Storage);
  }
  EXPECT_EQ(marks.download(), Words(4, 121));
}

TEST_F(PassTest, BindsARangeOfABuffer) {
  const auto align = std::size_t(context().limits().storageOffsetAlignment);
  const std::size_t skip = align / 4 + (align % 4 ? align : 0);
  Buffer<std::uint32_t> marks(context(), "marks", skip + 8), ran(context(), "ran", 1);
  marks.clear();
  Pass& pass = markPass(4);
  pass.storage(0, marks, std::int64_t(skip * 4), 16)
      .storage(1, ran)
      .params(0, MarkParams{4, 1, {}});
  pass.dispatch(4, {});
  Words expected(skip + 8, 0);
  for (std::size_t i = 0; i < 4; ++i) expected[skip + i] = 1;
  EXPECT_TRUE(test::exact(marks.download(), expected));
}

TEST_F(PassTest, ForgetsBindingsAfterTheDispatch) {
  const Marked first =
      mark(4, 4, [](Pass& pass) { pass.dispatch(4, {}); });  // its buffers are gone
  const Marked second = mark(4, 4, [](Pass& pass) { pass.dispatch(4, {}); });
  EXPECT_EQ(first.marks, second.marks);
}

TEST_F(PassTest, ReadsTexturesAndWritesImages) {
  Image image(17, 9);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 17; ++x) image.at(x, y) = {x, y, 0.5f, 1};
  Texture picture(context(), "picture", TextureFormat::Rgba32f, 17, 9);
  const Texture doubled(context(), "doubled", TextureFormat::Rgba32f, 17, 9);
  picture.upload(image);
  Pass& pass = context().pass({"double", "tests/gpu/data/double_texels.comp", {}});
  pass.texture(3, picture).image(2, doubled);
  pass.dispatchGrid({17, 9}, {});
  barrier(Access::Transfer);
  for (glm::vec4& pixel : image.pixels) pixel *= 2.0f;
  EXPECT_TRUE(test::rounding(doubled.downloadImage(), image, 0));
}

TEST_F(PassTest, ShowsTheSourceThatWasCompiled) {
  EXPECT_THAT(markPass(7).source(), HasSubstr("#define MARK_SIZE 7\n"));
}

TEST_F(PassTest, BindsWholeRows) {
  const Buffer<std::uint32_t> words(context(), "words", 5), length(context(), "length", 1);
  Pass& pass = context().pass({"length", "tests/gpu/data/length_of_words.comp", {}});
  pass.storage(0, words, 0, 20).storage(1, length);
  pass.dispatch(1, {});
  barrier(Access::Transfer);
  EXPECT_EQ(length.download().front(), 8u);  // shaders read four words at a time
}

TEST_F(PassTest, RefusesMoreGroupsThanTheDeviceAllows) {
  const std::int64_t limit = context().limits().workGroupCount[1];
  if (limit >= INT32_MAX) return;  // then there is none
  try {
    markPass(1).dispatchGrid({1, limit + 1}, {});
    ADD_FAILURE() << "expected DoesNotFit";
  } catch (const DoesNotFit& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("mark: needs 65536 work groups along y"))
        << error.what();
    EXPECT_EQ(error.pieces(), 2);
  }
}

TEST_F(PassTest, RefusesMoreStorageBlocksThanTheDeviceAllows) {
  EXPECT_EQ(markPass(1).storageBlocks(), 2);
  limitStorageBlocks(1);
  EXPECT_EQ(messageOf([&] { markPass(1); }), "mark: needs 2 storage blocks, this GPU allows 1");
}

// More than the ring of parameters holds, so that all of it is used again.
TEST_F(PassTest, EachDispatchHasItsParameters) {
  constexpr std::uint32_t kCount = 3000;
  const Buffer<std::uint32_t> marks(context(), "marks", 1), ran(context(), "ran", 1);
  Buffer<std::uint32_t> sum(context(), "sum", 1);
  sum.clear();
  Pass& pass = markPass(1);
  for (std::uint32_t i = 1; i <= kCount; ++i) {
    pass.storage(0, sum).storage(1, ran).params(0, MarkParams{1, i, {}});
    pass.dispatch(1, {});
    barrier(Access::Storage);
  }
  barrier(Access::Transfer);
  EXPECT_EQ(sum.download().front(), kCount * (kCount + 1) / 2);
}

/// How many dispatches of this pass the frame had.
int dispatchesOf(const std::string& name, Timings& timings) {
  timings.endFrame();
  timings.finish();
  for (const PassTiming& pass : timings.passes())
    if (pass.name == name) return pass.count;
  return 0;
}

TEST_F(PassTest, LongWorkIsCut) {
  constexpr double kWhole = kMaxDispatchMs * 0.5e9;  // operations of the longest dispatch
  EXPECT_DOUBLE_EQ((DispatchCost{kWhole, 1000}.ms()), kMaxDispatchMs);
  EXPECT_DOUBLE_EQ((DispatchCost{1, 1e6}.ms()), 500);  // one invocation, a long chain
  for (const double pieces : {0.5, 1.0, 9.5, 10.0}) {
    context().timings().beginFrame();
    const Marked found = mark(64, 64 * 100 - 7, [&](Pass& pass) {
      pass.dispatch(64 * 100 - 7, DispatchCost{kWhole * pieces, 1000});
    });
    EXPECT_TRUE(test::exact(found.marks, Words(64 * 100 - 7, 1)));
    EXPECT_EQ(found.ran, 6400u);
    EXPECT_EQ(dispatchesOf("mark", context().timings()), std::ceil(pieces));
  }
}

TEST_F(PassTest, AGridIsCutIntoRows) {
  constexpr std::uint32_t kWidth = 24, kHeight = 56;  // 3 x 7 groups
  Buffer<std::uint32_t> marks(context(), "marks", kWidth * kHeight);
  marks.clear();
  Pass& pass = context().pass({"mark grid", "tests/gpu/data/mark_grid.comp", {}});
  pass.storage(0, marks).params(0, MarkParams{kWidth, kHeight, {}});
  context().timings().beginFrame();
  pass.dispatchGrid({kWidth, kHeight}, Each{3.5 * kMaxDispatchMs * 0.5e9 / (kWidth * kHeight)});
  barrier(Access::Transfer);
  EXPECT_TRUE(test::exact(marks.download(), Words(kWidth * kHeight, 1)));
  EXPECT_EQ(dispatchesOf("mark grid", context().timings()), 7);  // 7 rows in 4 pieces: 1 at a time
  pass.storage(0, marks).params(0, MarkParams{kWidth, kHeight, {}});
  pass.dispatchGrid({kWidth, kHeight}, {});  // from the first row again
  barrier(Access::Transfer);
  EXPECT_TRUE(test::exact(marks.download(), Words(kWidth * kHeight, 2)));
}

TEST_F(PassTest, RefusesWhatCannotBeCut) {
  const auto run = [] {
    mark(64, 64, [](Pass& pass) { pass.dispatch(64, DispatchCost{1, 3e5}); });
  };
  if (context().device().software) {  // it has no watchdog
    EXPECT_NO_THROW(run());
    return;
  }
  try {
    run();
    ADD_FAILURE() << "expected DoesNotFit";
  } catch (const DoesNotFit& error) {
    EXPECT_STREQ(error.what(),
                 "mark: expected at most 100 ms of the device at once, found 150 by estimate");
    EXPECT_EQ(error.pieces(), 2);
  }
}

TEST_F(PassTest, StopsAtAMisalignedOffset) {
  if (context().limits().storageOffsetAlignment == 1) return;  // then there is none
  const Buffer<std::uint32_t> buffer(context(), "buffer", 100);
  EXPECT_DEATH(markPass(4).storage(0, buffer, 1, 4), "storageOffsetAlignment");
}

}  // namespace
}  // namespace fathom::gpu
