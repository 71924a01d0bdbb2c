// SPDX-License-Identifier: BSD-3-Clause
// The radix sort against std::stable_sort: at the sizes where strands, groups and parts begin and
// end, over ranges of bits, with payloads, with discarded entries, and cut by small storage blocks.
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"

#include <random>

namespace fathom {
namespace {

using gpu::SortOptions;
using Words = std::vector<std::uint32_t>;

struct Entries {
  Words keys, payloads;
};

/// Keys of few distinct values in every digit, some of them kDiscardKey; payloads count.
Entries entries(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  Entries result{Words(count), Words(count)};
  for (std::uint32_t& key : result.keys) {
    const auto word = std::uint32_t(random());
    key = word % 8 == 0 ? gpu::kDiscardKey : word & std::uint32_t(random());
  }
  std::iota(result.payloads.begin(), result.payloads.end(), 0u);
  return result;
}

Entries sortedOnCpu(const Entries& in, const SortOptions& options) {
  const int bits = options.lastBit - options.firstBit;
  const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
  const auto digit = [&](std::uint32_t key) { return key >> options.firstBit & mask; };
  Words order(in.keys.size());
  std::iota(order.begin(), order.end(), 0u);
  if (options.discard)
    std::erase_if(order, [&](std::uint32_t i) { return in.keys[i] == gpu::kDiscardKey; });
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return digit(in.keys[i]); });
  Entries result;
  for (const std::uint32_t i : order) {
    result.keys.push_back(in.keys[i]);
    result.payloads.push_back(in.payloads[i]);
  }
  return result;
}

class RadixSort : public test::GpuTest {
 protected:
  using Use = gpu::RawBuffer::Use;

  Entries sortedOnGpu(gpu::RadixSorter& sorter, const Entries& in, const SortOptions& options) {
    const std::size_t count = in.keys.size();
    gpu::Buffer<std::uint32_t> keys(context(), "keys", in.keys, Use::Other);
    gpu::Buffer<std::uint32_t> otherKeys(context(), "other keys", count, Use::Other);
    gpu::Buffer<std::uint32_t> payloads(context(), "payloads", in.payloads, Use::Other);
    gpu::Buffer<std::uint32_t> otherPayloads(context(), "other payloads", count, Use::Other);
    const gpu::SortedBuffers sorted =
        sorter.sort({&keys, &otherKeys, &payloads, &otherPayloads}, count, options);
    const std::uint32_t kept = sorter.keptCount();
    return {sorted.keys->download(0, kept), sorted.payloads->download(0, kept)};
  }

  /// Sorts 0, 1, 2, ... by the lowest bit alone, where the answer is known for any count.
  void expectEvenNumbersFirst(std::uint32_t count, gpu::RadixMethod method,
                              const gpu::SweepShape& shape = {}) {
    Words words(count);
    std::iota(words.begin(), words.end(), 0u);
    gpu::Buffer<std::uint32_t> keys(context(), "keys", words, Use::Other);
    gpu::Buffer<std::uint32_t> other(context(), "other keys", count, Use::Other);
    gpu::RadixSorter sorter(context(), method, shape);
    sorter.sort({&keys, &other}, count, {.lastBit = 1});
    const std::uint32_t evenCount = (count + 1) / 2;
    for (std::uint32_t i = 0; i < count; ++i)
      words[i] = i < evenCount ? 2 * i : 2 * (i - evenCount) + 1;
    EXPECT_TRUE(test::exact(other.download(), words));
  }

  /// By two bits of the first seven of eight keys, one of which is left out. Returns what ran.
  gpu::RadixMethod expectStarts(gpu::RadixMethod method) {
    const Words in = {0x30, 0x10, gpu::kDiscardKey, 0x11, 0x35, 0x00, 0x3F, 0x20};
    gpu::Buffer<std::uint32_t> keys(context(), "keys", in);
    gpu::Buffer<std::uint32_t> other(context(), "other keys", in.size());
    const gpu::Buffer<std::uint32_t> seven(context(), "count", Words{7});
    gpu::RadixSorter sorter(context(), method);
    const gpu::SortedBuffers sorted = sorter.sort(
        {&keys, &other}, in.size(),
        {.firstBit = 4, .lastBit = 6, .discard = true, .digitBits = 2, .countFrom = &seven});
    EXPECT_EQ(sorter.keptCount(), 6u);
    EXPECT_EQ(sorter.starts().download(0, 5), (Words{0, 1, 3, 3, 6}));
    EXPECT_EQ(sorted.keys->download(0, 6), (Words{0x00, 0x10, 0x11, 0x30, 0x35, 0x3F}));
    return sorter.method();
  }

  void expectSorted(const Entries& in, const SortOptions& options,
                    gpu::RadixMethod method = gpu::RadixMethod::Auto,
                    const gpu::SweepShape& shape = {}) {
    gpu::RadixSorter sorter(context(), method, shape);
    const Entries found = sortedOnGpu(sorter, in, options);
    const Entries expected = sortedOnCpu(in, options);
    EXPECT_TRUE(test::exact(found.keys, expected.keys));
    EXPECT_TRUE(test::exact(found.payloads, expected.payloads));
  }
};

TEST_F(RadixSort, SortsMoreThanAStorageBlockHolds) {
  // Of llvmpipe, 128 MiB. A GPU's block may hold any number that a test can afford.
  const std::int64_t block = std::min(context().limits().storageBlockBytes, std::int64_t(1) << 27);
  context().memory().setBlockLimit(block);
  expectEvenNumbersFirst(std::uint32_t(block / 4 + 1000), gpu::RadixMethod::Auto);
}

/// Both methods give the same; sweeps are tested where the device can vote.
class RadixSweep : public RadixSort {
 protected:
  static constexpr auto kSweeps = gpu::RadixMethod::Sweeps;
  // Tiles of 256 keys: many of them, soon.
  static constexpr gpu::SweepShape kSmall{.lanes = 64, .rows = 4};

  void SetUp() override {
    RadixSort::SetUp();
    if (gpu::ballotOf(context()) == gpu::Ballot::None)
      GTEST_SKIP() << "no votes on " << context().device().renderer;
  }
};

TEST_F(RadixSweep, PassesItsOwnTest) { EXPECT_TRUE(gpu::sweepsRight(context(), 8)); }

TEST_F(RadixSweep, EqualsStableSortAtBoundaries) {
  for (const std::size_t count : {0, 1, 7, 8, 9, 31, 32, 33, 255, 256, 257, 511, 513, 30'000})
    expectSorted(entries(count), {.firstBit = 8, .lastBit = 24}, kSweeps, kSmall);
  for (const std::size_t count : {0, 1, 4095, 4096, 4097, 50'000})
    expectSorted(entries(count), {}, kSweeps);
}

TEST_F(RadixSweep, LeavesOutDiscardedEntries) {
  for (const std::size_t count : {1, 255, 257, 10'000})
    expectSorted(entries(count), {.firstBit = 8, .lastBit = 24, .discard = true}, kSweeps, kSmall);
}

TEST_F(RadixSweep, SortsByDigitsOfAnyWidth) {
  for (const int bits : {1, 3, 7, 8, 9, 10})
    expectSorted(entries(5000), {.firstBit = 20, .lastBit = 20 + bits, .digitBits = bits}, kSweeps,
                 kSmall);
}

TEST_F(RadixSweep, SortsByMoreDigitsThanOneHistogramCounts) {
  expectSorted(entries(3000), {.discard = true, .digitBits = 4}, kSweeps, kSmall);
  expectSorted(entries(3000), {.firstBit = 3, .lastBit = 29, .digitBits = 5}, kSweeps, kSmall);
}

// 1,024 digits leave room for the counters of 8 subgroups; a CPU has 16 to 64 in 256 lanes.
TEST_F(RadixSweep, SubgroupsMayShareCounters) {
  const gpu::SweepShape wide{.lanes = 256, .rows = 2};
  expectSorted(entries(5000), {.firstBit = 22, .lastBit = 32, .digitBits = 10}, kSweeps, wide);
}

TEST_F(RadixSweep, CountsTilesThatPublishNothing) {
  for (const int mute : {1, 2, 3}) {
    gpu::SweepShape shape = kSmall;
    shape.mute = mute;
    expectSorted(entries(4000), {.firstBit = 8, .lastBit = 24, .discard = true}, kSweeps, shape);
  }
}

TEST_F(RadixSweep, TakesTheCountFromABufferAndSaysWhereDigitsStart) {
  EXPECT_EQ(expectStarts(kSweeps), kSweeps);
}

TEST_F(RadixSweep, FoldsMoreThan65535GroupsIntoASecondDimension) {
  expectEvenNumbersFirst(65'540 * 32, kSweeps, {.lanes = 32, .rows = 1});
}

TEST_F(RadixSweep, SortsAMillionKeysInFewDispatchesAndWithLittleTraffic) {
  constexpr std::size_t kCount = 1 << 20;
  std::mt19937 random(5);
  Words words(kCount);
  for (std::uint32_t& word : words) word = std::uint32_t(random());
  gpu::Buffer<std::uint32_t> keys(context(), "keys", words), other(context(), "other keys", kCount);
  gpu::RadixSorter sorter(context(), kSweeps, {.countTraffic = true});
  gpu::Timings& timings = context().timings();
  timings.beginFrame();
  const gpu::SortedBuffers sorted = sorter.sort({&keys, &other}, kCount);
  timings.endFrame();
  timings.finish();
  int dispatches = 0;
  for (const gpu::PassTiming& pass : timings.passes()) dispatches += pass.count;
  EXPECT_LE(dispatches, 6);
  std::sort(words.begin(), words.end());
  EXPECT_TRUE(test::exact(sorted.keys->download(), words));
  const double bytesPerKey = double(sorter.traffic().bytes) / kCount;
  RecordProperty("bytes_per_key", std::to_string(bytesPerKey));
  EXPECT_LE(bytesPerKey, 41);
  EXPECT_GT(bytesPerKey, 36);  // the keys alone: read five times, written four times
}

// Strands of 64 keys, 8 of them per work group on llvmpipe.
TEST_F(RadixSort, EqualsStableSortAtBoundaries) {
  for (const std::size_t count :
       {0, 1, 2, 63, 64, 65, 511, 512, 513, 17 * 9, 4095, 4096, 4097, 100'000}) {
    SCOPED_TRACE(count);
    expectSorted(entries(count), {});
    expectSorted(entries(count), {.firstBit = 9, .lastBit = 17, .discard = true});
  }
}

TEST_F(RadixSort, EqualsStableSortOverAnyBits) {
  const glm::ivec3 ranges[] = {{0, 0, 0},   {31, 32, 0}, {0, 1, 0},    {16, 23, 7},
                               {15, 23, 8}, {14, 23, 9}, {13, 23, 10}, {22, 32, 10},
                               {0, 32, 4},  {0, 32, 5},  {3, 29, 0},   {0, 32, 1}};
  for (const glm::ivec3& bits : ranges)
    for (const bool discard : {false, true}) {
      SCOPED_TRACE(fmt::format("{} to {} by {}", bits[0], bits[1], bits[2]));
      expectSorted(
          entries(5000),
          {.firstBit = bits[0], .lastBit = bits[1], .discard = discard, .digitBits = bits[2]});
    }
}

TEST_F(RadixSort, SortsKeysAlone) {
  const Entries in = entries(10'000);
  gpu::Buffer<std::uint32_t> keys(context(), "keys", in.keys);
  gpu::Buffer<std::uint32_t> other(context(), "other keys", in.keys.size());
  gpu::RadixSorter sorter(context());
  const gpu::SortedBuffers sorted = sorter.sort({&keys, &other}, in.keys.size());
  EXPECT_EQ(sorted.payloads, nullptr);
  EXPECT_TRUE(test::exact(sorted.keys->download(), sortedOnCpu(in, {}).keys));
}

TEST_F(RadixSort, LeavesWhatLiesBeyondTheCountAlone) {
  const Words in = {5, 3, 9, 1, 7, 0};
  gpu::Buffer<std::uint32_t> keys(context(), "keys", in);
  gpu::Buffer<std::uint32_t> other(context(), "other keys", in);
  gpu::RadixSorter sorter(context());
  const gpu::SortedBuffers sorted = sorter.sort({&keys, &other}, 4);
  EXPECT_EQ(sorted.keys->download(), (Words{1, 3, 5, 9, 7, 0}));
}

TEST_F(RadixSort, TakesTheCountFromABufferAndSaysWhereDigitsStart) {
  expectStarts(gpu::RadixMethod::Auto);
}

TEST_F(RadixSort, KeepsTheOrderOfAnEarlierSortByAnotherWord) {
  // 64-bit keys: the lower words first, with the upper ones as payloads, then the other way round.
  std::mt19937 random(3);
  std::vector<std::uint64_t> wide(3000);
  for (std::uint64_t& key : wide) key = std::uint64_t(random() % 5) << 32 | std::uint32_t(random());
  Words lower, upper;
  for (const std::uint64_t key : wide) {
    lower.push_back(std::uint32_t(key));
    upper.push_back(std::uint32_t(key >> 32));
  }
  gpu::Buffer<std::uint32_t> a(context(), "lower", lower), b(context(), "other lower", 3000);
  gpu::Buffer<std::uint32_t> c(context(), "upper", upper), d(context(), "other upper", 3000);
  gpu::RadixSorter sorter(context());
  gpu::SortedBuffers sorted = sorter.sort({&a, &b, &c, &d}, 3000);
  gpu::Buffer<std::uint32_t>* otherKeys = sorted.payloads == &c ? &d : &c;
  gpu::Buffer<std::uint32_t>* otherPayloads = sorted.keys == &a ? &b : &a;
  sorted =
      sorter.sort({sorted.payloads, otherKeys, sorted.keys, otherPayloads}, 3000, {.lastBit = 3});
  std::sort(wide.begin(), wide.end());
  const Words keys = sorted.keys->download(), payloads = sorted.payloads->download();
  for (std::size_t i = 0; i < wide.size(); ++i)
    ASSERT_EQ(std::uint64_t(keys[i]) << 32 | payloads[i], wide[i]) << i;
}

TEST_F(RadixSort, GivesTheSameInPartsOfAnyStorageBlock) {
  const Entries in = entries(20'000);
  for (const std::int64_t block : {16'384, 36'864, 65'536}) {
    context().memory().setBlockLimit(block);
    expectSorted(in, {.firstBit = 28, .lastBit = 32, .discard = true, .digitBits = 2});
  }
}

TEST_F(RadixSort, ReusesItsScratchForSmallerAndLargerInputs) {
  gpu::RadixSorter sorter(context());
  for (const std::size_t count : {20'000u, 10u, 3'000u, 50'000u}) {
    const Entries in = entries(count);
    const Entries found = sortedOnGpu(sorter, in, {});
    EXPECT_TRUE(test::exact(found.payloads, sortedOnCpu(in, {}).payloads)) << count;
  }
}

TEST_F(RadixSort, SortsEqualKeysAndOneDigit) {
  expectSorted({Words(3000, 7), entries(3000).payloads}, {});
  expectSorted({Words(3000, gpu::kDiscardKey), entries(3000).payloads}, {});
  expectSorted({Words(3000, gpu::kDiscardKey), entries(3000).payloads}, {.discard = true});
}

}  // namespace
}  // namespace fathom
