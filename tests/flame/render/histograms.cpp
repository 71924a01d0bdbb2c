// SPDX-License-Identifier: BSD-3-Clause
// Histograms made up for tests, as the GPU holds them and as the reference does.
#include "tests/flame/render/histograms.h"

#include "app/engine/core/random.h"

namespace fathom::test {

flame::Genome pictureGenome(glm::ivec2 size, int supersample) {
  flame::Genome g;
  g.size = size;
  g.supersample = supersample;
  g.scale = 0.4 * std::min(size.x, size.y);
  g.filter = 0.9;
  g.brightness = 9;
  g.gamma = 3.5;
  g.vibrancy = 0.8;
  g.estimatorRadius = 4;
  g.estimatorCurve = 0.5;
  g.palette.fill({1, 1, 1, 1});
  g.xforms.resize(1);
  return g;
}

std::vector<std::uint32_t> attractorWords(const flame::HistogramShape& shape,
                                          double samplesPerPixel, std::uint64_t seed) {
  const glm::ivec2 buckets = shape.buckets();
  const auto stride = std::size_t(shape.words());
  std::vector<std::uint32_t> words(std::size_t(buckets.x) * std::size_t(buckets.y) * stride);
  Random random(seed);
  const auto samples = std::int64_t(samplesPerPixel * shape.size.x * shape.size.y);
  const double scale = 0.4 * shape.supersample * std::min(shape.size.x, shape.size.y);
  glm::dvec2 p(0.1, 0.2);
  double color = 0;
  for (std::int64_t i = 0; i < samples; ++i) {
    // Two affine maps of unequal weight and a spherical one: filaments, clouds and far-off points.
    const double choice = random.uniform();
    if (choice < 0.6)
      p = {0.7 * p.x - 0.45 * p.y + 0.2, 0.45 * p.x + 0.7 * p.y - 0.1}, color = 0.5 * color;
    else if (choice < 0.85)
      p = {0.35 * p.x + 0.6, -0.4 * p.y + 0.3}, color = 0.5 * color + 0.5;
    else
      p = p / (glm::dot(p, p) + 1e-3) * 0.6, color = 0.5 * color + 0.25;
    const int x = int(std::floor(p.x * scale + buckets.x / 2.0));
    const int y = int(std::floor(p.y * scale + buckets.y / 2.0));
    if (x < 0 || y < 0 || x >= buckets.x || y >= buckets.y) continue;
    std::uint32_t* word =
        &words[(std::size_t(y) * std::size_t(buckets.x) + std::size_t(x)) * stride];
    const double visibility = shape.hasAlpha ? (i % 3 == 0 ? 1.0 : 0.25) : 1.0;
    const auto add = [&](int at, double value) {
      word[at] += std::uint32_t(std::lround(visibility * value));
    };
    add(0, 255 * (1 - color)), add(1, 200 * color), add(2, 255 * color * color);
    if (shape.hasAlpha)
      add(3, 255), add(4, 255 * (0.5 + 0.5 * color));
    else
      ++word[3];
  }
  return words;
}

flame::Histogram uploaded(gpu::Context& gpu, const flame::HistogramShape& shape,
                          const std::vector<std::uint32_t>& words, double samples,
                          int rowsPerPart) {
  flame::Histogram histogram;
  histogram.shape = shape;
  histogram.samples = samples;
  const int rows = shape.buckets().y;
  histogram.rowsPerPart = rowsPerPart > 0 ? rowsPerPart : rows;
  const std::size_t rowWords = std::size_t(shape.buckets().x) * std::size_t(shape.words());
  for (int row = 0; row < rows; row += histogram.rowsPerPart) {
    const auto count = std::size_t(std::min(histogram.rowsPerPart, rows - row));
    histogram.parts.emplace_back(gpu, "test histogram", count * rowWords);
    histogram.parts.back().upload({&words[std::size_t(row) * rowWords], count * rowWords});
  }
  return histogram;
}

}  // namespace fathom::test
