// SPDX-License-Identifier: BSD-3-Clause
// Deferred accumulation against integer atomics: the same trajectories, the same histogram. Equal
// to the last bit where a log entry holds what the hit adds, within the rounding of hit_log.h
// elsewhere.
#include "app/engine/flame/render/hit_log.h"
#include "app/engine/flame/render/sampler.h"
#include "tests/support/gpu_test.h"

namespace fathom::flame {
namespace {

using Words = std::vector<std::uint32_t>;

/// Three contractions of different weight and color, colored by whole numbers.
Genome triangle() {
  Genome genome;
  genome.size = {96, 64};
  genome.scale = 28;
  for (int i = 0; i < 3; ++i) {
    Xform xform;
    xform.weight = 1 + i;
    xform.color = i / 2.0;
    xform.coefs = {0.5, 0, 0, 0.5, i - 1.0, i == 1 ? 0.5 : -0.5};
    xform.variations.push_back({0, 1.0, {}});
    genome.xforms.push_back(xform);
  }
  for (int i = 0; i < 256; ++i)
    genome.palette[std::size_t(i)] =
        glm::vec4(float(i), float(255 - i), float(i * 7 % 256), 255) / 255.0f;
  return genome;
}

HistogramShape shapeOf(const Genome& genome, bool hasAlpha = false, int supersample = 1) {
  return {genome.size, supersample, 3, hasAlpha};
}

class Deferred : public ::fathom::test::GpuTest {
 protected:
  Words histogram(Accumulate accumulate, const Genome& genome, const HistogramShape& shape,
                  double samples = 200'000, int sortBits = 8, double budgetMs = 1e6,
                  Replay replay = Replay::Groups) {
    SamplerForms forms;
    forms.groups = groups_;
    forms.replay = replay;  // a processor adds up where it is the device
    Sampler sampler(context(), forms);
    const Settings settings{.accumulate = accumulate, .sortBits = sortBits};
    sampler.start(genome, shape, settings, 7);
    while (!sampler.step(budgetMs, samples)) {
    }
    EXPECT_GE(sampler.histogram().samples, samples);
    Words words;
    for (const gpu::Buffer<std::uint32_t>& part : sampler.histogram().parts)
      for (const std::uint32_t word : part.download()) words.push_back(word);
    return words;
  }

  void expectEqual(const Genome& genome, const HistogramShape& shape, int sortBits = 8) {
    const Words atomic = histogram(Accumulate::Atomic, genome, shape);
    Words deferred;
    for (const Replay replay : {Replay::Groups, Replay::Host}) {
      deferred = histogram(Accumulate::Deferred, genome, shape, 200'000, sortBits, 1e6, replay);
      EXPECT_TRUE(::fathom::test::exact(deferred, atomic)) << int(replay);
    }
    double hits = 0;
    for (std::size_t i = 3; i < deferred.size(); i += std::size_t(shape.words()))
      hits += deferred[i];
    EXPECT_GT(hits, 100'000);
  }

  // As many trajectories as software has: those of a GPU take 3 MiB, more than the storage blocks
  // of these tests, and run for a few rounds only.
  std::optional<int> groups_ = context().device().software ? std::nullopt : std::optional(4);
};

TEST_F(Deferred, EqualsAtomicInStepModeWithAPaletteOfWholeNumbers) {
  const Genome genome = triangle();
  expectEqual(genome, shapeOf(genome));
}

TEST_F(Deferred, EqualsAtomicForAnyNumberOfSortBits) {
  const Genome genome = triangle();
  for (const int bits : {7, 9, 10}) expectEqual(genome, shapeOf(genome, false, 4), bits);
}

TEST_F(Deferred, EqualsAtomicInPartsOfAnyStorageBlock) {
  const Genome genome = triangle();
  const HistogramShape shape = shapeOf(genome);
  const Words whole = histogram(Accumulate::Atomic, genome, shape);
  context().memory().setBlockLimit(100'000);
  EXPECT_TRUE(::fathom::test::exact(histogram(Accumulate::Deferred, genome, shape), whole));
}

TEST_F(Deferred, IsWhatAutoMeansBeyondTheStorageBlocksOfOneDispatch) {
  const Genome genome = triangle();
  const HistogramShape shape = shapeOf(genome, false, 8);
  const Words whole = histogram(Accumulate::Atomic, genome, shape);
  context().memory().setBlockLimit(460'000);  // 14 parts, 37 of 518 rows each
  EXPECT_THROW(histogram(Accumulate::Atomic, genome, shape), Error);
  EXPECT_TRUE(::fathom::test::exact(histogram(Accumulate::Auto, genome, shape), whole));
}

TEST_F(Deferred, EqualsAtomicAboveTwoTo23BucketsWhateverThePalette) {
  // Entries of two words hold what a hit adds.
  Genome genome = triangle();
  genome.paletteMode = PaletteMode::Linear;
  genome.palette[3] = {0.1234f, 0.7f, 0.333f, 1};
  genome.size = {1500, 1400};
  genome.scale = 400;
  const HistogramShape shape = shapeOf(genome, false, 2);
  ASSERT_TRUE(needsWideLog(shape, {}));
  expectEqual(genome, shape);
}

TEST_F(Deferred, CountsAsAtomicDoesAndKeepsTheMeanColorInLinearMode) {
  Genome genome = triangle();
  genome.paletteMode = PaletteMode::Linear;
  const HistogramShape shape = shapeOf(genome);
  const Words atomic = histogram(Accumulate::Atomic, genome, shape);
  const Words deferred = histogram(Accumulate::Deferred, genome, shape);
  ASSERT_EQ(atomic.size(), deferred.size());
  double sums[2][3] = {}, hits = 0;
  for (std::size_t i = 0; i < atomic.size(); i += 4) {
    ASSERT_EQ(atomic[i + 3], deferred[i + 3]);
    hits += atomic[i + 3];
    for (std::size_t c = 0; c < 3; ++c) sums[0][c] += atomic[i + c], sums[1][c] += deferred[i + c];
  }
  // Noise: a hit is off by less than 2.5 levels (half an entry of the palette is up to 3.5 levels
  // here, 255 / 2 where blue wraps), so four standard errors of 140,000 hits are below 0.1.
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(sums[0][c] / hits, sums[1][c] / hits, 0.1) << c;
}

TEST_F(Deferred, RoundsVisibilityWithoutBias) {
  Genome genome = triangle();
  genome.xforms[0].opacity = 0.6;
  genome.xforms[1].opacity = 0.3;
  const HistogramShape shape = shapeOf(genome, true);
  const Words atomic = histogram(Accumulate::Atomic, genome, shape);
  const Words deferred = histogram(Accumulate::Deferred, genome, shape);
  ASSERT_EQ(atomic.size(), deferred.size());
  double sums[2][5] = {};
  for (std::size_t i = 0; i < atomic.size(); i += 8)
    for (std::size_t c = 0; c < 5; ++c) sums[0][c] += atomic[i + c], sums[1][c] += deferred[i + c];
  for (int c = 0; c < 5; ++c) {
    EXPECT_GT(sums[0][c], 1e6);
    // Rounding: 11 bits of visibility, 8 of the fraction.
    EXPECT_NEAR(sums[1][c] / sums[0][c], 1, 1.0 / 2048 + 1.0 / 512) << c;
  }
}

TEST_F(Deferred, AddsUpTheSameWhoeverDoesIt) {
  Genome genome = triangle();
  genome.paletteMode = PaletteMode::Linear;
  genome.xforms[0].opacity = 0.6;
  for (const bool hasAlpha : {false, true}) {
    const HistogramShape shape = shapeOf(genome, hasAlpha);
    const Words groups =
        histogram(Accumulate::Deferred, genome, shape, 100'000, 8, 1e6, Replay::Groups);
    EXPECT_TRUE(::fathom::test::exact(
        histogram(Accumulate::Deferred, genome, shape, 100'000, 8, 1e6, Replay::Host), groups));
  }
}

TEST_F(Deferred, TakesNoMoreMemoryThanItsSamplesNeed) {
  const auto capacity = [&](double samples) {
    Sampler sampler(context());
    const Genome genome = triangle();
    sampler.start(genome, shapeOf(genome), {.accumulate = Accumulate::Deferred}, 7, samples);
    const HitLog& log = sampler.fillLog(1);
    return log.used() + log.room();
  };
  EXPECT_LE(capacity(1e5), std::size_t(1) << 21);  // 16 rounds of a GPU's trajectories and more
  EXPECT_GE(capacity(INFINITY), std::size_t(1) << 24);
}

TEST_F(Deferred, IsTheSameHoweverItWasSliced) {
  Genome genome = triangle();
  genome.palette[3] = {0.1234f, 0.7f, 0.333f, 1};
  genome.paletteMode = PaletteMode::Linear;
  const HistogramShape shape = shapeOf(genome);
  const double samples = 1024.0 * 300;  // whole rounds
  const Words once = histogram(Accumulate::Deferred, genome, shape, samples);
  EXPECT_TRUE(
      ::fathom::test::exact(histogram(Accumulate::Deferred, genome, shape, samples, 8, 0.1), once));
  context().memory().setBlockLimit(200'000);  // a log of 50,000 entries
  EXPECT_TRUE(::fathom::test::exact(histogram(Accumulate::Deferred, genome, shape, samples), once));
}

}  // namespace
}  // namespace fathom::flame
