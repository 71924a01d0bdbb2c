// SPDX-License-Identifier: BSD-3-Clause
// Copying a buffer (no pass over the same bytes can be faster), prefix sum, radix sort and
// reduction by key, each checked against the standard library.
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/engine/gpu/sort/scan.h"
#include "app/lab/catalog.h"
#include "app/lab/workload.h"

#include <random>

namespace fathom::bench {
namespace {

/// Words per buffer: many times any GPU cache, few enough for a CPU, and within one storage block.
std::size_t wordCount(const gpu::Context& gpu, BenchScale scale) {
  const std::size_t wanted = scale == BenchScale::Quick    ? std::size_t(1) << 22
                             : scale == BenchScale::Normal ? std::size_t(1) << 26
                                                           : std::size_t(1) << 28;
  return std::min(wanted, std::size_t(gpu.limits().storageBlockBytes) / sizeof(std::uint32_t) / 2);
}

void timedCopy(gpu::Context& gpu, const gpu::RawBuffer& source, gpu::RawBuffer& target) {
  const gpu::Timings::Scope scope(gpu.timings(), "copy buffer");
  target.copyFrom(source, source.bytes());
}

std::vector<std::uint32_t> randomWords(std::size_t count, std::uint64_t seed) {
  std::mt19937 random{std::uint32_t(seed)};
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = random();
  return words;
}

void runCopy(BenchRun& run) {
  const std::vector<std::uint32_t> words =
      randomWords(wordCount(run.gpu(), run.scale()), run.seed());
  const gpu::Words source(run.gpu(), "bench copy source", words);
  gpu::Words target(run.gpu(), "bench copy target", words.size());
  BenchCase copy = makeCase("buffer", "copy", double(words.size()));
  copy.bytes = 2 * source.bytes();
  copy.trial = [&] { timedCopy(run.gpu(), source, target); };
  copy.check = [&] { return checkWords(words, target.download()); };
  run.measure(copy);
}

void runScan(BenchRun& run) {
  const std::size_t max = wordCount(run.gpu(), run.scale()) / 2;
  gpu::Scanner scanner(run.gpu());
  for (std::size_t count = max; count >= max / 16; count /= 4) {
    const std::vector<std::uint32_t> words = randomWords(count, run.seed());
    std::vector<std::uint32_t> expected(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) expected[i + 1] = expected[i] + words[i];
    const gpu::Words in(run.gpu(), "bench scan input", words);
    gpu::Words out(run.gpu(), "bench scan output", count + 1);
    BenchCase scan = makeCase(fmt::format("{} words", count), "exclusive", double(count));
    scan.bytes = in.bytes() + out.bytes();
    scan.trial = [&] { scanner.exclusive(in, out, count); };
    scan.check = [&] { return checkWords(expected, out.download()); };
    run.measure(scan);
  }
}

std::vector<std::uint32_t> sortedByBits(std::vector<std::uint32_t> keys, int firstBit) {
  std::ranges::stable_sort(
      keys, [firstBit](std::uint32_t a, std::uint32_t b) { return a >> firstBit < b >> firstBit; });
  return keys;
}

/// One case of gpu.sort: random keys by their upper `bits` bits. Keys that do not fit one storage
/// block are sorted in parts of it.
void measureSort(BenchRun& run, gpu::RadixSorter& sorter, const std::vector<std::uint32_t>& words,
                 int bits, bool withPayloads) {
  using Use = gpu::RawBuffer::Use;
  const std::size_t count = words.size();
  const gpu::Words source(run.gpu(), "bench sort source", words, Use::Other);
  gpu::Words keys(run.gpu(), "bench sort keys", count, Use::Other);
  gpu::Words otherKeys(run.gpu(), "bench sort other keys", count, Use::Other);
  const std::size_t payloadCount = withPayloads ? count : 0;
  gpu::Words payloads(run.gpu(), "bench sort payloads", payloadCount, Use::Other);
  gpu::Words others(run.gpu(), "bench sort other payloads", payloadCount, Use::Other);
  gpu::SortBuffers buffers{&keys, &otherKeys};
  if (withPayloads) buffers.payloads = &payloads, buffers.otherPayloads = &others;
  gpu::SortedBuffers sorted;
  BenchCase sort =
      makeCase(fmt::format("{} keys", count),
               fmt::format("{} bits{}", bits, withPayloads ? ", payloads" : ""), double(count));
  sort.bytes = 2 * (source.bytes() + payloads.bytes());
  sort.reset = [&] {
    keys.copyFrom(source, source.bytes());
    if (withPayloads) payloads.copyFrom(source, source.bytes());
  };
  sort.trial = [&] {
    sorted =
        sorter.sort(buffers, count, {.firstBit = 32 - bits, .digitBits = bits <= 10 ? bits : 0});
  };
  sort.check = [&] {
    const auto expected = sortedByBits(words, 32 - bits);
    const CheckResult answer = checkWords(expected, sorted.keys->download());
    return withPayloads && answer.passed ? checkWords(expected, sorted.payloads->download())
                                         : answer;
  };
  run.measure(sort);
}

/// Random keys by all bits in sweeps, on any device that can vote, beside the model of what that
/// moves: keys are read once to count and once per digit, and written once per digit. The bytes are
/// counted by a variant of the shaders, in the check.
void measureSweeps(BenchRun& run, const std::vector<std::uint32_t>& words) {
  constexpr int kDigits = 4;
  const std::size_t count = words.size();
  const gpu::Words source(run.gpu(), "bench sort source", words);
  gpu::Words keys(run.gpu(), "bench sort keys", count);
  gpu::Words otherKeys(run.gpu(), "bench sort other keys", count);
  gpu::RadixSorter sorter(run.gpu(), gpu::RadixMethod::Sweeps);
  gpu::RadixSorter counting(run.gpu(), gpu::RadixMethod::Sweeps, {.countTraffic = true});
  BenchCase sort = makeCase(fmt::format("{} keys", count), "32 bits, sweeps", double(count));
  sort.bytes = std::int64_t(count * sizeof(std::uint32_t)) * (1 + 2 * kDigits);
  sort.reset = [&] { keys.copyFrom(source, source.bytes()); };
  sort.trial = [&] { sorter.sort({&keys, &otherKeys}, count); };
  sort.check = [&] {
    keys.copyFrom(source, source.bytes());
    const gpu::SortedBuffers sorted = counting.sort({&keys, &otherKeys}, count);
    CheckResult answer = checkWords(sortedByBits(words, 0), sorted.keys->download());
    const gpu::RadixSorter::Traffic traffic = counting.traffic();
    answer.values = {{"bytes per key", double(traffic.bytes) / double(count)},
                     {"bytes per key in the model", double(sort.bytes) / double(count)},
                     {"bytes per key for late tiles", double(traffic.inStead) / double(count)}};
    return answer;
  };
  run.measure(sort);
}

void runSort(BenchRun& run) {
  const std::size_t max = std::size_t(1) << (run.scale() == BenchScale::Quick ? 22 : 26);
  gpu::RadixSorter sorter(run.gpu());
  for (std::size_t count = std::size_t(1) << 20; count <= max; count *= 4) {
    const std::vector<std::uint32_t> words = randomWords(count, run.seed());
    for (const int bits : {7, 8, 9, 10, 32}) measureSort(run, sorter, words, bits, false);
    measureSort(run, sorter, words, 32, true);
    const bool fits = std::int64_t(count * 4) <= run.gpu().limits().storageBlockBytes;
    if (fits && gpu::ballotOf(run.gpu()) != gpu::Ballot::None) measureSweeps(run, words);
  }
}

/// Runs of up to 2 * meanLength - 1 equal keys.
std::vector<std::uint32_t> keysInRuns(std::size_t count, std::uint32_t meanLength,
                                      std::uint64_t seed) {
  std::mt19937 random{std::uint32_t(seed)};
  std::vector<std::uint32_t> keys;
  for (std::uint32_t key = 0; keys.size() < count; ++key) {
    const std::size_t length = 1 + random() % (2 * meanLength - 1);
    keys.insert(keys.end(), std::min(length, count - keys.size()), key);
  }
  return keys;
}

void runReduceByKey(BenchRun& run) {
  const std::size_t count = wordCount(run.gpu(), run.scale()) / 2;
  const std::vector<std::uint32_t> words = randomWords(count, run.seed());
  const gpu::Words values(run.gpu(), "bench reduce values", words);
  gpu::Words runKeys(run.gpu(), "bench reduce run keys", count);
  gpu::Words runSums(run.gpu(), "bench reduce run sums", count);
  gpu::KeyReducer reducer(run.gpu());
  for (const std::uint32_t length : {1u, 8u, 64u}) {
    const std::vector<std::uint32_t> keys = keysInRuns(count, length, run.seed());
    std::vector<std::uint32_t> expected(keys.back() + 1, 0);  // keys count up from 0
    for (std::size_t i = 0; i < count; ++i) expected[keys[i]] += words[i];
    const gpu::Words in(run.gpu(), "bench reduce keys", keys);
    BenchCase reduce =
        makeCase(fmt::format("{} keys", count), fmt::format("runs of {}", length), double(count));
    reduce.bytes = in.bytes() + values.bytes() + std::int64_t(8 * expected.size());
    reduce.trial = [&] { reducer.reduce(in, &values, count, runKeys, runSums); };
    reduce.check = [&] { return checkWords(expected, runSums.download(0, reducer.runCount())); };
    run.measure(reduce);
  }
}

}  // namespace

CheckResult checkWords(std::span<const std::uint32_t> expected,
                       std::span<const std::uint32_t> found) {
  const auto [a, b] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (a == expected.end() && b == found.end()) return {true, "exact", ""};
  if (a == expected.end() || b == found.end())
    return {false, "exact", fmt::format("{} words instead of {}", found.size(), expected.size())};
  return {false, "exact", fmt::format("{} instead of {} at word {}", *b, *a, a - expected.begin())};
}

double measureCopyBandwidth(gpu::Context& gpu, BenchScale scale) {
  constexpr int kTrials = 8;
  const std::size_t count = wordCount(gpu, scale);
  gpu::Words source(gpu, "bandwidth source", count);
  gpu::Words target(gpu, "bandwidth target", count);
  source.clear(1);
  std::vector<double> times;
  for (int i = 0; i < kTrials; ++i) {
    gpu.timings().beginFrame();
    timedCopy(gpu, source, target);
    gpu.timings().endFrame();
    gpu.timings().finish();
    times.push_back(gpu.timings().gpuSumMs());
  }
  const double fastestMs = *std::min_element(times.begin() + 1, times.end());
  return 2.0 * double(source.bytes()) / (fastestMs * 1e-3);
}

const std::vector<Bench>& gpuBenches() {
  static const std::vector<Bench> benches = {
      {"gpu.copy", "Copy one buffer into another.", "words", runCopy},
      {"gpu.scan", "Exclusive prefix sum of random words.", "words", runScan},
      {"gpu.sort", "Radix sort of random keys by their upper bits.", "keys", runSort},
      {"gpu.reduce-by-key", "Sums over runs of equal keys.", "keys", runReduceByKey},
  };
  return benches;
}

}  // namespace fathom::bench
