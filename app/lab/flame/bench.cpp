// SPDX-License-Identifier: BSD-3-Clause
// What flames cost: playing the chaos game, adding up its hits, sorting their log (against the
// paper's figure), and making the picture of a histogram.
#include "app/engine/flame/random.h"
#include "app/engine/flame/render/reference.h"
#include "app/engine/flame/render/sampler.h"
#include "app/engine/flame/render/tone_mapper.h"
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/lab/catalog.h"
#include "app/lab/workload.h"

#include <random>

namespace fathom::flame {
namespace {

using Words = std::vector<std::uint32_t>;

Words wordsOf(const Histogram& histogram) {
  Words words;
  for (const auto& part : histogram.parts) {
    const Words more = part.download();
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

/// Whole hits, as most genomes have.
HistogramShape benchShape(const Genome& genome) {
  return {genome.size, std::max(1, genome.supersample), 8, false};
}

/// The share of samples in the picture, as the reference has it. Noise: trajectories of random
/// genomes mix slowly at times.
CheckResult checkShare(const Sampler& sampler, const Genome& genome) {
  const Histogram& ours = sampler.histogram();
  const reference::Histogram theirs = reference::iterate(genome, ours.shape, 2e5, 1);
  double expected = 0;
  for (const double hits : theirs.hits) expected += hits;
  expected /= theirs.samples;
  const Words words = wordsOf(ours);
  double hits = 0;
  for (std::size_t i = 3; i < words.size(); i += 4) hits += words[i];
  const double found = hits / ours.samples / (1 - ours.lost);
  const bool passed = std::abs(found - expected) <= 0.02;
  return {
      passed, "noise 0.02",
      passed ? "" : fmt::format("share in view: expected {:.4f}, found {:.4f}", expected, found)};
}

constexpr int kGenomes = 3;

Genome genomeNumber(BenchRun& run, int i, glm::ivec2 size) {
  Genome genome = randomGenome(run.seed() + std::uint64_t(i));
  genome.scale *= double(size.x) / genome.size.x;
  genome.size = size;
  genome.name = fmt::format("genome {}", run.seed() + std::uint64_t(i));
  return genome;
}

void runIterate(BenchRun& run) {
  const glm::ivec2 size = run.size({640, 360}, {1920, 1080}, {3840, 2160});
  const double samples = run.scale() == BenchScale::Quick ? 4e6 : 4e8;
  Settings settings;
  for (int i = 0; i < kGenomes; ++i) {
    const Genome genome = genomeNumber(run, i, size);
    run.sweep(describing(settings), [&] {
      Sampler sampler(run.gpu());
      double wanted = 0;
      BenchCase game = makeCase(genome.name, "", samples, size);
      game.settings = valuesOf(describing(settings));
      for (const FieldValue& value : game.settings)
        if (value.name == "accumulate") game.label = value.text;
      game.trial = [&] {
        if (wanted == 0) sampler.start(genome, benchShape(genome), settings, run.seed());
        wanted += samples;
        while (!sampler.step(100, wanted)) {
        }
      };
      game.check = [&] { return checkShare(sampler, genome); };
      run.measure(game);
    });
  }
}

void runAccumulate(BenchRun& run) {
  const glm::ivec2 size = run.size({640, 360}, {1920, 1080}, {3840, 2160});
  const bool software = run.gpu().device().software;
  std::vector<std::pair<Replay, std::string>> replays{{Replay::Groups, "work groups"}};
  if (software) replays.emplace_back(Replay::Host, "processor");
  const Settings settings{.accumulate = Accumulate::Deferred};
  for (int i = 0; i < kGenomes; ++i)
    for (const auto& [replay, name] : replays) {
      const Genome genome = genomeNumber(run, i, size);
      SamplerForms forms;
      forms.replay = replay;
      Sampler sampler(run.gpu(), forms);
      sampler.start(genome, benchShape(genome), settings, run.seed());
      const double entries = software ? double(1 << 21) : double(1 << 25);
      BenchCase add = makeCase(genome.name, name, double(sampler.fillLog(entries).used()), size);
      add.reset = [&] { sampler.fillLog(entries); };
      add.trial = [&] { sampler.replayLog(); };
      add.check = [&] { return checkShare(sampler, genome); };
      run.measure(add);
    }
}

// ---- From histogram to picture

constexpr double kSamplesPerPixel = 50;
constexpr const char* kLabels[] = {"fast", "exact", "off"};  // by Estimator

/// Exact and off: the reference's picture within rounding. Fast is an approximation: 40 dB is the
/// noise of 200 samples per pixel and more.
CheckResult checked(const Image& found, const Image& expected, bool approximate) {
  double squares = 0, largest = 0;
  for (std::size_t i = 0; i < found.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double d = std::abs(double(found.pixels[i][c]) - expected.pixels[i][c]);
      squares += d * d;
      largest = std::isnan(d) ? INFINITY : std::max(largest, d);
    }
  const double psnr =
      10 * std::log10(255.0 * 255 * 3 * double(found.pixels.size()) / std::max(squares, 1e-9));
  if (approximate) return {psnr >= 40, "at least 40 dB", fmt::format("{:.1f} dB", psnr)};
  return {largest <= 0.05, "rounding 0.05 of 255", fmt::format("differs by {}", largest)};
}

void runFilter(BenchRun& run) {
  Settings settings;
  const glm::ivec2 size = run.size({160, 120}, {800, 592}, {1920, 1080});
  Genome genome = genomeNumber(run, 0, size);
  genome.supersample = 2;
  genome.filter = 1;

  Sampler sampler(run.gpu());
  sampler.start(genome, shapeFor(genome, settings), settings, run.seed());
  const double samples = kSamplesPerPixel * size.x * size.y;
  while (!sampler.step(100, samples)) run.progress().advance(0);
  const Histogram& histogram = sampler.histogram();
  const glm::ivec2 buckets = histogram.shape.buckets();

  ToneMapper toneMapper(run.gpu());
  gpu::Texture displayed;
  std::optional<reference::Histogram> expected;
  run.sweep(describing(settings), [&] {
    BenchCase c =
        makeCase("chance", kLabels[int(settings.estimator)], double(buckets.x) * buckets.y, size);
    c.settings = valuesOf(describing(settings));
    c.bytes =
        std::int64_t(c.work) * histogram.shape.words() * 4 + 16 * std::int64_t(size.x) * size.y;
    c.trial = [&] { toneMapper.toneMap(histogram, genome, settings, displayed); };
    c.check = [&] {
      if (!expected)
        expected = reference::fromWords(histogram.shape, wordsOf(histogram), histogram.samples);
      return checked(displayed.downloadImage(), reference::toneMap(*expected, genome, settings),
                     !toneMapper.wasExact() && settings.estimator == Estimator::Fast);
    };
    run.measure(c);
  });
}

// ---- Sorting

constexpr const char* kFigure4 = "Robertson 2011, figure 4";

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
  const Settings settings{.accumulate = Accumulate::Deferred};
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
  const gpu::Words source(run.gpu(), "bench log", work.keys);
  gpu::Words keys(run.gpu(), "bench log keys", count);
  gpu::Words other(run.gpu(), "bench log other keys", count);
  gpu::SortedBuffers sorted;
  BenchCase sort = makeCase(work.name, fmt::format("{} bits", bits), double(count));
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
    return {same, "exact", same ? "" : "another order than a stable sort on the CPU"};
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

const std::vector<Bench>& benches() {
  const std::vector<SweepAxis> modes{{"accumulate", {"direct", "atomic", "deferred"}}};
  const std::vector<SweepAxis> estimators{{"estimator", {"fast", "exact", "off"}}};
  static const std::vector<Bench> list{
      {"flame.iterate", "Play the chaos game, add up its hits.", "iterations", runIterate, modes},
      {"flame.accumulate", "Add the hits of a log to the histogram.", "hits", runAccumulate},
      {"flame.filter", "From histogram to image.", "buckets", runFilter, estimators},
      {"flame.sort", "Sort a log of hits by upper bits.", "keys", runSort}};
  return list;
}

}  // namespace fathom::flame
