// SPDX-License-Identifier: BSD-3-Clause
// The image stage in double precision: the tone map against numbers measured with flam3 3.1.1, the
// rest against closed forms.
#include "app/engine/flame/render/reference.h"

namespace fathom::flame::reference {
namespace {

void expectColor(const glm::dvec4& found, const glm::dvec3& expected) {
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(found[c], expected[c], 6e-4) << "channel " << c;
}

TEST(ToneMap, GivesTheColorsOfFlam3) {
  Genome g;
  const glm::dvec4 mapped = ToneMap(g)({100, 50, 25, 120});
  expectColor(mapped, {176.693, 88.346, 44.173});
  EXPECT_NEAR(mapped.a, 0.828248, 6e-7);
}

TEST(ToneMap, IsNearlyLinearBelowTheThreshold) {
  Genome g;
  const glm::dvec4 mapped = ToneMap(g)({1, 0.5, 0.25, 1.2});
  expectColor(mapped, {43.101, 21.551, 10.775});
  EXPECT_NEAR(mapped.a, 0.202037, 6e-7);
}

TEST(ToneMap, HighlightPowerDecidesWhatBecomesOfBrightColors) {
  Genome g;
  g.gamma = 2.5;
  const glm::dvec4 bright(600, 300, 100, 700);
  g.highlightPower = -1;
  expectColor(ToneMap(g)(bright), {255, 164.318, 54.773});
  g.highlightPower = 1;
  expectColor(ToneMap(g)(bright), {255, 156.069, 90.114});
  g.highlightPower = -0.5;
  expectColor(ToneMap(g)(bright), {255, 145.909, 48.636});
}

TEST(ToneMap, MixesVibrancyAndBackground) {
  Genome g;
  g.vibrancy = 0.5;
  g.background = {0.1, 0.2, 0.3};
  expectColor(ToneMap(g)({100, 50, 25, 120}), {194.035, 138.143, 106.901});
  g.vibrancy = 1;
  expectColor(ToneMap(g)({0, 0, 0, 30}), {10.607, 21.214, 31.821});
}

TEST(ToneMap, OfNothingIsTheBackground) {
  Genome g;
  g.background = {0.25, 0.5, 1};
  expectColor(ToneMap(g)({0, 0, 0, 0}), {64, 128, 255});
}

/// A genome whose tone map only multiplies by 256 / 255, and whose filter is the mean of the middle
/// of the pixel (of all of it up to supersample 2).
Genome plainGenome(int supersample, double estimatorRadius = 9) {
  Genome g;
  g.size = {21, 13};
  g.supersample = supersample;
  g.filter = 0, g.estimatorRadius = estimatorRadius;
  g.gamma = 1, g.gammaThreshold = 0;
  g.brightness = 0.1;  // nothing is cut at 255
  g.palette.fill({1, 1, 1, 1});
  return g;
}

Histogram emptyHistogram(const Genome& g) {
  Histogram h(shapeFor(g, {}));
  h.samples = 100.0 * g.size.x * g.size.y;
  return h;
}

void hit(Histogram& h, int x, int y, double count) {
  h.color[h.index(x, y)] += 255.0 * count * glm::dvec4(1, 0.5, 0.25, 1);
  h.hits[h.index(x, y)] += count;
}

/// What a bucket of this many hits is worth, after the plain tone map.
double worth(const Histogram& h, const Genome& g, double count) {
  const LogScale s = logScale(g, h.shape.supersample, h.samples);
  return 256.0 / 255 * s.k1 * std::log(1 + s.k2 * 255 * count);
}

TEST(ReferenceImage, OfAnEvenHistogramIsEven) {
  for (const int os : {1, 2, 3, 4}) {
    const Genome g = plainGenome(os);
    Histogram h = emptyHistogram(g);
    for (int y = 0; y < h.shape.buckets().y; ++y)
      for (int x = 0; x < h.shape.buckets().x; ++x) hit(h, x, y, 3);
    const Image image = toneMap(h, g, {});
    for (const glm::vec4& pixel : image.pixels) {
      EXPECT_NEAR(pixel.r, worth(h, g, 3), 1e-4) << "supersample " << os;
      EXPECT_NEAR(pixel.b, worth(h, g, 3) / 4, 1e-4);
    }
  }
}

TEST(ReferenceImage, OfOneHitIsTheWidestKernel) {
  const Genome g = plainGenome(1, 3);
  Histogram h = emptyHistogram(g);
  const glm::ivec2 pixel(10, 6);
  hit(h, pixel.x + h.shape.gutter, pixel.y + h.shape.gutter, 1);
  const Image image = toneMap(h, g, {});
  const std::vector<double> kernel = estimatorKernel(4, 4);
  for (int y = 0; y < g.size.y; ++y)
    for (int x = 0; x < g.size.x; ++x) {
      const int i = x - pixel.x + 4, j = y - pixel.y + 4;
      const bool inside = i >= 0 && j >= 0 && i <= 8 && j <= 8;
      const double weight = inside ? kernel[std::size_t(9 * j + i)] : 0;
      EXPECT_NEAR(image.at(x, y).r, weight * worth(h, g, 1), 1e-5);
    }
}

TEST(ReferenceImage, OfManyHitsInOnePlaceIsTheNarrowestKernel) {
  const Genome g = plainGenome(1);
  Histogram h = emptyHistogram(g);
  hit(h, 10 + h.shape.gutter, 6 + h.shape.gutter, 2000);
  const Image image = toneMap(h, g, {});
  const double share = 1 / (1 + 4 * std::exp(-4.5));  // what is beside it was counted, then lost
  EXPECT_NEAR(image.at(10, 6).r, share * worth(h, g, 2000), 1e-4);
  EXPECT_EQ(image.at(11, 6).r, 0);
}

TEST(ReferenceImage, WithoutEstimatorIsTheFilterAlone) {
  const Genome g = plainGenome(2, 0);
  Histogram h = emptyHistogram(g);
  hit(h, 2 * 10 + h.shape.gutter, 2 * 6 + 1 + h.shape.gutter, 5);
  const Image image = toneMap(h, g, {});
  EXPECT_NEAR(image.at(10, 6).r, worth(h, g, 5) / 4, 1e-5);
  EXPECT_EQ(image.at(11, 6).r, 0);
}

TEST(ReferenceImage, LosesNothingInTheEstimator) {
  for (const int os : {1, 2}) {
    Genome g = plainGenome(os, 2);
    g.size = {41, 41};
    Histogram h = emptyHistogram(g);
    double total = 0;
    for (int i = 0; i < 17; ++i) {
      const int x = h.shape.gutter + os * (12 + i * 7 % 17),
                y = h.shape.gutter + os * (12 + i * 11 % 17);
      hit(h, x, y, 1 + i % 10);  // the last kernel, which does lose some, takes more
    }
    for (const double count : h.hits) total += worth(h, g, count);
    double sum = 0;
    for (const glm::vec4& pixel : toneMap(h, g, {}).pixels) sum += pixel.r;
    EXPECT_NEAR(sum * os * os, total, 1e-4 * total) << "supersample " << os;
  }
}

TEST(ReferenceImage, CountsHitsAndAlphaApart) {
  // Alpha decides the brightness, hits decide the width.
  const Genome g = plainGenome(1, 3);
  Histogram h = emptyHistogram(g);
  const std::size_t bucket = h.index(10 + h.shape.gutter, 6 + h.shape.gutter);
  h.color[bucket] = {10, 10, 10, 20};
  h.hits[bucket] = 1e6;
  const LogScale s = logScale(g, 1, h.samples);
  const double center = 1 / (1 + 4 * std::exp(-4.5));
  EXPECT_NEAR(toneMap(h, g, {}).at(10, 6).r,
              center * 256 / 255 * s.k1 * std::log(1 + s.k2 * 20) / 20 * 10, 1e-5);
}

TEST(ReferenceImage, EdgeClampNarrowsKernelsBesideDenseBuckets) {
  const Genome g = plainGenome(1, 9);
  Histogram h = emptyHistogram(g);
  const int x = 10 + h.shape.gutter, y = 6 + h.shape.gutter;
  hit(h, x, y, 1);
  hit(h, x + 1, y + 1, 100000);
  Settings s;
  const EstimatorTable table = estimatorFor(g, s);
  EXPECT_EQ(chooseKernels(h, table, g, false)[h.index(x, y)], 0);
  const int clamped = chooseKernels(h, table, g, true)[h.index(x, y)];
  EXPECT_EQ(table.widths[std::size_t(clamped)], 1);
}

TEST(ReferenceHistogram, ReadsWordsWithAndWithoutAlpha) {
  HistogramShape shape{{1, 1}, 1, 0, false};
  const std::vector<std::uint32_t> plain{10, 20, 30, 4};
  Histogram h = fromWords(shape, plain, 7);
  EXPECT_EQ(h.color[0], glm::dvec4(10, 20, 30, 4 * 255));
  EXPECT_EQ(h.hits[0], 4);
  EXPECT_EQ(h.samples, 7);
  shape.hasAlpha = true;
  const std::vector<std::uint32_t> faint{10, 20, 30, 51, 40, 0, 0, 0};
  h = fromWords(shape, faint, 7);
  EXPECT_EQ(h.color[0], glm::dvec4(10, 20, 30, 40));
  EXPECT_DOUBLE_EQ(h.hits[0], 0.2);
}

// ---- Tones of other programs

TEST(ToneFinish, IsNothingForFlam3) {
  Genome genome;
  EXPECT_FALSE(toneFinishOf(genome));
  genome.saturation = 0;
  const auto grey = toneFinishOf(genome);
  ASSERT_TRUE(grey);
  const glm::dvec3 q = finished(*grey, {255, 0, 0});
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(q[c], 0.299 * 255, 1e-4);
}

TEST(ToneFinish, CurvesMeetTheirPoints) {
  ToneCurve curve;
  EXPECT_NEAR(evaluate(curve, 0.3), 0.3, 1e-9);
  curve.points = {{{0, 0, 1}, {0, 1, 1}, {0, 1, 1}, {1, 1, 1}}};  // x = t^3, y = 1 - (1 - t)^3
  EXPECT_NEAR(evaluate(curve, 0.125), 0.875, 1e-9);
  curve.spline = {{0, 0}, {0.25, 0.5}, {0.75, 0.5}, {1, 1}};
  for (const glm::dvec2& p : curve.spline) EXPECT_NEAR(evaluate(curve, p.x), p.y, 1e-12);
  EXPECT_NEAR(evaluate(curve, 0.5), 0.5, 1e-12);  // by symmetry
  curve.spline = {{0, 0}, {0.5, 0.5}, {1, 1}};
  EXPECT_NEAR(evaluate(curve, 0.2), 0.2, 1e-12);
}

TEST(ToneFinish, ChannelsFollowTheCurveOfAll) {
  Genome genome;
  genome.curves[0].spline = {{0, 1}, {1, 0}};
  genome.curves[2].spline = {{0, 0}, {1, 0.5}};
  genome.balance = {0.5, 1, 1};
  const auto finish = toneFinishOf(genome);
  ASSERT_TRUE(finish);
  const glm::dvec3 q = finished(*finish, {255, 51, 102});
  EXPECT_NEAR(q.r, 127.5, 0.01);
  EXPECT_NEAR(q.g, 102, 0.01);
  EXPECT_NEAR(q.b, 153, 0.01);
}

}  // namespace
}  // namespace fathom::flame::reference
