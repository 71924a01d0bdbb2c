// SPDX-License-Identifier: BSD-3-Clause
// From histogram to picture: log scaling, density estimation, spatial filter and tone map, in both
// forms of the estimator and without. The histogram is one of a random genome, 50 samples
// per pixel, two buckets per pixel along each axis.
#include "app/lab/flame/bench.h"
#include "app/window/flame/random.h"
#include "app/engine/flame/render/reference_image.h"
#include "app/engine/flame/render/sampler.h"
#include "app/engine/flame/render/tone_mapper.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fathom::flame {
namespace {

constexpr double kSamplesPerPixel = 50;
constexpr const char* kLabels[] = {"fast", "exact", "off"};  // by Estimator

std::vector<std::uint32_t> wordsOf(const Histogram& histogram) {
  std::vector<std::uint32_t> words;
  for (const auto& part : histogram.parts) {
    const std::vector<std::uint32_t> more = part.download();
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

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
  Genome genome = randomGenome(run.seed());
  const glm::ivec2 size = run.size({160, 120}, {800, 592}, {1920, 1080});
  genome.scale *= double(size.x) / genome.size.x;
  genome.size = size;
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
  run.sweep(
      [&](FieldVisitor& field) { describe(settings, field); },
      [&] {
        BenchCase c;
        c.workload = "chance";
        c.label = kLabels[int(settings.estimator)];
        c.size = size;
        Settings copy = settings;
        c.settings = valuesOf([&](FieldVisitor& field) { describe(copy, field); });
        c.work = double(buckets.x) * buckets.y;
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

}  // namespace

std::vector<Bench> filterBenches() {
  return {{"flame.filter",
           "From histogram to picture.",
           "",
           "buckets",
           {{"estimator", {"fast", "exact", "off"}}},
           runFilter}};
}

}  // namespace fathom::flame
