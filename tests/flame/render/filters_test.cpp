// SPDX-License-Identifier: BSD-3-Clause
// Filters, kernels and constants against numbers measured with flam3 3.1.1.
#include "app/engine/flame/render/filters.h"

namespace fathom::flame {
namespace {

void expectTaps(const SpatialFilter& filter, std::size_t count, std::vector<double> first) {
  ASSERT_EQ(filter.taps.size(), count);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_NEAR(filter.taps[i], first[i], 6e-7) << "tap " << i;
    EXPECT_NEAR(filter.taps[count - 1 - i], first[i], 6e-7) << "mirrored tap " << i;
  }
}

TEST(SpatialFilter, HasTheTapsOfFlam3) {
  // Gaussian at one bucket per pixel hardly filters.
  expectTaps(spatialFilter(FilterShape::Gaussian, 0.5, 1), 3, {0.000335, 0.999330});
  // Gaussian of radius one.
  expectTaps(spatialFilter(FilterShape::Gaussian, 1, 1), 5, {0.000264, 0.106451, 0.786571});
  // Takes as many taps as center on the pixel.
  expectTaps(spatialFilter(FilterShape::Gaussian, 0.5, 2), 4, {0.008993, 0.491007});
  const SpatialFilter four = spatialFilter(FilterShape::Gaussian, 1, 4);
  expectTaps(four, 14, {0.001015, 0.004549, 0.015876, 0.043156, 0.091362, 0.150630, 0.193413});
  EXPECT_EQ(four.gutter, 5);
  // Lanczos3 is really Mitchell.
  expectTaps(spatialFilter(FilterShape::Lanczos3, 1, 2), 10,
             {0, -0.007378, -0.011719, 0.128038, 0.391059});
  // Of radius zero is a box.
  expectTaps(spatialFilter(FilterShape::Gaussian, 0, 1), 1, {1});
  expectTaps(spatialFilter(FilterShape::Gaussian, 0, 2), 2, {0.5});
}

TEST(SpatialFilter, EveryShapeSumsToOne) {
  for (int shape = 0; shape < kFilterShapeCount; ++shape)
    for (const int os : {1, 2, 3, 4}) {
      const SpatialFilter filter = spatialFilter(FilterShape(shape), 0.8, os);
      const double sum = std::accumulate(filter.taps.begin(), filter.taps.end(), 0.0);
      EXPECT_NEAR(sum, 1, 1e-12) << "shape " << shape;
      EXPECT_EQ(int(filter.taps.size()), os + 2 * filter.gutter) << "shape " << shape;
    }
}

using Widths = std::vector<std::pair<std::size_t, double>>;  // by kernel

void expectKernels(const EstimatorTable& table, std::size_t kernels, double maxCount,
                   const Widths& expected) {
  ASSERT_EQ(table.widths.size(), kernels);
  EXPECT_EQ(table.maxCount, maxCount);
  for (const auto& [k, width] : expected)
    EXPECT_NEAR(table.widths[k], width, 6e-4) << "kernel " << k;
}

TEST(EstimatorTable, HasTheKernelsOfFlam3) {
  const Widths one = {{0, 10},      {1, 7.5786},   {2, 6.4439},   {3, 5.7435}, {9, 3.9811},
                      {99, 1.5849}, {100, 1.5786}, {101, 1.5724}, {109, 1}};
  expectKernels(estimatorTable(9, 0, 0.4, 1), 110, 416, one);
  const Widths four = {{0, 45},     {1, 29.689},  {2, 23.278},   {3, 19.587},
                       {9, 11.303}, {99, 2.8393}, {100, 2.8224}, {141, 1}};
  expectKernels(estimatorTable(11, 0, 0.6, 4), 142, 607, four);
  expectKernels(estimatorTable(11, 0, 0.6, 1), 63, 63, {{0, 12}, {1, 7.917}, {62, 1}});
  expectKernels(estimatorTable(5, 1, 0.4, 2), 26, 26, {{0, 11}, {25, 3}});
}

TEST(EstimatorTable, ChoosesTheKernelByHitsPerPixel) {
  const EstimatorTable table = estimatorTable(9, 0, 0.4, 1);
  EXPECT_EQ(table.kernelFor(0.04), 0);
  EXPECT_EQ(table.kernelFor(1), 0);
  EXPECT_EQ(table.kernelFor(1.001), 1);
  EXPECT_EQ(table.kernelFor(100), 99);
  EXPECT_EQ(table.kernelFor(100.5), 100);
  EXPECT_EQ(table.kernelFor(200), 106);  // 100^0.4 = 6.3
  EXPECT_EQ(table.kernelFor(416), 109);
  EXPECT_EQ(table.kernelFor(1e9), 109);
}

TEST(EstimatorTable, HasTheWidthsThatAreAskedFor) {
  // Is empty when there is one width only.
  EXPECT_TRUE(estimatorTable(0, 0, 0.4, 4).empty());
  EXPECT_TRUE(estimatorTable(3, 3, 0.4, 4).empty());
  // Refuses more than ten million levels.
  EXPECT_THROW(estimatorTable(100, 0, 0.05, 4), Error);
  // Of the paper ends where it no longer blurs.
  const EstimatorTable table = paperEstimatorTable(11, 0, 0.6);
  EXPECT_NEAR(table.widths[std::size_t(table.kernelFor(1))], 11 / std::pow(2, 0.6), 1e-12);
  EXPECT_NEAR(table.widths[std::size_t(table.kernelFor(50))], 11 / std::pow(51, 0.6), 1e-12);
  EXPECT_DOUBLE_EQ(table.widths.back(), 0.7);
  EXPECT_DOUBLE_EQ(paperEstimatorTable(40, 0, 0.6).widths.front(), 13);
}

TEST(EstimatorKernel, IsACutGaussianOfSumOne) {
  const std::vector<double> wide = estimatorKernel(7.5786);
  ASSERT_EQ(wide.size(), 15u * 15u);
  EXPECT_NEAR(wide[7 * 15] / wide[7 * 15 + 7], std::exp(-4.5 * 49 / (7.5786 * 7.5786)), 1e-15);
  EXPECT_NEAR(std::accumulate(wide.begin(), wide.end(), 0.0), 1, 1e-12);
  EXPECT_EQ(wide[0], 0);
  // Of whole width has counted what it leaves out.
  const std::vector<double> one = estimatorKernel(1, 10);
  ASSERT_EQ(one.size(), 9u);
  EXPECT_NEAR(one[4], 1 / (1 + 4 * std::exp(-4.5)), 1e-15);
  EXPECT_NEAR(std::accumulate(one.begin(), one.end(), 0.0), one[4], 1e-15);
  // Of the widest has sum one.
  const std::vector<double> widest = estimatorKernel(10, 10);
  ASSERT_EQ(widest.size(), 21u * 21u);
  EXPECT_EQ(widest[10 * 21], 0);
  EXPECT_GT(widest[4 * 21 + 2], 0);  // (-8, -6)
  EXPECT_NEAR(std::accumulate(widest.begin(), widest.end(), 0.0), 1, 1e-12);
}

TEST(CountWindow, OfEvenSupersamplingIsScaled) {
  EXPECT_EQ(countWindow(1).reach, 0);
  EXPECT_EQ(countWindow(3).reach, 1);
  EXPECT_EQ(countWindow(3).scale, 1);
  EXPECT_EQ(countWindow(4).reach, 2);
  EXPECT_DOUBLE_EQ(countWindow(4).scale, 16.0 / 25);
}

TEST(LogScale, HasTheConstantsOfSheep80674) {
  Genome g;
  g.size = {400, 296};
  g.scale = 472.4705;
  g.brightness = 386.5027 * 256 / 268 / 255;
  const LogScale scale = logScale(g, 4, 200.0 * 400 * 296);
  EXPECT_NEAR(scale.k1, 386.5027, 1e-4);
  EXPECT_NEAR(scale.k2, 5.914901e-4, 1e-9);
}

/// Of one hit per bucket at one sample per pixel, where JWildfire's formula is short.
TEST(LogScale, OfJWildfireHasContrastGlowAndAWhiteLevel) {
  Genome g;
  g.size = {100, 50};
  g.scale = 10;
  g.brightness = 3, g.jwildfire.contrast = 0.5, g.jwildfire.whiteLevel = 250,
  g.jwildfire.lowDensityBrightness = 0.7;
  EXPECT_EQ(logScale(g, 1, 5000).glow, 0);
  EXPECT_EQ(logScale(g, 1, 5000).colorShare, 1);
  g.dialect = Dialect::JWildfire;
  const double k2 = 10 * 10 / (0.5 * 100 * 50);
  const LogScale scale = logScale(g, 1, 5000);
  EXPECT_NEAR(scale.factor(255), 0.5 * 3 * 2 * std::log10(1 + k2) + 0.7 / 0.5 / 2, 1e-12);
  EXPECT_DOUBLE_EQ(scale.colorShare, 0.8);
  // Four buckets per pixel share its hits; each adds its logarithm to the pixel, halved.
  g.supersample = 2, g.jwildfire.lowDensityBrightness = 0;
  EXPECT_NEAR(logScale(g, 2, 5000).factor(255), 0.5 * 3 * 2 * 2 * std::log10(1 + 4 * k2 / 2),
              1e-12);
}

/// Its LogScaleCalculator: k1 is divided by the order, or 2; counts are those of all copies, and a
/// sample density of 1 is an iteration per pixel.
TEST(LogScale, OfJWildfireKnowsPostSymmetry) {
  Genome g;
  g.dialect = Dialect::JWildfire, g.size = {100, 50}, g.scale = 10, g.brightness = 3;
  g.jwildfire.lowDensityBrightness = 0.7;
  const double k2 = 10 * 10 / (100.0 * 50);
  const auto factor = [&](PostSymmetry symmetry, int order, double copies) {
    g.jwildfire.symmetry = symmetry, g.jwildfire.symmetryOrder = order;
    return logScale(g, 1, copies * 5000).factor(copies * 255);
  };
  for (const auto& [found, copies, divisor] : {std::tuple(factor(PostSymmetry::Point, 4, 5), 5, 4),
                                               std::tuple(factor(PostSymmetry::XAxis, 4, 2), 2, 2),
                                               std::tuple(factor(PostSymmetry::Point, 1, 1), 1, 1)})
    EXPECT_NEAR(found,
                (3 * 2 * std::log10(1 + copies * k2) / divisor + 0.7 / (copies + 1)) / copies,
                1e-12);
}

/// Values of JWildfire's own formulas, worked out by hand: MITCHELL_SMOOTH of radius 0.75 is 5
/// wide, its buckets lie 4/3 apart, and the outermost have nothing.
TEST(RadialKernel, OfJWildfiresDefaultIsHardlyWiderThanThree) {
  const RadialKernel kernel = radialKernel(RadialShape::MitchellSmooth, 0.75, 1);
  ASSERT_EQ(kernel.side, 5);
  const auto at = [&](int x, int y) { return kernel.weights[std::size_t(5 * y + x)]; };
  const double edge = (-2.16 * 64 / 27 + 11.22 * 16 / 9 - 18.96 * 4 / 3 + 10.32) / 6;
  const double d = std::sqrt(32.0) / 3;
  const double corner = (-2.16 * d * d * d + 11.22 * d * d - 18.96 * d + 10.32) / 6;
  const double sum = 0.86 + 4 * edge + 4 * corner;
  EXPECT_NEAR(at(2, 2), 0.86 / sum, 1e-12);
  EXPECT_NEAR(at(1, 2), edge / sum, 1e-12);
  EXPECT_NEAR(at(3, 3), corner / sum, 1e-12);
  EXPECT_EQ(at(0, 2), 0);
  EXPECT_LT(edge, 0);
}

TEST(RadialKernel, OfEveryNameHasSumOneAndIsEven) {
  for (std::size_t i = 0; i < std::size(kRadialShapes); ++i)
    for (const int os : {1, 2, 3})
      for (const double radius : {0.1, 0.4, 0.75, 2.0}) {
        const RadialKernel kernel = radialKernel(RadialShape(i), radius, os);
        EXPECT_NEAR(std::accumulate(kernel.weights.begin(), kernel.weights.end(), 0.0), 1, 1e-12);
        if (kernel.isMean) continue;
        EXPECT_TRUE(std::equal(kernel.weights.begin(), kernel.weights.end(),
                               kernel.weights.rbegin(),
                               [](double a, double b) { return std::abs(a - b) < 1e-12; }))
            << kRadialShapes[i];
      }
  // A radius that reaches no other bucket: the mean of the pixel's own.
  EXPECT_EQ(radialKernel(RadialShape::Mitchell, 0.1, 2).weights,
            (std::vector<double>{0.25, 0.25, 0, 0.25, 0.25, 0, 0, 0, 0}));
  // acos(4 e^(5 log10 x) - 1) / pi at x = 2/3, beside the middle of three.
  const RadialKernel flat = radialKernel(RadialShape::SinePow5, 1, 1);
  ASSERT_EQ(flat.side, 3);
  EXPECT_NEAR(radialFunction(RadialShape::SinePow5, 0.5),
              std::acos(4 * std::exp(5 * std::log10(0.5)) - 1) / 3.14159265358979, 1e-9);
  EXPECT_EQ(radialFunction(RadialShape::SinePow10, 0), 1);
  EXPECT_EQ(radialFunction(RadialShape::SinePow15, 1), 0);
}

TEST(RadialFilter, IsOfJWildfireWhereNoDensityIsEstimated) {
  Genome g;
  g.estimatorRadius = 0;
  EXPECT_FALSE(radialFilterFor(g, {}));
  g.dialect = Dialect::JWildfire, g.jwildfire.radialShape = RadialShape::MitchellSmooth,
  g.filter = 0.75;
  ASSERT_TRUE(radialFilterFor(g, {}));
  EXPECT_EQ(radialFilterFor(g, {})->side, 5);
  EXPECT_EQ(shapeFor(g, {}).gutter, 2);
  // The color is sharpened, the density smoothed a little.
  const RadialFilter filter = *radialFilterFor(g, {});
  EXPECT_GT(filter.weight(RadialChoice::Plain, 2, 2).x, 1.1);
  EXPECT_NEAR(filter.weight(RadialChoice::Plain, 1, 2).y,
              std::exp(-4.5) / (1 + 4 * std::exp(-4.5) + 4 * std::exp(-9.0)), 1e-12);
  g.jwildfire.radialShape = RadialShape::MitchellSinePow;
  EXPECT_TRUE(radialFilterFor(g, {})->adapts);
  g.estimatorRadius = 5;
  EXPECT_FALSE(radialFilterFor(g, {}));
}

TEST(CoverFactor, IsOfJWildfireAndDoublesWhereNothingIsOpaque) {
  Genome g;
  g.jwildfire.foregroundOpacity = 0;
  EXPECT_EQ(coverFactor(g), 1);
  g.dialect = Dialect::JWildfire;
  EXPECT_NEAR(coverFactor(g), 1.99924, 1e-5);  // 1 + atan(3) / 1.25
  g.jwildfire.foregroundOpacity = 1;
  EXPECT_EQ(coverFactor(g), 1);
}

Genome opaqueGenome() {
  Genome g;
  g.palette.fill({1, 1, 1, 1});
  g.xforms.resize(2);
  g.size = {17, 9};
  g.supersample = 4;
  return g;
}

TEST(ShapeFor, LeavesRoomForTheFilterAndTheEstimator) {
  Genome g = opaqueGenome();
  g.estimatorRadius = 0, g.filter = 1;
  EXPECT_EQ(shapeFor(g, {}).gutter, 5);
  g.estimatorRadius = 10.5;
  EXPECT_EQ(shapeFor(g, {}).gutter, 11 * 4 + 3);
  EXPECT_EQ(shapeFor(g, {}).buckets(), glm::ivec2(17 * 4 + 94, 9 * 4 + 94));
}

TEST(ShapeFor, SettingsGoBeforeTheGenome) {
  Settings s{.supersample = 2};
  EXPECT_EQ(shapeFor(opaqueGenome(), s).supersample, 2);
  s.antialias = Antialias::Jitter;
  EXPECT_EQ(shapeFor(opaqueGenome(), s).supersample, 1);
}

TEST(ShapeFor, CountsAlphaWhenAnythingIsTransparent) {
  Genome g = opaqueGenome();
  EXPECT_FALSE(shapeFor(g, {}).hasAlpha);
  g.palette[7].a = 0.5f;
  EXPECT_TRUE(shapeFor(g, {}).hasAlpha);
  g = opaqueGenome();
  g.xforms[1].opacity = 0.5;
  EXPECT_TRUE(shapeFor(g, {}).hasAlpha);
  g = opaqueGenome();
  g.soloXform = 0;
  EXPECT_TRUE(shapeFor(g, {}).hasAlpha);
}

TEST(ShapeFor, RefusesAnEndlessMargin) {
  Genome g = opaqueGenome();
  g.estimatorRadius = 1e6;
  EXPECT_THROW(shapeFor(g, {}), Error);
  g.estimatorRadius = 9, g.filter = 1e9;
  EXPECT_THROW(shapeFor(g, {}), Error);
}

}  // namespace
}  // namespace fathom::flame
