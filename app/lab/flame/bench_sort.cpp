// SPDX-License-Identifier: BSD-3-Clause
// The paper's Figure 4: how fast a log of hits is sorted by 7 to 10 bits. The logs are those of
// random genomes, whose hits crowd in few places and partly miss the picture; beside them
// random keys, of which all digits occur alike.
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/lab/flame/bench.h"
#include "app/window/flame/random.h"
#include "app/engine/flame/render/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace fathom::flame {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr const char* kFigure4 = "Robertson 2011, figure 4";

PaperTable figure4() {
  PaperTable table;
  table.name = kFigure4;
  table.title = "Sorting a log of hits, by number of bits";
  table.unit = "M keys/s";
  table.device = "GeForce GTX 560 Ti, 900 MHz";
  table.shape = PaperTable::Shape::Curves;
  table.rowsAre = "sorter";
  table.columnsAre = "bits";
  table.columns = {"7", "8", "9", "10"};
  table.rows = {{"cuburn", {821, 943, 966, 862}}, {"MGPU", {740, 813, 877, 910}}};
  table.yardstick = "cuburn";
  return table;
}

struct Workload {
  std::string name;
  Words keys;
  int lastBit = 32;  // digits end there
};

/// The bits of entropy in the digits [lastBit - 8, lastBit) of keys that are not discarded.
double entropy(const Workload& work, std::size_t& kept) {
  std::vector<double> counts(256);
  kept = 0;
  for (const std::uint32_t key : work.keys) {
    if (key == gpu::kDiscardKey) continue;
    ++counts[key >> (work.lastBit - 8) & 0xFF];
    ++kept;
  }
  double bits = 0;
  for (const double count : counts)
    if (count > 0) bits -= count / double(kept) * std::log2(count / double(kept));
  return bits;
}

Workload logOf(BenchRun& run, const Genome& genome, glm::ivec2 size, std::size_t count) {
  Settings settings;
  settings.accumulate = Accumulate::Deferred;
  const HistogramShape shape{size, 1, 8, false};
  Sampler sampler(run.gpu());
  sampler.start(genome, shape, settings, run.seed());
  const HitLog& log = sampler.fillLog(double(count));
  Workload work;
  work.keys = log.entries().download(0, std::min(count, log.used()));
  const auto buckets = std::uint64_t(shape.buckets().x) * std::uint64_t(shape.buckets().y);
  work.lastBit = int(std::bit_width(buckets - 1));
  std::size_t kept = 0;
  const double bits = entropy(work, kept);
  work.name = fmt::format("{}: {:.1f} of 8 bits, {:.0f} % hits", genome.name, bits,
                          100.0 * double(kept) / double(work.keys.size()));
  return work;
}

Workload randomKeys(std::uint64_t seed, std::size_t count) {
  std::mt19937 random{std::uint32_t(seed)};
  Workload work{"random keys: 8.0 of 8 bits", Words(count)};
  for (std::uint32_t& key : work.keys) key = std::uint32_t(random());
  return work;
}

Words sortedOnCpu(const Workload& work, int bits) {
  Words keys = work.keys;
  std::erase(keys, gpu::kDiscardKey);
  const auto digit = [&](std::uint32_t key) {
    return key >> (work.lastBit - bits) & ((1u << bits) - 1);
  };
  std::stable_sort(keys.begin(), keys.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return digit(a) < digit(b); });
  return keys;
}

void measureBits(BenchRun& run, gpu::RadixSorter& sorter, const Workload& work, int bits) {
  const std::size_t count = work.keys.size();
  const gpu::Buffer<std::uint32_t> source(run.gpu(), "bench log", work.keys);
  gpu::Buffer<std::uint32_t> keys(run.gpu(), "bench log keys", count);
  gpu::Buffer<std::uint32_t> other(run.gpu(), "bench log other keys", count);
  gpu::SortedBuffers sorted;
  BenchCase sort;
  sort.workload = work.name;
  sort.label = fmt::format("{} bits", bits);
  sort.work = double(count);
  sort.bytes = 2 * source.bytes();
  std::string series = work.name;
  std::replace(series.begin(), series.end(), ':', ',');
  sort.paper = {{kFigure4, series, fmt::format("{}", bits), {}}};
  sort.reset = [&] { keys.copyFrom(source, source.bytes()); };
  sort.trial = [&] {
    sorted = sorter.sort({&keys, &other}, count,
                         {.firstBit = work.lastBit - bits,
                          .lastBit = work.lastBit,
                          .discard = true,
                          .digitBits = bits});
  };
  sort.check = [&]() -> CheckResult {
    const Words expected = sortedOnCpu(work, bits);
    if (sorter.keptCount() != expected.size())
      return {false, "exact",
              fmt::format("{} keys kept instead of {}", sorter.keptCount(), expected.size())};
    const bool same = sorted.keys->download(0, expected.size()) == expected;
    return {same, "exact", same ? "" : "another order than std::stable_sort"};
  };
  run.measure(sort);
}

void runSort(BenchRun& run) {
  const glm::ivec2 size = run.size({640, 360}, {1920, 1080}, {1920, 1080});
  const std::size_t count = std::size_t(1) << (run.scale() == BenchScale::Quick ? 21 : 25);
  gpu::RadixSorter sorter(run.gpu());
  std::vector<Workload> works;
  for (std::uint64_t i = 0; i < 3; ++i) {
    Genome genome = randomGenome(run.seed() + i);
    genome.name = fmt::format("genome {}", run.seed() + i);
    works.push_back(logOf(run, genome, size, count));
  }
  works.push_back(randomKeys(run.seed(), count));
  for (const Workload& work : works)
    for (int bits = 7; bits <= 10; ++bits) measureBits(run, sorter, work, bits);
}

}  // namespace

std::vector<Bench> sortBenches() {
  return {{"flame.sort",
           "Sort a log of hits by the upper bits of the bucket.",
           kFigure4,
           "keys",
           {},
           runSort,
           {figure4()}}};
}

}  // namespace fathom::flame
