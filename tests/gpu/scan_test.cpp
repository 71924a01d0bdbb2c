// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums and sums by key at the sizes where their blocks, groups and levels begin and end.
#include "app/engine/gpu/sort/scan.h"

#include "app/engine/gpu/pass.h"
#include "shaders/common/shared.h"
#include "tests/support/gpu_test.h"

#include <random>

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

/// The sums of the device.
Words scannedBy(gpu::Scanner& scanner, gpu::Context& context, const Words& in) {
  const gpu::Buffer<std::uint32_t> source(context, "counts", std::span(in));
  gpu::Buffer<std::uint32_t> target(context, "offsets", in.size() + 1);
  scanner.exclusive(source, target, in.size());
  return target.download();
}

class Scan : public test::GpuTest, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(Scan, EqualsSumsOnTheCpu) {
  const Words in = counts(GetParam());
  gpu::Scanner scanner(context());
  EXPECT_TRUE(test::exact(scannedBy(scanner, context(), in), scanned(in)));
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
    EXPECT_TRUE(test::exact(scannedBy(scanner, context(), in), scanned(in))) << count;
  }
}

TEST_F(ScanOnce, SumsBlocksThatPublishNothing) {
  const Words in = counts(20 * SCAN_BLOCK + 77);
  for (const int mute : {1, 2, 7}) {
    gpu::Scanner scanner(context(), mute);
    EXPECT_TRUE(test::exact(scannedBy(scanner, context(), in), scanned(in))) << mute;
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
  EXPECT_EQ(scannedBy(scanner, context(), in), (Words{0, 0x80000001u, 2, 0x80000003u}));
}

struct Runs {
  Words keys, sums, starts;
};

/// values empty: every key counts 1.
Runs runsOnCpu(const Words& keys, const Words& values) {
  Runs runs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      runs.keys.push_back(keys[i]);
      runs.sums.push_back(0);
      runs.starts.push_back(std::uint32_t(i));
    }
    runs.sums.back() += values.empty() ? 1 : values[i];
  }
  runs.starts.push_back(std::uint32_t(keys.size()));
  return runs;
}

/// Runs of 1 to 7 keys, of which some are as long as a work group.
Words keysInRuns(std::size_t count) {
  std::mt19937 random(5);
  Words keys;
  for (std::uint32_t key = 0; keys.size() < count; key += 1 + random() % 3) {
    const std::size_t length = random() % 16 == 0 ? REDUCE_SIZE : 1 + random() % 7;
    keys.insert(keys.end(), std::min(length, count - keys.size()), key);
  }
  return keys;
}

Words someValues(std::size_t count) {
  std::mt19937 random(6);
  Words values(count);
  for (std::uint32_t& value : values) value = std::uint32_t(random());
  return values;
}

class ReduceByKey : public test::GpuTest {
 protected:
  void expectRuns(gpu::KeyReducer& reducer, const Words& keys, const Words& values) {
    const gpu::Buffer<std::uint32_t> in(context(), "keys", keys);
    const gpu::Buffer<std::uint32_t> amounts(context(), "values", values);
    gpu::Buffer<std::uint32_t> runKeys(context(), "run keys", keys.size());
    gpu::Buffer<std::uint32_t> runSums(context(), "run sums", keys.size());
    reducer.reduce(in, values.empty() ? nullptr : &amounts, keys.size(), runKeys, runSums);
    const Runs expected = runsOnCpu(keys, values);
    ASSERT_EQ(reducer.runCount(), expected.keys.size());
    EXPECT_TRUE(test::exact(runKeys.download(0, expected.keys.size()), expected.keys));
    EXPECT_TRUE(test::exact(runSums.download(0, expected.keys.size()), expected.sums));
    EXPECT_TRUE(test::exact(reducer.starts().download(0, expected.starts.size()), expected.starts));
  }
};

class ReduceByKeyOfSize : public ReduceByKey, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(ReduceByKeyOfSize, CountsRuns) {
  gpu::KeyReducer reducer(context());
  expectRuns(reducer, keysInRuns(GetParam()), {});
}

TEST_P(ReduceByKeyOfSize, SumsValuesModulo2To32) {
  gpu::KeyReducer reducer(context());
  expectRuns(reducer, keysInRuns(GetParam()), someValues(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(AtBoundaries, ReduceByKeyOfSize,
                         ::testing::Values(0, 1, 2, REDUCE_SIZE - 1, REDUCE_SIZE, REDUCE_SIZE + 1,
                                           17 * 9, 65'535 * REDUCE_SIZE + 1));

TEST_F(ReduceByKey, TakesOneRunAndRunsOfOne) {
  gpu::KeyReducer reducer(context());
  expectRuns(reducer, Words(1000, 7), {});
  expectRuns(reducer, {3, 1, 3, 1, 0, 0xFFFFFFFF}, {});
}

TEST_F(ReduceByKey, ReusesItsScratchForSmallerAndLargerInputs) {
  gpu::KeyReducer reducer(context());
  for (const std::size_t count : {5000u, 10u, 20'000u})
    expectRuns(reducer, keysInRuns(count), someValues(count));
}

}  // namespace
}  // namespace fathom
