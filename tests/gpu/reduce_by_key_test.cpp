// SPDX-License-Identifier: BSD-3-Clause
// Reduce by key against a loop on the CPU, at the sizes where groups begin and end.
#include "app/engine/gpu/sort/scan.h"
#include "shaders/common/shared.h"
#include "tests/support/gpu_test.h"

#include <random>

namespace fathom {
namespace {

using Words = std::vector<std::uint32_t>;

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
