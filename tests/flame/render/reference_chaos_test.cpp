// SPDX-License-Identifier: BSD-3-Clause
// Closed-form answers of the chaos game in double precision.
#include "app/engine/core/random.h"
#include "app/engine/flame/render/reference.h"

namespace fathom::flame::reference {
namespace {

class TestDraws : public GameDraws {
 public:
  double unit() override { return word() * 0x1p-32; }
  int bit() override { return int(word() >> 31); }
  std::uint32_t word() override {
    ++count;
    return random_.next();
  }
  std::size_t count = 0;  // draws so far

 private:
  Random random_{5};
};

Xform linear(double weight, const Affine& coefs) {
  Xform xform;
  xform.weight = weight;
  xform.coefs = coefs;
  xform.variations = {{kLinear, 1, {}}};
  return xform;
}

/// Halves the plane towards (x, y).
Xform towards(double x, double y, double weight = 1) {
  return linear(weight, {0.5, 0, 0, 0.5, x / 2, y / 2});
}

/// Every application is bad: (0 z + 0) / (0 z + 0).
Xform alwaysBad() {
  Xform xform;
  xform.weight = 1;
  xform.variations = {{variationNamed("mobius"), 1, {}}};
  return xform;
}

std::vector<Particle> played(const Genome& genome, double count, TestDraws& draws,
                             const Trajectories& trajectories = {}) {
  std::vector<Particle> plotted;
  play(genome, count, trajectories, draws, [&](const Particle& t) { plotted.push_back(t); });
  return plotted;
}

std::vector<Particle> played(const Genome& genome, double count) {
  TestDraws draws;
  return played(genome, count, draws);
}

template <class Test>
double share(const std::vector<Particle>& points, const Test& test) {
  return double(std::count_if(points.begin(), points.end(), test)) / double(points.size());
}

/// A share of independent draws; those of a chaos game are nearly so.
::testing::AssertionResult near(double found, double expected, std::size_t count) {
  return test::noise(found, expected * (1 - expected), count, expected);
}

TEST(ChaosGame, OfOneXformLandsOnItsFixedPoint) {
  Genome genome;
  genome.xforms = {towards(1, -2)};
  for (const Particle& t : played(genome, 10)) {
    EXPECT_NEAR(t.position.x, 1, 1e-12);
    EXPECT_NEAR(t.position.y, -2, 1e-12);
  }
}

TEST(ChaosGame, GivesCantorDustItsMasses) {
  Genome genome;
  const double third = 1.0 / 3;
  genome.xforms = {linear(1, {third, 0, 0, third, 0, 0}),
                   linear(3, {third, 0, 0, third, 2 * third, 0})};
  const std::size_t count = 100000;
  const auto points = played(genome, double(count));
  const auto below = [](double x) { return [x](const Particle& t) { return t.position.x < x; }; };
  EXPECT_TRUE(near(share(points, below(0.5)), 0.25, count));
  EXPECT_TRUE(near(share(points, below(1.0 / 6)), 0.0625, count));
  EXPECT_TRUE(near(share(points, below(5.0 / 6)), 0.25 + 0.75 * 0.25, count));
}

TEST(ChaosGame, MovesColorAsFarAsItsSpeedSays) {
  Xform xform = towards(0, 0);
  xform.color = 1;
  xform.colorSpeed = 0.25;
  Particle t{{1, 1}, 0.2, 1};
  TestDraws draws;
  EXPECT_TRUE(apply(xform, t, draws));
  EXPECT_DOUBLE_EQ(t.color, 0.25 + 0.75 * 0.2);
  EXPECT_EQ(t.position, glm::dvec2(0.5, 0.5));
}

TEST(ChaosGame, AppliesThePostTransformLast) {
  Xform xform = towards(0, 0);
  xform.variations = {{variationNamed("bent"), 1, {}}};
  xform.post = {0, 1, -1, 0, 10, 20};  // a quarter turn, then a shift
  Particle t{{-2, -2}, 0, 1};
  TestDraws draws;
  apply(xform, t, draws);
  EXPECT_EQ(t.position, glm::dvec2(10.5, 18));
}

TEST(ChaosGame, BlursBeforeTheOtherVariations) {
  Xform xform = towards(0, 0);
  xform.variations = {{variationNamed("bent"), 1, {}}, {kPreBlur, 0.001, {}}};
  Particle t{{-2, -2}, 0, 1};
  TestDraws draws;
  apply(xform, t, draws);
  EXPECT_EQ(draws.count, 5u);
  EXPECT_NE(t.position, glm::dvec2(-2, -0.5));
  EXPECT_NEAR(t.position.x, -2, 0.004);
  EXPECT_NEAR(t.position.y, -0.5, 0.001);
}

/// As in flam3, for draws that are always 0.9375.
TEST(ChaosGame, BlursByTheSumOfFourDraws) {
  class : public Draws {
    double unit() override { return 0.9375; }
    int bit() override { return 1; }
  } draws;
  Xform xform;
  xform.variations = {{kLinear, 1, {}}, {kPreBlur, 0.9, {}}};
  Particle t{{0.7, -0.4}, 0, 1};
  apply(xform, t, draws);
  EXPECT_NEAR(t.position.x, 2.15511, 5e-7);
  EXPECT_NEAR(t.position.y, -1.002726, 5e-7);
}

/// 0.5 + 2 * 3 steps of the palette of 254: it begins again after each 256.
TEST(ChaosGame, ColorsByDistanceAreShownAndNotKept) {
  Xform xform;
  xform.coefs = {1, 0, 0, 1, 3, 0};
  xform.colorSpeed = 0;
  xform.variations = {{kLinear, 1, {}}, {variationNamed("distance_color"), 1, {0.5, 2}}};
  Particle t{{0.25, 0.5}, 0.125, 1};
  TestDraws draws;
  apply(xform, t, draws);
  EXPECT_EQ(t.color, 0.125);
  EXPECT_NEAR(t.shown, (std::fmod(std::floor(6.5 * 254 + 0.5), 256) + 0.5) / 256, 1e-12);
}

TEST(ChaosGame, VariationsSetColorsThatAreKept) {
  Xform xform;
  xform.color = 1;
  xform.variations = {{variationNamed("dc_linear"), 1, {0, 0, 2}}};
  Particle t{{1, 2}, 0, 1};
  TestDraws draws;
  apply(xform, t, draws);
  EXPECT_NEAR(t.color, 0.75, 1e-12);
  EXPECT_EQ(t.shown, -1);
}

TEST(ChaosGame, OfNoVariationIsTheOrigin) {
  Genome genome;
  genome.xforms = {towards(1, 1)};
  genome.xforms[0].variations.clear();
  EXPECT_EQ(played(genome, 1)[0].position, glm::dvec2(0));
}

TEST(ChaosGame, TakesTheFifthBadValueInARow) {
  Genome genome;
  genome.xforms = {alwaysBad()};
  TestDraws draws;
  const auto points = played(genome, 20, draws, {0, 1e6});
  // Four draws start a trajectory; every application takes a choice and a random point.
  EXPECT_EQ(draws.count, 4 + 20 * 5 * 3u);
  for (const Particle& t : points) {
    EXPECT_LE(std::abs(t.position.x), 1);
    EXPECT_LE(std::abs(t.position.y), 1);
  }
}

TEST(ChaosGame, GoesOnFromARandomPointAfterABadValue) {
  Genome genome;
  genome.xforms = {towards(100, 0), alwaysBad()};
  const auto points = played(genome, 20000);
  // Only the xform that works is taken as applied, but for four bad values in a row before it...
  const double fifth = std::pow(0.5, 5);
  const auto isRandom = [](const Particle& t) { return std::abs(t.position.x) <= 1; };
  EXPECT_TRUE(near(share(points, isRandom), fifth, points.size()));
}

/// Every thousand iterations JWildfire looks whether its point is a number. If it is not, another
/// one is led in by 42, which may make that one bad, too.
TEST(ChaosGame, OfJWildfireStaysBadUntilItIsLookedAt) {
  Genome genome;
  genome.dialect = Dialect::JWildfire;
  genome.xforms = {towards(1, 0), alwaysBad()};
  genome.xforms[1].weight = 33.0 / (16384 - 33);
  const double good = 1 - 33.0 / 16384, block = std::pow(good, 1000), lead = std::pow(good, 42);
  const double begins = lead / (1 - block * (1 - lead));
  const double wanted = begins * good * (1 - block) / (1 - good) / 1000;
  const auto isNumber = [](const Particle& t) { return std::isfinite(t.position.x); };
  EXPECT_NEAR(share(played(genome, 2e6), isNumber), wanted, 0.03);
}

TEST(ChaosGame, OfJWildfireLetsPointsGoFarAndComeBack) {
  Genome genome;
  genome.dialect = Dialect::JWildfire;
  genome.xforms = {linear(1, {1e12, 0, 0, 1e12, 0, 0}), linear(1, {1e-12, 0, 0, 1e-12, 3, 0})};
  const auto isFar = [](const Particle& t) { return std::abs(t.position.x) > 1e11; };
  EXPECT_GT(share(played(genome, 2e4), isFar), 0.4);
}

TEST(ChaosGame, PlotsABadFinalXformAtRandom) {
  Genome genome;
  genome.xforms = {towards(5, 5)};
  genome.finalXform = alwaysBad();
  TestDraws draws;
  const auto points = played(genome, 100, draws, {0, 1e6});
  EXPECT_EQ(draws.count, 4 + 100 * 3u);  // no retries
  for (const Particle& t : points) EXPECT_LE(std::abs(t.position.x), 1);
}

TEST(ChaosGame, AppliesTheFinalXformWithTheProbabilityOfItsOpacity) {
  Genome genome;
  genome.xforms = {towards(0, 0)};
  genome.finalXform = linear(0, {1, 0, 0, 1, 10, 0});
  genome.finalXform->opacity = 0.25;
  const auto points = played(genome, 20000);
  EXPECT_TRUE(
      near(share(points, [](const Particle& t) { return t.position.x > 5; }), 0.25, points.size()));
  for (const Particle& t : points) EXPECT_EQ(t.visibility, 1);
}

TEST(ChaosGame, GoesOnWithoutTheFinalXform) {
  Genome genome;
  genome.xforms = {towards(0, 0)};
  genome.finalXform = linear(0, {1, 0, 0, 1, 10, 0});
  for (const Particle& t : played(genome, 10)) EXPECT_NEAR(t.position.x, 10, 1e-12);
}

TEST(ChaosGame, StartsTrajectoriesAnew) {
  Genome genome;
  genome.xforms = {linear(1, {1, 0, 0, 1, 1, 0})};  // one step to the right
  TestDraws draws;
  const auto points = played(genome, 8, draws, {10, 3});
  ASSERT_EQ(points.size(), 8u);
  EXPECT_NEAR(points[2].position.x - points[0].position.x, 2, 1e-12);
  EXPECT_LT(points[3].position.x, points[2].position.x);
  EXPECT_EQ(draws.count, 3 * 4 + 3 * 10 + 8u);
}

TEST(ChaosGame, HidesAllButTheSoloXform) {
  Genome genome;
  genome.xforms = {towards(-1, 0), towards(1, 0)};
  genome.soloXform = 1;
  for (const Particle& t : played(genome, 100)) EXPECT_EQ(t.visibility, t.position.x < 0 ? 0 : 1);
}

TEST(Opacity, IsAPowerCurve) {
  EXPECT_EQ(visibilityOf(0), 0);
  EXPECT_NEAR(visibilityOf(0.1), 0.00047651, 5e-9);
  EXPECT_NEAR(visibilityOf(0.25), 0.01, 1e-15);
  EXPECT_NEAR(visibilityOf(0.5), 0.1, 1e-15);
  EXPECT_NEAR(visibilityOf(0.75), 0.384559, 5e-7);
  EXPECT_NEAR(visibilityOf(0.9), 0.704688, 5e-7);
  EXPECT_EQ(visibilityOf(1), 1);
}

std::map<int, int> entries(const XformTable& table, int last = -1) {
  std::map<int, int> counts;
  for (std::uint32_t i = 0; i < XformTable::kEntries; ++i) ++counts[table.choose(last, i)];
  return counts;
}

Genome weighted(const std::vector<double>& weights) {
  Genome genome;
  for (const double weight : weights) genome.xforms.push_back(towards(0, 0, weight));
  return genome;
}

TEST(XformTable, QuantizesProbabilities) {
  const auto counts = entries(XformTable(weighted({100, 1, 100})));
  EXPECT_NEAR(counts.at(0), 8151, 1);
  EXPECT_NEAR(counts.at(1), 81.5, 0.5);
}

TEST(XformTable, NeverChoosesWhatHasNoWeight) {
  EXPECT_EQ(entries(XformTable(weighted({0, 1, 0, 1, 0}))),
            (std::map<int, int>{{1, 8192}, {3, 8192}}));
}

TEST(XformTable, ChoosesByTheRowOfTheLastXform) {
  Genome genome = weighted({1, 1});
  genome.xforms[0].chaos = {0, 2};
  genome.xforms[1].chaos = {3};  // a missing factor is 1
  const XformTable table(genome);
  EXPECT_TRUE(table.hasXaos());
  EXPECT_EQ(entries(table), (std::map<int, int>{{0, 8192}, {1, 8192}}));
  EXPECT_EQ(entries(table, 0), (std::map<int, int>{{1, 16384}}));
  EXPECT_EQ(entries(table, 1), (std::map<int, int>{{0, 12288}, {1, 4096}}));
}

TEST(XformTable, SeesNoXaosInFactorsOfOne) {
  Genome genome = weighted({1, 1});
  genome.xforms[0].chaos = {1, 1};
  EXPECT_FALSE(XformTable(genome).hasXaos());
}

TEST(XformTable, RefusesWhatCannotBeChosenFrom) {
  EXPECT_THROW(XformTable(weighted({})), Error);
  EXPECT_THROW(XformTable(weighted({0, 0})), Error);
  EXPECT_THROW(XformTable(weighted({1, -1})), Error);
  EXPECT_THROW(XformTable(weighted({1, std::nan("")})), Error);
  Genome genome = weighted({1, 1});
  genome.xforms[1].chaos = {0, 0};
  EXPECT_THROW((XformTable(genome)), Error);
}

HistogramShape shape(glm::ivec2 size, int supersample = 1, int gutter = 0) {
  return {size, supersample, gutter, true};
}

TEST(BucketMap, PutsTheCenterInTheMiddleAndTheGutterAround) {
  Genome genome;
  genome.center = {3, 4};
  genome.scale = 10;
  const BucketMap map(genome, shape({20, 40}, 2, 5));
  EXPECT_EQ(map.bucketAt({3, 4}), glm::ivec2(25, 45));
  EXPECT_EQ(map.bucketAt({3.5001, 4}), glm::ivec2(35, 45));
  EXPECT_EQ(map.bucketAt({3, 4.5001}), glm::ivec2(25, 55));  // y grows downward
  EXPECT_EQ(map.bucketAt({3 - 1.2499, 4}), glm::ivec2(0, 45));
  EXPECT_EQ(map.bucketAt({3 - 1.2501, 4}), std::nullopt);
  EXPECT_EQ(map.bucketAt({3 + 1.2499, 4}), glm::ivec2(49, 45));
  EXPECT_EQ(map.bucketAt({3 + 1.2501, 4}), std::nullopt);
}

TEST(BucketMap, TurnsClockwiseAboutTheCenter) {
  Genome genome;
  genome.center = {3, 4};
  genome.scale = 10;
  genome.rotate = 90;
  const BucketMap map(genome, shape({40, 40}));
  EXPECT_EQ(map.bucketAt({3, 4}), glm::ivec2(20, 20));
  EXPECT_EQ(map.bucketAt({4.0001, 3.9999}), glm::ivec2(20, 30));  // right goes down
}

TEST(BucketMap, ZoomDoublesTheScale) {
  Genome genome;
  genome.scale = 10;
  genome.zoom = 1;
  EXPECT_EQ(BucketMap(genome, shape({40, 40})).bucketAt({0.5001, 0}), glm::ivec2(30, 20));
}

TEST(PaletteColor, StepsOrMixes) {
  Palette palette{};
  for (int i = 0; i < 256; ++i) palette[std::size_t(i)] = glm::vec4(float(i));
  const auto step = [&](double color) { return paletteColor(palette, PaletteMode::Step, color).r; };
  const auto mix = [&](double color) {
    return paletteColor(palette, PaletteMode::Linear, color).r;
  };
  EXPECT_EQ(step(1.5 / 256), 1);
  EXPECT_EQ(step(1), 255);
  EXPECT_EQ(step(-1), 0);
  EXPECT_EQ(mix(1.5 / 256), 1.5);
  EXPECT_EQ(mix(254.5 / 256), 254.5);
  EXPECT_EQ(mix(255.5 / 256), 255);
  EXPECT_EQ(mix(7), 255);
  EXPECT_EQ(mix(-7), 0);
}

TEST(ReferenceHistogram, HoldsAllHitsOfAFlameInView) {
  Genome genome;
  genome.scale = 10;
  genome.xforms = {towards(-1, -1), towards(1, 1)};
  genome.xforms[1].opacity = 0.5;
  genome.palette.fill({1, 0.5f, 0.25f, 1});
  const Histogram histogram = iterate(genome, shape({40, 40}), 20000, 1);
  const double hits = std::accumulate(histogram.hits.begin(), histogram.hits.end(), 0.0);
  EXPECT_EQ(histogram.samples, 20000);
  EXPECT_TRUE(near((hits / 20000 - 0.1) / 0.9, 0.5, 20000));
  glm::dvec4 sum(0);
  for (const glm::dvec4& color : histogram.color) sum += color;
  EXPECT_NEAR(sum.r, 255 * hits, 1e-6 * sum.r);
  EXPECT_NEAR(sum.g, 127.5 * hits, 1e-6 * sum.r);
  EXPECT_NEAR(sum.a, 255 * hits, 1e-6 * sum.r);
}

/// JWildfire plots a point and all turned copies, the first of which is the point again; or two
/// mirrored ones, apart by the distance and turned to both sides.
TEST(ChaosGame, OfJWildfirePlotsCopiesOfPostSymmetry) {
  Genome genome;
  genome.dialect = Dialect::JWildfire;
  genome.xforms = {towards(2, 1)};
  JWildfireFinish& own = genome.jwildfire;
  own.symmetryCenter = {1, 1};
  const auto shareAt = [&](glm::dvec2 at) {
    const auto isThere = [&](const Particle& t) { return glm::length(t.position - at) < 1e-9; };
    return share(played(genome, 2e4), isThere);
  };
  own.symmetry = PostSymmetry::Point, own.symmetryOrder = 4;
  EXPECT_NEAR(shareAt({2, 1}), 0.4, 0.02);
  for (const glm::dvec2 at : {glm::dvec2(1, 2), {0, 1}, {1, 0}})
    EXPECT_NEAR(shareAt(at), 0.2, 0.02);
  own.symmetryOrder = 1;
  EXPECT_EQ(shareAt({2, 1}), 1);
  own.symmetryDistance = 3, own.symmetryRotation = 30;
  const double c = std::cos(std::numbers::pi / 6), s = 0.5;
  own.symmetry = PostSymmetry::XAxis;  // 2.5 to the right of the center, and to its left
  EXPECT_NEAR(shareAt({1 + 2.5 * c, 1 - 2.5 * s}), 0.5, 0.02);
  EXPECT_NEAR(shareAt({1 - 2.5 * c, 1 - 2.5 * s}), 0.5, 0.02);
  own.symmetry = PostSymmetry::YAxis;  // 1 to the right of the center, 1.5 above or below
  EXPECT_NEAR(shareAt({1 + c + 1.5 * s, 1 + 1.5 * c - s}), 0.5, 0.02);
  EXPECT_NEAR(shareAt({1 + c + 1.5 * s, 1 - 1.5 * c + s}), 0.5, 0.02);
  own.symmetryDistance = 0;
  EXPECT_NEAR(shareAt({1 + c, 1 - s}), 0.5, 0.02);
  genome.dialect = Dialect::Flam3;
  EXPECT_EQ(shareAt({2, 1}), 1);
}

/// The last xform decides; a final xform that is no such image gives the palette's color back.
TEST(ReferenceHistogram, HoldsFullColors) {
  Genome genome;
  genome.size = {40, 40}, genome.scale = 40;
  genome.xforms = {linear(1, {})};
  const auto use = [&](double gradient) {
    VariationUse image{variationNamed("dc_menger"), 1, {1, 0, 0, gradient, 0, 0, 1}};
    genome.xforms[0].variations = {image};
    const Histogram hits = iterate(genome, shapeFor(genome, {}), 1000, 1);
    const auto sum = std::accumulate(hits.color.begin(), hits.color.end(), glm::dvec4(0));
    return sum / (255 * std::accumulate(hits.hits.begin(), hits.hits.end(), 0.0));
  };
  genome.palette.fill({0, 0, 0, 1});
  genome.palette[7] = {0.5, 0.75, 0.25, 1};
  EXPECT_EQ(use(0), glm::dvec4(1, 1, 1, 1));          // all of it is white
  EXPECT_EQ(use(1), glm::dvec4(0.5, 0.75, 0.25, 1));  // what is nearest in the palette
  genome.finalXform = linear(1, {});
  EXPECT_EQ(use(0), glm::dvec4(0, 0, 0, 1));
}

/// Entry 127 is that of the color 0.5: the nearest of 0 to 254.
TEST(ReferenceHistogram, OfJWildfireTakesTheNearestOf255Colors) {
  Genome genome;
  genome.xforms = {towards(0, 0)};
  genome.xforms[0].color = 0.5, genome.xforms[0].colorSpeed = 1;
  genome.palette[127] = {1, 0, 0, 1}, genome.palette[128] = {0, 1, 0, 1};
  const auto color = [&](Dialect dialect) {
    genome.dialect = dialect;
    const Histogram hits = iterate(genome, shapeFor(genome, {}), 100, 1);
    return std::accumulate(hits.color.begin(), hits.color.end(), glm::dvec4(0));
  };
  EXPECT_EQ(color(Dialect::Flam3).r, 0);
  EXPECT_EQ(color(Dialect::JWildfire).g, 0);
  EXPECT_EQ(color(Dialect::JWildfire).r, 100 * 255);
}

TEST(ReferenceHistogram, FollowsTheSeedAlone) {
  Genome genome;
  genome.xforms = {towards(-1, -1), towards(1, 1)};
  const Histogram a = iterate(genome, shape({40, 40}), 5000, 1);
  EXPECT_EQ(a.hits, iterate(genome, shape({40, 40}), 5000, 1).hits);
  EXPECT_NE(a.hits, iterate(genome, shape({40, 40}), 5000, 2).hits);
}

}  // namespace
}  // namespace fathom::flame::reference
