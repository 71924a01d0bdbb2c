// SPDX-License-Identifier: BSD-3-Clause
// The table of variations and their definitions in double precision: known answers, and the spots
// where flam3's way is not the obvious one.
#include "tests/flame/genome/variation_vectors.h"

namespace fathom::flame {
namespace {

using test::FixedDraws;

glm::dvec2 evaluated(const VariationUse& use, glm::dvec2 p, Draws& draws,
                     const Affine& coefs = test::kVectorCoefs) {
  const VariationInput in{p.x, p.y, use.weight, use.parameters.data(), &coefs};
  return variations()[std::size_t(use.index)].evaluate(in, draws);
}

/// With the defaults of the parameters, weight 1.
VariationUse byDefault(std::string_view name) {
  VariationUse use{variationNamed(name), 1, {}};
  const auto& parameters = variations()[std::size_t(use.index)].parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) use.parameters[i] = parameters[i].fallback;
  return use;
}

glm::dvec2 byDefault(std::string_view name, glm::dvec2 p, double unit = 0.9375) {
  FixedDraws draws(unit);
  return evaluated(byDefault(name), p, draws);
}

bool isBadPoint(glm::dvec2 p) { return isBad(p.x) || isBad(p.y); }

TEST(VariationTable, NamesAreUniqueAndFound) {
  for (int i = 0; i < variationCount(); ++i)
    EXPECT_EQ(variationNamed(variations()[std::size_t(i)].name), i);
  EXPECT_EQ(variationNamed("no_such_thing"), -1);
  EXPECT_GE(variationNamed("linear3D"), kFlam3Variations);
  EXPECT_GE(variationCount() - kFlam3Variations, 180);
  EXPECT_EQ(variationNamed("linear"), kLinear);
  EXPECT_EQ(variationNamed("pre_blur"), kPreBlur);
}

TEST(VariationTable, ParametersHaveNamesAndRangesThatHoldTheDefault) {
  for (const VariationInfo& info : variations()) {
    std::set<std::string_view> names;
    for (const ParameterInfo& parameter : info.parameters) {
      EXPECT_TRUE(names.insert(parameter.name).second) << info.name << " " << parameter.name;
      EXPECT_LE(parameter.low, parameter.fallback) << info.name << " " << parameter.name;
      EXPECT_GE(parameter.high, parameter.fallback) << info.name << " " << parameter.name;
    }
  }
}

TEST(VariationTable, EveryVariationActsBeforeAmongAndAfter) {
  for (const char* name : {"julian", "bwraps", "curl3D"}) {
    const int own = variationNamed(name);
    const int before = variationNamed("pre_" + std::string(name));
    const int after = variationNamed("post_" + std::string(name));
    ASSERT_GE(before, 0);
    ASSERT_GE(after, 0);
    EXPECT_EQ(variations()[std::size_t(own)].stage, VariationStage::Among);
    EXPECT_EQ(variations()[std::size_t(before)].stage, VariationStage::Before);
    EXPECT_EQ(variations()[std::size_t(after)].stage, VariationStage::After);
    EXPECT_EQ(baseOf(before), own);
    EXPECT_EQ(baseOf(after), own);
    EXPECT_EQ(variations()[std::size_t(after)].function, name);
  }
  EXPECT_EQ(variationNamed("pre_blur"), kPreBlur);  // flam3's own keeps its name
  EXPECT_EQ(baseOf(variationNamed("bubble#1#")), variationNamed("bubble"));
}

TEST(VariationTable, PacksParametersAsTheyAreWhereNothingIsComputed) {
  const VariationUse use = test::vectorUse(variationNamed("mobius"));
  double packed[kMaxPacked] = {};
  packVariation(use, {}, packed);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(packed[i], use.parameters[i]);
}

TEST(VariationTable, PacksWhatWavesTakeFromTheCoefs) {
  double packed[kMaxPacked] = {};
  packVariation({variationNamed("waves"), 1, {}}, {1, 0, 0.5, 2, 0.25, 0}, packed);
  EXPECT_EQ(packed[0], 0.5);
  EXPECT_NEAR(packed[1], 16, 1e-7);
  EXPECT_EQ(packed[2], 2);
  EXPECT_NEAR(packed[3], 1e10, 1);
}

TEST(Variations, MeetTheKnownAnswersToSevenDigits) {
  FixedDraws draws;
  for (int i = 0; i < kFlam3Variations; ++i) {
    const test::VariationVector& known = test::kVariationVectors[i];
    ASSERT_EQ(variations()[std::size_t(i)].name, known.name);
    const glm::dvec2 q = evaluated(test::vectorUse(i), test::kVectorPoint, draws);
    EXPECT_NEAR(q.x, known.x, 5.1e-7 * std::abs(known.x)) << known.name;
    EXPECT_NEAR(q.y, known.y, 5.1e-7 * std::abs(known.y)) << known.name;
  }
}

TEST(Variations, BoardersDrawsTheMiddleOfTheCellOneTimeInFour) {
  FixedDraws low(0.25);
  const VariationUse use = test::vectorUse(variationNamed("boarders"));
  const glm::dvec2 q = evaluated(use, test::kVectorPoint, low);
  EXPECT_NEAR(q.x, 0.59625, 1e-12);
  EXPECT_NEAR(q.y, -0.405, 1e-12);
}

TEST(Variations, AreBadOrFineAtTheOriginAsFlam3s) {
  // Are bad at the origin where direction has no meaning.
  for (const char* name :
       {"spiral", "hyperbolic", "diamond", "power", "rings", "blob", "rings2", "super_shape",
        "flower", "conic", "loonie", "scry", "polar2", "log", "cpow", "escher"})
    EXPECT_TRUE(isBadPoint(byDefault(name, {0, 0}))) << name;
  // Are fine at the origin where only the angle is asked.
  for (const char* name :
       {"polar", "handkerchief", "heart", "disc", "ex", "julia", "julian", "juliascope", "wedge",
        "radial_blur", "fan", "fan2", "edisc", "elliptic"})
    EXPECT_FALSE(isBadPoint(byDefault(name, {0, 0}))) << name;
  // Divide by zero with their defaults.
  for (const char* name : {"modulus", "perspective", "mobius"})
    EXPECT_TRUE(isBadPoint(byDefault(name, {0.7, -0.4}))) << name;
  // Julian with a negative distance is bad at the origin.
  VariationUse use = byDefault("julian");
  use.parameters[1] = -1;
  FixedDraws draws;
  EXPECT_TRUE(isBadPoint(evaluated(use, {0, 0}, draws)));
}

TEST(Variations, Rings2WithoutValueOverflowsItsIntegerAsFlam3Does) {
  const glm::dvec2 near = byDefault("rings2", {0, 0.4}), far = byDefault("rings2", {0, 1});
  EXPECT_NEAR(near.y, 0.4, 1e-6);
  EXPECT_NEAR(far.y, 2.4294967, 1e-6);  // 2 r + 2^32 * eps
}

TEST(Variations, CurveWithoutLengthIsFlat) {
  VariationUse use = byDefault("curve");
  use.parameters = {1, 1, 0, 0};
  FixedDraws draws;
  EXPECT_EQ(evaluated(use, {0.7, -0.4}, draws), glm::dvec2(0.7, -0.4));
  EXPECT_EQ(evaluated(use, {0.7, 0}, draws), glm::dvec2(1.7, 0));
}

TEST(Variations, JulianReachesAllOfManyRoots) {
  VariationUse use = byDefault("julian");
  use.parameters = {293, 1};
  std::set<int> roots;
  for (int i = 0; i < 65536; ++i) {
    FixedDraws draws(i / 65536.0);
    const glm::dvec2 q = evaluated(use, {1, 0}, draws);
    const double turn = std::atan2(q.y, q.x) / (2 * std::numbers::pi);
    roots.insert(int(std::lround((turn < 0 ? turn + 1 : turn) * 293)) % 293);
  }
  EXPECT_EQ(roots.size(), 293u);
}

TEST(Variations, TwintrianReplacesALogarithmOfZero) {
  const glm::dvec2 q = byDefault("twintrian", {0.5, 0.5}, 0);
  EXPECT_EQ(q, glm::dvec2(-15, -15));
}

}  // namespace
}  // namespace fathom::flame
