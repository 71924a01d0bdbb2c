// SPDX-License-Identifier: BSD-3-Clause
// The prefix sum at the sizes where its blocks, groups and levels begin and end.
#include "app/engine/gpu/sort/scan.h"
#include "app/engine/gpu/pass.h"
#include "shaders/common/shared.h"
#include "tests/support/gpu_test.h"

namespace fathom {
namespace {

using Words = std::vector<std::uint32_t>;

Words scanned(const Words& in) {
  Words out(in.size() + 1, 0);
  for (std::size_t i = 0; i < in.size(); ++i) out[i + 1] = out[i] + in[i];
  return out;
}

// Small counts with empty stretches, as fragment counts are.
Words counts(std::size_t count) {
  Words words(count);
  std::uint32_t state = 12345;
  for (std::uint32_t& word : words) {
    state = state * 1664525u + 1013904223u;
    word = (state >> 28) > 9 ? 0 : state >> 27;
  }
  return words;
}

class Scan : public test::GpuTest, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(Scan, EqualsSumsOnTheCpu) {
  const Words in = counts(GetParam());
  gpu::Scanner scanner(context());
  const gpu::Buffer<std::uint32_t> source(context(), "counts", std::span(in));
  gpu::Buffer<std::uint32_t> target(context(), "offsets", in.size() + 1);
  scanner.exclusive(source, target, in.size());
  EXPECT_TRUE(test::exact(target.download(), scanned(in)));
}

TEST_P(Scan, WorksInPlace) {
  const Words in = counts(GetParam());
  gpu::Scanner scanner(context());
  gpu::Buffer<std::uint32_t> words(context(), "counts, then offsets", in.size() + 1);
  words.clear(0xFFFFFFFF);  // what stands in the total's place must not matter
  words.upload(in);
  scanner.exclusive(words, words, in.size());
  EXPECT_TRUE(test::exact(words.download(), scanned(in)));
}

INSTANTIATE_TEST_SUITE_P(AtBoundaries, Scan,
                         ::testing::Values(0, 1, 7, 31, 32, 33, 17 * 9, 4, 5, 63, 64, 65,
                                           SCAN_BLOCK - 1, SCAN_BLOCK, SCAN_BLOCK + 1,
                                           (SCAN_WINDOW + 1) * SCAN_BLOCK, 4'194'303, 4'194'304,
                                           4'194'305));

class ScanOnce : public test::GpuTest {};

TEST_F(ScanOnce, ReusesItsScratchForSmallerAndLargerInputs) {
  gpu::Scanner scanner(context());
  for (const std::size_t count : {100'000u, 10u, 5'000u, 300'000u}) {
    const Words in = counts(count);
    const gpu::Buffer<std::uint32_t> source(context(), "counts", std::span(in));
    gpu::Buffer<std::uint32_t> target(context(), "offsets", in.size() + 1);
    scanner.exclusive(source, target, in.size());
    EXPECT_TRUE(test::exact(target.download(), scanned(in))) << count;
  }
}

TEST_F(ScanOnce, SumsBlocksThatPublishNothing) {
  const Words in = counts(20 * SCAN_BLOCK + 77);
  for (const int mute : {1, 2, 7}) {
    gpu::Scanner scanner(context(), mute);
    const gpu::Buffer<std::uint32_t> source(context(), "counts", std::span(in));
    gpu::Buffer<std::uint32_t> target(context(), "offsets", in.size() + 1);
    scanner.exclusive(source, target, in.size());
    EXPECT_TRUE(test::exact(target.download(), scanned(in))) << mute;
  }
}

TEST_F(ScanOnce, IsOneDispatch) {
  const std::size_t count = 3 * SCAN_BLOCK + 1;
  gpu::Buffer<std::uint32_t> words(context(), "ones", count + 1);
  words.clear(1);
  gpu::Scanner scanner(context());
  context().timings().beginFrame();
  scanner.exclusive(words, words, count);
  context().timings().endFrame();
  context().timings().finish();
  ASSERT_EQ(context().timings().passes().size(), 1u);
  EXPECT_EQ(context().timings().passes().front().count, 1);
  EXPECT_EQ(words.download(count, 1).front(), count);
}

TEST_F(ScanOnce, TellsItsScansApartWhenTheirNumbersBeginAgain) {
  gpu::Scanner scanner(context());
  const Words in = counts(SCAN_BLOCK + 5);
  gpu::Buffer<std::uint32_t> source(context(), "counts", std::span(in));
  gpu::Buffer<std::uint32_t> target(context(), "offsets", in.size() + 1);
  for (int i = 0; i < 4; ++i) {
    scanner.exclusive(source, target, 3);
    scanner.setEpoch(SCAN_EPOCHS - 1 + std::uint32_t(i % 2));
    scanner.exclusive(source, target, in.size());
    EXPECT_TRUE(test::exact(target.download(), scanned(in))) << i;
  }
}

TEST_F(ScanOnce, WrapsModulo2To32) {
  const Words in(3, 0x80000001u);
  gpu::Scanner scanner(context());
  const gpu::Buffer<std::uint32_t> source(context(), "counts", std::span(in));
  gpu::Buffer<std::uint32_t> target(context(), "offsets", in.size() + 1);
  scanner.exclusive(source, target, in.size());
  EXPECT_EQ(target.download(), (Words{0, 0x80000001u, 2, 0x80000003u}));
}

}  // namespace
}  // namespace fathom
