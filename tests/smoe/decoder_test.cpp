// SPDX-License-Identifier: BSD-3-Clause
// The GPU decoder against float64: all components and bounded lists, every mode, tile size and
// boundary size, windows, views of light fields and video, samples; certificates that hold on every
// tile.
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/core/random.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/fit/quality.h"
#include "tests/smoe/models.h"
#include "tests/support/gpu_test.h"

namespace fathom::smoe {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
// Of float32 on records that float64 was given too (spec: 5e-7 .. 1e-6 measured on fitted models).
constexpr double kRounding = 5e-6;

class DecoderTest : public test::GpuTest {
 protected:
  Decoder& decoder(bool columns = true) {
    std::unique_ptr<Decoder>& one = decoders_[columns];
    if (!one) one = std::make_unique<Decoder>(context(), DecoderForms{columns});
    return *one;
  }
  gpu::Texture texture(glm::ivec2 size) {
    return {context(), "decoded", gpu::TextureFormat::Rgba32f, size.x, size.y};
  }
  Image shaded(const Model& model, const ViewWindow& window, const DecodeOptions& options) {
    const gpu::Texture result = texture(window.size);
    decoder().setModel(model);
    decoder().build(window, options, kForever);
    decoder().shade(result, kForever);
    return result.downloadImage();
  }

 private:
  std::unique_ptr<Decoder> decoders_[2];
};

/// The window rule with a border that reaches everything.
DecodeOptions allComponents(int tile = 16) {
  return {.relevance = Relevance::Window, .tilePixels = tile, .windowBorder = 100000};
}

DecodeOptions bounded(int bits, int tile = 16, Relevance relevance = Relevance::Bounded) {
  return {.relevance = relevance, .bits = bits, .tilePixels = tile};
}

std::vector<glm::vec4> decoded(Decoder& decoder, const Model& model, const ViewWindow& window,
                               const DecodeOptions& options) {
  decoder.setModel(model);
  decoder.build(window, options, kForever);
  return decoder.downloadRaw(window);
}

std::vector<glm::dvec3> expected(const Model& model, const ViewWindow& window) {
  const std::vector<Record> records = reference::recordsOf(model, window.at);
  return reference::decode(records, {window.size, window.corner, window.step});
}

/// Infinite where anything is not finite.
double largestError(const std::vector<glm::vec4>& found, const std::vector<glm::dvec3>& truth) {
  double largest = found.size() == truth.size() ? 0 : kForever;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double error = std::abs(double(found[i][c]) - truth[i][c]);
      largest = std::isfinite(error) ? std::max(largest, error) : kForever;
    }
  return largest;
}

/// The largest error of each tile, row by row.
std::vector<double> tileErrors(const std::vector<glm::vec4>& found,
                               const std::vector<glm::dvec3>& truth, glm::ivec2 size, int tile) {
  const glm::ivec2 tiles = (size + tile - 1) / tile;
  std::vector<double> errors(std::size_t(tiles.x) * std::size_t(tiles.y), 0.0);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const int x = int(i) % size.x / tile, y = int(i) / size.x / tile;
    double& error = errors[std::size_t(y * tiles.x + x)];
    error = std::max(error, largestError({found[i]}, {truth[i]}));
  }
  return errors;
}

TEST_F(DecoderTest, SumsAllComponentsAsFloat64Does) {
  const Model model = randomModel(1, 2, 100, {70, 50});
  const ViewWindow window{{70, 50}};
  const auto truth = expected(model, window);
  for (const bool columns : {false, true})
    for (const int tile : {8, 16, 32})
      EXPECT_LT(largestError(decoded(decoder(columns), model, window, allComponents(tile)), truth),
                kRounding)
          << columns << " " << tile;
}

/// Bits, tile, masks.
class BoundedLists : public DecoderTest,
                     public testing::WithParamInterface<std::tuple<int, int, bool>> {};

TEST_P(BoundedLists, StayBelowHalfAStepAndTheirCertificate) {
  const auto [bits, tile, masks] = GetParam();
  const Model model = randomModel(2, 2, 600, {150, 130});
  const ViewWindow window{{150, 130}};
  const auto truth = expected(model, window);
  // Masks decide in batches only.
  Decoder& d = decoder(!masks);
  for (const Relevance relevance : {Relevance::Bounded, Relevance::Budget}) {
    DecodeOptions options = bounded(bits, tile, relevance);
    options.masks = masks;
    const auto found = decoded(d, model, window, options);
    EXPECT_LT(largestError(found, truth), std::ldexp(1.0, -bits - 1));
    EXPECT_EQ(0u, d.facts().emptyTiles);
    const std::vector<double> errors = tileErrors(found, truth, window.size, tile);
    const int columnsOfTiles = (window.size.x + tile - 1) / tile;
    for (int i = 0; i < int(errors.size()); ++i) {
      const double certificate = d.certificate({i % columnsOfTiles, i / columnsOfTiles});
      EXPECT_LE(errors[std::size_t(i)], certificate) << i;
      // Colors farther than 0.6 from 1/2 may ask for more than the budget promised.
      if (relevance == Relevance::Budget) {
        EXPECT_LE(certificate, 1.5 * (std::ldexp(1.0, -bits - 1) + d.facts().maxRounding));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BoundedLists,
                         testing::Combine(testing::Values(8, 10, 12, 14),
                                          testing::Values(8, 16, 32), testing::Bool()));

class BoundarySizes : public DecoderTest, public testing::WithParamInterface<glm::ivec2> {};

TEST_P(BoundarySizes, DecodeInEveryMode) {
  const ViewWindow window{GetParam()};
  const Model model = randomModel(3, 2, 40, window.size);
  const auto truth = expected(model, window);
  for (const Mode mode : {Mode::Record, Mode::PaperFast, Mode::PaperSlow})
    for (const Relevance relevance : {Relevance::Bounded, Relevance::Budget, Relevance::Window})
      for (const int tile : {8, 16, 32}) {
        DecodeOptions options = bounded(14, tile, relevance);
        options.mode = mode;
        if (relevance == Relevance::Window) options.windowBorder = 100000;
        // The paper rounds centers and covariances to float32.
        const double bound = mode == Mode::Record ? std::ldexp(1.0, -15) : 2e-4;
        EXPECT_LT(largestError(decoded(decoder(), model, window, options), truth), bound)
            << int(mode) << " " << int(relevance) << " " << tile;
        EXPECT_EQ(0u, decoder().facts().emptyTiles);
      }
}

INSTANTIATE_TEST_SUITE_P(All, BoundarySizes,
                         testing::Values(glm::ivec2(1, 1), glm::ivec2(17, 5), glm::ivec2(8, 9),
                                         glm::ivec2(65, 63)),
                         [](const auto& test) {
                           return std::to_string(test.param.x) + "x" + std::to_string(test.param.y);
                         });

TEST_F(DecoderTest, DecodesASizeThatNothingDivides) {
  const ViewWindow window{{451, 300}};
  const Model model = randomModel(4, 2, 500, window.size);
  const auto truth = expected(model, window);
  for (const bool columns : {false, true})
    EXPECT_LT(largestError(decoded(decoder(columns), model, window, bounded(10)), truth),
              std::ldexp(1.0, -11));
}

TEST_F(DecoderTest, OneComponentFillsThePicture) {
  const Record one = disc({20, 10}, 2, {0.25, 0.5, 0.75});
  const Model model = modelOf(std::vector{one}, {300, 200});
  for (const glm::vec4& color : decoded(decoder(), model, {{300, 200}}, bounded(10)))
    for (int c = 0; c < 3; ++c) ASSERT_FLOAT_EQ(color[c], float(one.color[c]));
}

TEST_F(DecoderTest, FarComponentsDecideWhereNoneIsNear) {
  // Log weights of 500,000 bits: one pass over the list would underflow, and float32 leaves them
  // an error of some hundredths.
  const std::vector<Record> two{disc({3, 3}, 0.3, {1, 0, 0}), disc({9, 4}, 0.3, {0, 1, 0})};
  const Model model = modelOf(two, {200, 100});
  const ViewWindow window{{200, 100}};
  for (const bool columns : {false, true})
    EXPECT_LT(largestError(decoded(decoder(columns), model, window, bounded(14)),
                           expected(model, window)),
              1e-2);
}

TEST_F(DecoderTest, AGiantAmongSmallComponents) {
  std::vector<Record> records{disc({100, 80}, 5000, {0.1, 0.2, 0.3})};
  for (int i = 0; i < 50; ++i)
    records.push_back(disc({3.0 * i, 2.0 * i}, 1.5, {0.9, 0.02 * i, 0.5}));
  const Model model = modelOf(records, {200, 160});
  const ViewWindow window{{200, 160}};
  EXPECT_LT(largestError(decoded(decoder(), model, window, bounded(12)), expected(model, window)),
            std::ldexp(1.0, -13));
}

TEST_F(DecoderTest, WindowsShowAnyPartAtAnyScale) {
  const Model model = randomModel(5, 2, 300, {120, 90});
  const ViewWindow inside[] = {{{100, 80}, {30.25, -7.5}, 0.13},
                               {{40, 30}, {61.0001, 44.9999}, 1e-3}};
  for (const ViewWindow& window : inside)
    EXPECT_LT(largestError(decoded(decoder(), model, window, bounded(12)), expected(model, window)),
              std::ldexp(1.0, -13))
        << window.corner.x;
  // Far outside, log weights are so large that float32 leaves them an error that shows.
  const ViewWindow outside[] = {{{64, 48}, {-200, -150}, 8.5}, {{33, 31}, {-90000, 60000}, 1500}};
  for (const ViewWindow& window : outside)
    EXPECT_LT(largestError(decoded(decoder(), model, window, bounded(12)), expected(model, window)),
              kForever)
        << window.corner.x;
}

TEST_F(DecoderTest, TranslationChangesNothing) {
  Model model = randomModel(6, 2, 300, {100, 70});
  model.centerFractionBits = 17;
  for (Component& c : model.components) c.cx >>= 3, c.cy >>= 3;
  const ViewWindow window{{100, 70}};
  const auto before = decoded(decoder(), model, window, bounded(12));
  const glm::ivec2 shift{3328, 1648};
  for (Component& c : model.components) c.cx += shift.x << 17, c.cy += shift.y << 17;
  const auto after = decoded(decoder(), model, {{100, 70}, shift}, bounded(12));
  double largest = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    for (int c = 0; c < 3; ++c)
      largest = std::max(largest, std::abs(double(before[i][c]) - after[i][c]));
  EXPECT_LT(largest, 1e-6);
}

TEST_F(DecoderTest, TwoRunsGiveTheSameBits) {
  const Model model = randomModel(7, 2, 2000, {200, 200});
  const ViewWindow window{{200, 200}};
  for (const Relevance relevance : {Relevance::Bounded, Relevance::Budget}) {
    const auto first = decoded(decoder(), model, window, bounded(8, 16, relevance));
    const double certificate = decoder().facts().maxErrorBound;
    EXPECT_TRUE(test::exact(decoded(decoder(), model, window, bounded(8, 16, relevance)), first));
    EXPECT_EQ(certificate, decoder().facts().maxErrorBound);
  }
}

TEST_F(DecoderTest, SlicesGiveTheSamePicture) {
  const Model model = randomModel(8, 2, 400, {600, 520});
  const ViewWindow window{{600, 520}};
  const gpu::Texture sliced = texture(window.size);
  const Image whole = shaded(model, window, bounded(8, 8));
  decoder().setModel(model);
  int calls = 0;
  while (!decoder().build(window, bounded(8, 8), 0)) ++calls;
  while (!decoder().shade(sliced, 0)) ++calls;
  if (context().device().software) {
    EXPECT_GT(calls, 2);
  }
  EXPECT_TRUE(test::exact(sliced.downloadImage().pixels, whole.pixels));
}

TEST_F(DecoderTest, ShowsLinearLightOfEveryColorSpace) {
  Model model = randomModel(9, 2, 60, {50, 40});
  const ViewWindow window{{50, 40}};
  model.components[0].color[0] = 1.3f, model.components[1].color[1] = -0.3f;  // goes on beyond 0..1
  for (const Coding& coding : {Coding(ColorSpace::Srgb), Coding(ColorSpace::Linear),
                               Coding(ColorSpace::Ycbcr709), Coding(ColorSpace::Asinh, 2)}) {
    model.colorSpace = coding.space, model.peak = coding.peak;
    const Image found = shaded(model, window, allComponents());
    EXPECT_TRUE(test::rounding(
        found, reference::toImage(expected(model, window), window.size, coding), 3e-5f));
    EXPECT_TRUE(std::any_of(found.pixels.begin(), found.pixels.end(),
                            [&](const glm::vec4& p) { return p.r > float(coding.peak); }));
  }
}

TEST_F(DecoderTest, SamplesAreAveragedInLinearLight) {
  const Model model = randomModel(10, 2, 200, {150, 120});
  for (const int samples : {2, 3, 5}) {
    const ViewWindow window{{50, 40}, {0, 0}, 3, samples};
    const ViewWindow fine{window.size * samples, {0, 0}, window.step / samples};
    const Image all = reference::toImage(expected(model, fine), fine.size, model.colorSpace);
    Image mean(window.size.x, window.size.y);
    for (int y = 0; y < fine.size.y; ++y)
      for (int x = 0; x < fine.size.x; ++x)
        mean.at(x / samples, y / samples) += all.at(x, y) / float(samples * samples);
    EXPECT_TRUE(test::rounding(shaded(model, window, bounded(14)), mean, 1e-4f)) << samples;
  }
}

class LeadingCoordinates : public DecoderTest, public testing::WithParamInterface<int> {};

TEST_P(LeadingCoordinates, AreSlicedOnTheDevice) {
  const int dims = GetParam();
  const Model model = randomModel(11, dims, 200, {70, 60});
  for (const glm::dvec2 at : {glm::dvec2(0, 0), {1.37, -2.2}, {5.5, 6}}) {
    ViewWindow window{{70, 60}};
    window.at = at;
    const auto truth = expected(model, window);
    EXPECT_LT(largestError(decoded(decoder(), model, window, allComponents()), truth), 1e-5);
    EXPECT_LT(largestError(decoded(decoder(), model, window, bounded(12)), truth),
              std::ldexp(1.0, -13));
    for (const Mode mode : {Mode::PaperFast, Mode::PaperSlow}) {
      DecodeOptions options = allComponents();
      options.mode = mode;
      EXPECT_LT(largestError(decoded(decoder(), model, window, options), truth), 1e-3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dims, LeadingCoordinates, testing::Values(3, 4));

TEST_F(DecoderTest, ShowsWhoWinsWhereAndHowMany) {
  const std::vector<Record> two{disc({10, 20}, 5, {1, 0, 0}), disc({50, 20}, 5, {0, 1, 0})};
  const Model model = modelOf(two, {64, 40});
  const ViewWindow window{{64, 40}};
  const gpu::Texture result = texture(window.size);
  for (const bool columns : {false, true}) {
    Decoder& d = decoder(columns);
    d.setModel(model);
    d.build(window, bounded(8), kForever);
    d.show(result, Show::Winner, 1);
    const Image winners = result.downloadImage();
    EXPECT_EQ(winners.at(0, 0), winners.at(29, 39));
    EXPECT_NE(winners.at(0, 0), winners.at(31, 0));
    EXPECT_EQ(winners.at(31, 0), winners.at(63, 39));
    for (const Show what : {Show::Lists, Show::Certificate, Show::Weight}) {
      d.show(result, what, 1);
      for (const glm::vec4& color : result.downloadImage().pixels)
        ASSERT_TRUE(color.r >= 0 && color.r <= 1 && color.a == 1) << int(what);
    }
  }
}

TEST_F(DecoderTest, ShowsTheDisparityOfALightField) {
  Record near = disc({20, 20}, 30, {1, 1, 1});
  near.m[0].x = near.m[1].y = 0.75;
  const Model model = modelOf(std::vector{near}, {40, 40}, 4);
  const gpu::Texture result = texture({40, 40});
  for (const bool columns : {false, true}) {
    Decoder& d = decoder(columns);
    d.setModel(model);
    d.build({{40, 40}}, bounded(8), kForever);
    d.show(result, Show::Disparity, 1);
    EXPECT_NEAR(0.75f, result.texel(7, 31).r, 1e-5f);
  }
}

TEST_F(DecoderTest, TheWindowRuleMayLeaveNothingAndShowsBlack) {
  const Model model = modelOf(std::vector{disc({8, 8}, 2, {1, 1, 1})}, {200, 40});
  DecodeOptions options = allComponents();
  options.windowBorder = 16;
  const auto colors = decoded(decoder(), model, {{200, 40}}, options);
  EXPECT_EQ(glm::vec4(0), colors.back());
  EXPECT_GT(decoder().facts().emptyTiles, 0u);
  EXPECT_TRUE(std::isinf(decoder().facts().maxErrorBound));
}

constexpr int kModels = 20, kTilesEach = 300;

/// Some of its components are made long and thin, some heavy; how many follows the number.
Model difficultModel(int number) {
  Model model = randomModel(std::uint64_t(100 + number), 2, 40 + 12 * number, {160, 120});
  Random random{std::uint64_t(number)};
  for (Component& c : model.components) {
    if (random.uniform() < 0.04f * float(number % 10)) {
      const float thin = random.uniform(2, 12), along = random.uniform(0.01f, 0.1f);
      const float tilt = random.uniform(-1, 1);
      c.w11 = along, c.w22 = thin, c.w21 = tilt * thin;
    }
    if (number % 4 == 3) c.c += random.uniform(-60, 60);
    for (float& color : c.color) color += number % 5 == 4 ? random.uniform(-1, 1) : 0;
  }
  return model;
}

ViewWindow windowOf(int turn, Random& random) {
  ViewWindow window;
  window.size = {8 * 20, 8 * 15};
  if (turn % 3 == 1) window.step = double(random.uniform(0.02f, 0.9f));
  if (turn % 3 == 2) window.step = double(random.uniform(1.1f, 2.0f));
  window.corner = {double(random.uniform(-5, 20)), double(random.uniform(-5, 20))};
  if (turn == 0) window.step = 1, window.corner = {0, 0};
  return window;
}

class CertificateTest : public test::GpuTest {
 protected:
  struct Found {
    std::size_t tiles = 0, above = 0;
    double largestShare = 0;
  };
  void compareTiles(Decoder& decoder, const Model& model, const ViewWindow& window,
                    const DecodeOptions& options, Found& found) {
    decoder.build(window, options, kForever);
    const std::vector<glm::vec4> colors = decoder.downloadRaw(window);
    const auto truth = reference::decode(reference::recordsOf(model, {}),
                                         {window.size, window.corner, window.step});
    const int side = options.tilePixels, columns = (window.size.x + side - 1) / side;
    const std::vector<double> errors = tileErrors(colors, truth, window.size, side);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const double bound = decoder.certificate({int(i) % columns, int(i) / columns});
      found.above += errors[i] > bound;
      found.largestShare = std::max(found.largestShare, errors[i] / bound);
    }
    found.tiles += errors.size();
  }
};

TEST_F(CertificateTest, IsNeverBelowTheError) {
  const char* wanted = std::getenv("FATHOM_CERTIFIED_TILES");
  const std::size_t each = wanted ? std::size_t(std::atoll(wanted)) / kModels : kTilesEach;
  std::size_t tiles = 0;
  double largest = 0;
  for (int number = 0; number < kModels; ++number) {
    const Model model = difficultModel(number);
    Decoder decoder(context());
    decoder.setModel(model);
    Random random{std::uint64_t(7 + number)};
    Found found;
    for (int turn = 0; found.tiles < each; ++turn) {
      const DecodeOptions options{
          .relevance = (number + turn) % 2 ? Relevance::Budget : Relevance::Bounded,
          .bits = 8 + 2 * ((number + turn) % 4),
          .tilePixels = 8};
      compareTiles(decoder, model, windowOf(turn + (wanted ? 0 : number), random), options, found);
    }
    EXPECT_EQ(found.above, 0u) << "model " << number << " of " << found.tiles << " tiles";
    tiles += found.tiles, largest = std::max(largest, found.largestShare);
  }
  RecordProperty("tiles", std::to_string(tiles));
  RecordProperty("largest_share", std::to_string(largest));
  if (wanted) std::printf("%zu tiles, error at most %.3f of the certificate\n", tiles, largest);
}

TEST_F(CertificateTest, ArithmeticIsAPartOfItThatExactListsHaveToo) {
  Model model = difficultModel(5);
  Decoder decoder(context());
  decoder.setModel(model);
  const DecodeOptions options{.bits = 14};
  decoder.build({{160, 120}}, options, kForever);
  EXPECT_GT(decoder.facts().maxRounding, 1e-6);
  EXPECT_GE(decoder.facts().maxErrorBound, decoder.facts().maxRounding);
  // As a map, both parts and their sum, tile by tile.
  const Image map = decoder.certificates();
  double leftOut = 0;
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x) {
      const glm::vec4& p = map.at(x, y);
      EXPECT_FLOAT_EQ(p.b, p.r + p.g);
      EXPECT_FLOAT_EQ(p.b, float(decoder.certificate({x / 16, y / 16})));
      leftOut = std::max(leftOut, double(p.r));
    }
  EXPECT_GT(leftOut, 0);
  EXPECT_FLOAT_EQ(float(leftOut), float(decoder.facts().maxLeftOut));
  // Asking again adds nothing.
  const double before = decoder.facts().maxErrorBound;
  decoder.certificate({0, 0});
  decoder.downloadRaw({{160, 120}});
  EXPECT_EQ(decoder.facts().maxErrorBound, before);
}

/// What one buffer holds limits no picture.
TEST_F(DecoderTest, ColorsThatNoBufferHoldsAreFetchedInParts) {
  const glm::ivec2 size(1500, 1000);
  const Model model = randomModel(17, 2, 12, size);
  context().memory().setBlockLimit(20 << 20);  // all of them: 24 MB
  const std::vector<glm::vec4> colors = decoded(decoder(), model, {size}, bounded(14));
  ASSERT_EQ(colors.size(), std::size_t(size.x) * std::size_t(size.y));
  for (const int y : {0, 63, 64, 687, 688, 999}) {
    const std::size_t first = std::size_t(y) * std::size_t(size.x);
    const std::vector<glm::vec4> row(colors.begin() + first, colors.begin() + first + size.x);
    EXPECT_LT(largestError(row, expected(model, {{size.x, 1}, {0, y}})), 2e-4) << y;
  }
}

constexpr glm::ivec2 kSize{70, 50};

class LightFieldTest : public test::GpuTest {};

TEST_F(LightFieldTest, JudgesByTheMeanSquaredErrorOfAllViews) {
  const Model model = randomModel(6, 4, 20, kSize);
  Decoder decoder(context());
  decoder.setModel(model);
  const auto pictureOf = [&](ViewCoordinates at, float shift) {
    const Image linear = reference::toImage(
        reference::decode(reference::recordsOf(model, at), {kSize}), kSize, model.colorSpace);
    Image picture = encoded(linear, model.colorSpace);
    // Toward the middle, so that nothing is clamped.
    for (glm::vec4& p : picture.pixels)
      for (int c = 0; c < 3; ++c) p[c] += p[c] < 0.5f ? shift : -shift;
    return picture;
  };
  const Image far = pictureOf({0, 0}, 0.1f), near = pictureOf({1, 2}, 0.01f);
  const std::vector<JudgedView> views{{{0, 0}, &far}, {{1, 2}, &near}};
  const Judgment judgment = judged(decoder, views);
  EXPECT_NEAR(judgment.views[0], 20, 0.01);
  EXPECT_NEAR(judgment.views[1], 40, 0.05);
  EXPECT_NEAR(judgment.psnr, -10 * std::log10((0.01 + 0.0001) / 2), 0.02);
}

}  // namespace
}  // namespace fathom::smoe
