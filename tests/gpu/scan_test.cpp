// SPDX-License-Identifier: BSD-3-Clause
// The prefix sum at the sizes where its blocks, groups and levels begin and end.
#include "app/gpu/scan.h"
#include "app/gpu/pass.h"
#include "shaders/common/shared.h"
#include "tests/support/gpu_test.h"
#include "tests/support/tolerance.h"

#include <cstdint>
#include <vector>

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
                         ::testing::Values(0, 1, 7, SCAN_SIZE - 1, SCAN_SIZE, SCAN_SIZE + 1, 17 * 9,
                                           4, 5, 63, 64, 65, SCAN_BLOCK - 1, SCAN_BLOCK,
                                           SCAN_BLOCK + 1, 5 * SCAN_BLOCK,
                                           SCAN_BLOCK* SCAN_BLOCK - 1, SCAN_BLOCK* SCAN_BLOCK,
                                           SCAN_BLOCK* SCAN_BLOCK + 1));

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
