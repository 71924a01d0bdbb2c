// SPDX-License-Identifier: BSD-3-Clause
// The picture from the GPU against the one in double precision.
#include "app/engine/flame/render/tone_mapper.h"
#include "app/engine/flame/picture_files.h"
#include "app/engine/flame/render/reference.h"
#include "app/engine/gpu/memory_account.h"
#include "tests/flame/render/histograms.h"
#include "tests/support/gpu_test.h"

namespace fathom::flame {
namespace {

constexpr glm::ivec2 kSize{37, 23};
constexpr double kSamplesPerPixel = 60;

// Floats of up to 255 that have gone through a logarithm and up to two powers of drivers, each good
// for 1e-4 at worst (llvmpipe: 2e-5), after some thousand additions.
constexpr float kBound = 0.05f;

class ToneMapperTest : public test::GpuTest {
 protected:
  struct Input {
    HistogramShape shape;
    std::vector<std::uint32_t> words;
    double samples;
  };
  static Input inputOf(const Genome& g, const Settings& s) {
    const HistogramShape shape = shapeFor(g, s);
    return {shape, test::attractorWords(shape, kSamplesPerPixel),
            kSamplesPerPixel * g.size.x * g.size.y};
  }
  Image developed(const Input& input, const Genome& g, const Settings& s, int rowsPerPart = 0) {
    const Histogram histogram =
        test::uploaded(context(), input.shape, input.words, input.samples, rowsPerPart);
    toneMapper_.toneMap(histogram, g, s, displayed_);
    return displayed_.downloadImage();
  }
  static Image expected(const Input& input, const Genome& g, const Settings& s) {
    return reference::toneMap(reference::fromWords(input.shape, input.words, input.samples), g, s);
  }
  void expectEqual(const Genome& g, const Settings& s, float bound = kBound) {
    const Input input = inputOf(g, s);
    const Image wanted = expected(input, g, s);
    for (const bool byHost : {false, true}) {
      toneMapper_.setByHost(byHost);
      EXPECT_TRUE(test::rounding(developed(input, g, s), wanted, bound)) << byHost;
    }
  }
  static Settings with(Estimator estimator) { return {.estimator = estimator}; }
  static Settings exact() { return with(Estimator::Exact); }

  ToneMapper toneMapper_{context()};
  gpu::Texture displayed_;
};

class ToneMapperFilters : public ToneMapperTest, public testing::WithParamInterface<int> {};

TEST_P(ToneMapperFilters, ExactEqualsTheReferenceForEverySupersample) {
  for (const int os : {1, 2, 3, 4}) {
    Genome g = test::pictureGenome(kSize, os);
    g.filterShape = FilterShape(GetParam());
    g.estimatorRadius = 4.0 / os;
    SCOPED_TRACE(os);
    expectEqual(g, exact());
  }
}

INSTANTIATE_TEST_SUITE_P(All, ToneMapperFilters, testing::Range(0, kFilterShapeCount));

TEST_F(ToneMapperTest, WithoutEstimatorEqualsTheReferenceForEveryFilter) {
  for (int shape = 0; shape < kFilterShapeCount; ++shape)
    for (const int os : {1, 2, 3, 4, 7}) {
      Genome g = test::pictureGenome(kSize, os);
      g.filterShape = FilterShape(shape);
      SCOPED_TRACE(testing::Message() << "shape " << shape << ", supersample " << os);
      expectEqual(g, with(Estimator::Off));
    }
}

TEST_F(ToneMapperTest, ExactEqualsTheReferenceForEveryEstimator) {
  const std::tuple<double, double, double> estimators[] = {
      {0, 0, 0.4}, {1, 0, 0.4}, {9, 0, 0.4}, {5, 1, 0.4}, {11, 0, 0.6}, {3, 3, 0.5}, {6, 2, 1}};
  for (const auto& [radius, minimum, curve] : estimators) {
    Genome g = test::pictureGenome(kSize, 2);
    g.estimatorRadius = radius, g.estimatorMinimum = minimum, g.estimatorCurve = curve;
    SCOPED_TRACE(testing::Message() << radius << " " << minimum << " " << curve);
    expectEqual(g, exact());
  }
}

TEST_F(ToneMapperTest, EveryToneMapEqualsTheReference) {
  const Settings s = exact();
  Genome g = test::pictureGenome(kSize, 1);
  g.brightness = 60;
  for (const double highlightPower : {-1.0, -0.4, 0.0, 1.5})
    for (const double vibrancy : {0.0, 0.6, 1.0})
      for (const double threshold : {0.0, 0.01, 0.3}) {
        g.highlightPower = highlightPower, g.vibrancy = vibrancy, g.gammaThreshold = threshold;
        g.background = {0.1, 0.25, 0.4};
        SCOPED_TRACE(testing::Message() << highlightPower << " " << vibrancy << " " << threshold);
        expectEqual(g, s);
      }
}

TEST_F(ToneMapperTest, TonesOfOtherProgramsEqualTheReference) {
  Genome g = test::pictureGenome(kSize, 1);
  g.brightness = 60;
  g.saturation = 0.4;
  g.balance = {0.8, 1.1, 1};
  g.curves[0].spline = {{0, 0.1}, {0.3, 0.5}, {1, 0.9}};
  g.curves[2].points = {{{0, 0, 1}, {0.2, 0.6, 2}, {0.5, 0.7, 1}, {1, 1, 1}}};
  expectEqual(g, exact(), 3 * kBound);  // curves are steeper than 1
  const Input input = inputOf(g, exact());
  const Image toned = developed(input, g, exact());
  g.saturation = 1, g.balance = glm::dvec3(1), g.curves = {};
  EXPECT_FALSE(test::rounding(toned, expected(input, g, exact()), 5.0f)) << "nothing was done";
}

TEST_F(ToneMapperTest, AlphaAndOpacityEqualTheReference) {
  for (const Estimator estimator : {Estimator::Exact, Estimator::Off})
    for (const int os : {1, 3}) {
      Genome g = test::pictureGenome(kSize, os);
      g.palette[3].a = 0.5f;
      ASSERT_TRUE(shapeFor(g, with(estimator)).hasAlpha);
      expectEqual(g, with(estimator));
    }
}

TEST_F(ToneMapperTest, OddSizesEqualTheReference) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(1, 64), glm::ivec2(65, 1),
                                glm::ivec2(64, 17), glm::ivec2(129, 3)})
    for (const Estimator estimator : {Estimator::Exact, Estimator::Off}) {
      SCOPED_TRACE(testing::Message() << size.x << " x " << size.y);
      expectEqual(test::pictureGenome(size, 2), with(estimator));
    }
}

TEST_F(ToneMapperTest, EdgeClampAndJitterEqualTheReference) {
  const Genome g = test::pictureGenome(kSize, 2);
  Settings s = exact();
  s.edgeClamp = true;
  expectEqual(g, s);
  s.antialias = Antialias::Jitter;
  expectEqual(g, s);
  s.edgeClamp = false;
  expectEqual(g, s);
}

TEST_F(ToneMapperTest, BandsOfAnyHeightGiveTheSamePicture) {
  toneMapper_.setByHost(false);  // which has bands of its own
  for (const Estimator estimator : {Estimator::Fast, Estimator::Exact, Estimator::Off}) {
    const Settings s = with(estimator);
    const Genome g = test::pictureGenome(kSize, 2);
    const Input input = inputOf(g, s);
    toneMapper_.setBandRows(0);
    const Image whole = developed(input, g, s);
    for (const int rows : {1, 5, 16}) {
      toneMapper_.setBandRows(rows);
      EXPECT_TRUE(test::exact(developed(input, g, s).pixels, whole.pixels)) << rows << " rows";
      EXPECT_TRUE(test::exact(developed(input, g, s, 7).pixels, whole.pixels)) << rows << " rows";
    }
  }
}

/// dB over the bytes of two pictures.
double psnr(const Image& a, const Image& b) {
  const auto x = levels8(a, false), y = levels8(b, false);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return 10 * std::log10(255.0 * 255 * double(x.size()) / std::max(sum, 1e-9));
}

TEST_F(ToneMapperTest, FastIsCloseToExact) {
  for (const int os : {2, 3, 4}) {
    Genome g = test::pictureGenome({64, 48}, os);
    g.estimatorRadius = 5;
    const Input input = inputOf(g, {});
    const Image fast = developed(input, g, {});
    EXPECT_FALSE(toneMapper_.wasExact());
    // Below the noise of so few samples by far: two such pictures are 30 dB apart.
    EXPECT_GE(psnr(fast, developed(input, g, exact())), 45) << "supersample " << os;
  }
}

TEST_F(ToneMapperTest, JWildfiresTonesEqualTheReference) {
  Genome g = test::pictureGenome(kSize, 2);
  g.brightness = 20;
  g.jwildfire.contrast = 0.7, g.jwildfire.whiteLevel = 340, g.jwildfire.lowDensityBrightness = 9;
  g.jwildfire.foregroundOpacity = 0.4, g.background = {0.3, 0.2, 0.5};
  const Input input = inputOf(g, exact());
  const Image plain = expected(input, g, exact());
  g.dialect = Dialect::JWildfire;
  expectEqual(g, exact(), 2 * kBound);
  EXPECT_FALSE(test::rounding(expected(input, g, exact()), plain, 5.0f)) << "nothing was done";
  for (const bool byHost : {true, false}) {
    toneMapper_.setByHost(byHost);
    EXPECT_GE(psnr(developed(input, g, {}), expected(input, g, exact())), 45) << byHost;
  }
}

/// Each kernel, each kind of choice of the adaptive one, words with and without alpha, in bands.
TEST_F(ToneMapperTest, JWildfiresFiltersEqualTheReference) {
  for (std::size_t shape = 0; shape < std::size(kRadialShapes); ++shape)
    for (const int os : {1, 2, 3}) {
      Genome g = test::pictureGenome(kSize, os);
      g.dialect = Dialect::JWildfire;
      g.brightness = 3, g.background = {0.9, 0.8, 0.7};
      g.jwildfire.radialShape = RadialShape(shape), g.filter = os == 3 ? 2 : 0.75;
      g.estimatorRadius = 0;
      g.jwildfire.filterSharpness = 3.2, g.jwildfire.filterLowDensity = 0.1;
      if (os == 2) g.xforms[0].opacity = 0.5;
      toneMapper_.setBandRows(os == 2 ? 5 : 0);
      SCOPED_TRACE(testing::Message() << kRadialShapes[shape] << ", supersample " << os);
      // Colors that are sums of both signs are divided by small densities.
      expectEqual(g, {}, 4 * kBound);
    }
}

/// Around a bright bucket on white, a sharpening filter leaves less than the background.
TEST_F(ToneMapperTest, SharpeningDrawsDarkRimsOnABrightBackground) {
  Genome g = test::pictureGenome({9, 9}, 1);
  g.dialect = Dialect::JWildfire;
  g.estimatorRadius = 0, g.background = glm::dvec3(1), g.filter = 0.75;
  const HistogramShape shape = shapeFor(g, {});
  Input input{shape,
              std::vector<std::uint32_t>(std::size_t(shape.buckets().x * shape.buckets().y * 4)),
              81};
  const int middle = (4 + shape.gutter) * shape.buckets().x + 4 + shape.gutter;
  for (int c = 0; c < 4; ++c) input.words[std::size_t(4 * middle + c)] = c < 3 ? 2550 : 10;
  g.jwildfire.radialShape = RadialShape::MitchellSmooth;
  const float sharp = developed(input, g, {}).at(5, 4).r;
  g.jwildfire.radialShape = RadialShape::SinePow10;
  EXPECT_LT(sharp, developed(input, g, {}).at(5, 4).r - 10);
  EXPECT_EQ(developed(input, g, {}).at(7, 4).r, 255);
}

/// What software renderers take is what the passes compute, but for the order of additions, and for
/// buckets whose hits lie on the edge between two kernels, which are 1 % apart.
TEST_F(ToneMapperTest, TheProcessorEstimatesAsThePassesDo) {
  for (const int os : {1, 2, 3, 4})
    for (const double radius : {0.0, 5.0, 11.0})
      for (const double minimum : {0.0, 1.0}) {
        Genome g = test::pictureGenome({41, 27}, os);
        g.estimatorRadius = radius;
        g.estimatorMinimum = minimum;
        Settings s;
        for (const bool transparent : {false, true}) {
          s.transparent = transparent;
          if (transparent) g.xforms[0].opacity = 0.5;  // words of 8
          const Input input = inputOf(g, s);
          toneMapper_.setByHost(true);
          const Image host = developed(input, g, s, 16);
          toneMapper_.setByHost(false);
          const bool isExact = os == 1 && radius > 0;  // each is held to the reference, too
          EXPECT_TRUE(isExact ? test::rounding(host, expected(input, g, s), kBound)
                              : test::rounding(host, developed(input, g, s, 16), 4 * kBound))
              << "supersample " << os << ", radius " << radius << " to " << minimum;
        }
      }
}

/// The last picture of a histogram gives its parts back on the way, and has the same bytes.
TEST_F(ToneMapperTest, TheLastPictureIsTheSameAndLeavesNoHistogram) {
  for (const auto& [byHost, os] : {std::pair(true, 2), {false, 2}, {true, 1}}) {
    toneMapper_.setByHost(byHost);
    Genome g = test::pictureGenome({40, 700}, os);  // several turns of bands
    g.estimatorRadius = 11;
    const Input input = inputOf(g, {});
    const Image before = developed(input, g, {}, 50);
    Histogram histogram = test::uploaded(context(), input.shape, input.words, input.samples, 50);
    const std::int64_t used = context().memory().totalBytes();
    toneMapper_.toneMap(histogram, g, {}, displayed_, &histogram);
    EXPECT_EQ(displayed_.downloadImage().pixels, before.pixels);
    EXPECT_TRUE(histogram.parts.empty());
    const std::int64_t filtered = 40 * 700 * 16;
    EXPECT_EQ(used - context().memory().totalBytes(),
              std::int64_t(input.words.size() * 4) + filtered);
  }
}

/// The passes are what hardware takes; both forms hold.
TEST_F(ToneMapperTest, ThePassesAreCloseToExactToo) {
  toneMapper_.setByHost(false);
  Genome g = test::pictureGenome({64, 48}, 3);
  g.estimatorRadius = 5;
  const Input input = inputOf(g, {});
  EXPECT_GE(psnr(developed(input, g, {}), developed(input, g, exact())), 45);
}

TEST_F(ToneMapperTest, FastLosesNoBrightness) {
  Genome g = test::pictureGenome({64, 48}, 4);
  g.gamma = 1, g.gammaThreshold = 0, g.vibrancy = 1, g.brightness = 1;
  const Input input = inputOf(g, {});
  const auto total = [](const Image& image) {
    glm::dvec4 sum(0);
    for (const glm::vec4& pixel : image.pixels) sum += glm::dvec4(pixel);
    return sum.g;
  };
  const double slow = total(developed(input, g, exact()));
  EXPECT_NEAR(total(developed(input, g, {})), slow, 0.002 * slow);
}

TEST_F(ToneMapperTest, OneBucketPerPixelIsExact) {
  const Genome g = test::pictureGenome(kSize, 1);
  expectEqual(g, {});
  EXPECT_TRUE(toneMapper_.wasExact());
}

}  // namespace
}  // namespace fathom::flame
