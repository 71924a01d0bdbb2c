// SPDX-License-Identifier: BSD-3-Clause
// The table of variations and their definitions in double precision: known answers, and the spots
// where flam3's way is not the obvious one.
#include "tests/flame/genome/variation_vectors.h"

#include <gtest/gtest.h>

#include <numbers>
#include <set>
#include <string>
#include <vector>

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

glm::dvec3 inSpace(std::string_view name, glm::dvec3 p, std::vector<double> parameters = {},
                   double unit = 0.25, double weight = 1) {
  VariationUse use{variationNamed(name), weight, {}};
  const VariationInfo& info = variations()[std::size_t(use.index)];
  for (std::size_t i = 0; i < info.parameters.size(); ++i)
    use.parameters[i] = i < parameters.size() ? parameters[i] : info.parameters[i].fallback;
  FixedDraws draws(unit, 0);
  return info.evaluate3({p.x, p.y, weight, use.parameters.data(), &test::kVectorCoefs, p.z}, draws);
}

void expectPoint(glm::dvec3 found, glm::dvec3 wanted, const char* what) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], wanted[i], 1e-9) << what << " axis " << i;
}

/// Closed forms where they are easy to see.
TEST(WildVariations, HaveTheValuesThatTheirNamesPromise) {
  const double root = std::sqrt(2.0), pi = std::numbers::pi;
  expectPoint(inSpace("linear3D", {1, 2, 3}, {}, 0, 2), {2, 4, 6}, "linear3D");
  expectPoint(inSpace("flatten", {1, 2, 3}), {1, 2, 0}, "flatten");
  expectPoint(inSpace("spherical3D", {1, 2, 2}), {1 / 9.0, 2 / 9.0, 2 / 9.0}, "spherical3D");
  expectPoint(inSpace("hemisphere", {2, 2, 9}), {2 / 3.0, 2 / 3.0, 1 / 3.0}, "hemisphere");
  expectPoint(inSpace("zscale", {1, 2, 3}, {}, 0, 2), {0, 0, 6}, "zscale");
  expectPoint(inSpace("ztranslate", {1, 2, 3}, {}, 0, 2), {0, 0, 2}, "ztranslate");
  expectPoint(inSpace("zcone", {3, 4, 0}), {0, 0, 5}, "zcone");
  expectPoint(inSpace("julia3D", {4, 0, 0}, {2}, 0), {2, 0, 0}, "julia3D");
  expectPoint(inSpace("curl3D", {1, 0, 0}, {0, 0, 0}), {1, 0, 0}, "curl3D");
  expectPoint(inSpace("rotate_x", {1, 2, 3}), {1, 3, -2}, "rotate_x");
  expectPoint(inSpace("bi_linear", {1, 2, 0}), {2, 1, 0}, "bi_linear");
  expectPoint(inSpace("twoface", {2, 0, 0}), {0.5, 0, 0}, "twoface");
  expectPoint(inSpace("twoface", {-2, 1, 0}), {-2, 1, 0}, "twoface left");
  expectPoint(inSpace("unpolar", {0, 0, 0}), {0, 0.5 / pi, 0}, "unpolar");
  expectPoint(inSpace("crop", {5, 0.5, 0}, {-1, 1, -1, 1, 0, 0}), {1, 0.5, 0}, "crop");
  expectPoint(inSpace("circlecrop", {3, 4, 0}, {1, 0, 0, 0, 0}), {0.6, 0.8, 0}, "circlecrop");
  expectPoint(inSpace("bwraps", {0.02, 0.02, 0}, {1, 4}), {0.02, 0.02, 0}, "bwraps outside");
  expectPoint(inSpace("point_symmetry_wf", {1, 0, 0}, {0, 0, 4}), {0, -1, 0}, "point symmetry");
  expectPoint(inSpace("circlize2", {1, 1, 0}), {1 / root, 1 / root, 0}, "circlize2");
  expectPoint(inSpace("glynnia", {3, 4, 0}), {8 / std::sqrt(400.0), 4 / std::sqrt(400.0), 0},
              "glynnia");
  expectPoint(inSpace("wdisc", {1, 0, 0}), {0, 0, 0}, "wdisc");
  expectPoint(inSpace("tile_log", {1, 2, 0}, {0}), {1, 2, 0}, "tile_log");
  expectPoint(inSpace("flipy", {1, 2, 0}), {1, -2, 0}, "flipy");
  expectPoint(inSpace("waves2_3D", {0, 0, 1}, {2, 1}), {0, 0, 1}, "waves2_3D");
  expectPoint(inSpace("poincare3D", {0.5, 0.25, 0.1}, {0, 0, 0}), {0.5, 0.25, 0.1}, "poincare3D");
  expectPoint(inSpace("hypertile", {0, 0, 0}, {4, 5, 0}),
              {1 / std::sqrt(1 + 1 / std::cos(2 * pi / 5)), 0, 0}, "hypertile");
}

TEST(WildVariations, OfComplexNumbersAreThoseOnTheRealAxis) {
  const double pi = std::numbers::pi;
  expectPoint(inSpace("sinh2_bs", {0, pi / 2, 0}), {0, 1, 0}, "sinh2_bs");
  expectPoint(inSpace("cosh2_bs", {1, 0, 0}), {std::cosh(1), 0, 0}, "cosh2_bs");
  expectPoint(inSpace("tanh2_bs", {1, 0, 0}), {std::tanh(1), 0, 0}, "tanh2_bs");
  expectPoint(inSpace("coth2_bs", {1, 0, 0}), {1 / std::tanh(1), 0, 0}, "coth2_bs");
  expectPoint(inSpace("tan2_bs", {pi / 4, 0, 0}), {1, 0, 0}, "tan2_bs");
  expectPoint(inSpace("cot2_bs", {pi / 3, 0, 0}), {1 / std::sqrt(3), 0, 0}, "cot2_bs");
  expectPoint(inSpace("csc2_bs", {pi / 6, 0, 0}), {2, 0, 0}, "csc2_bs");
  expectPoint(inSpace("csch2_bs", {1, 0, 0}), {1 / std::sinh(1), 0, 0}, "csch2_bs");
  expectPoint(inSpace("sech2_bs", {1, 0, 0}), {1 / std::cosh(1), 0, 0}, "sech2_bs");
  expectPoint(inSpace("acosh", {2, 0, 0}), {2 / pi * std::acosh(2), 0, 0}, "acosh");
  expectPoint(inSpace("acosech", {0.5, 0, 0}), {0, 2 / pi * std::acosh(2), 0}, "acosech");
  expectPoint(inSpace("acoth", {2, 0, 0}), {0, 2 / pi * std::atanh(0.5), 0}, "acoth");
  expectPoint(inSpace("joukowski", {1, -0.2, 0}), {7.25, 0, 0}, "joukowski");
  // Back from the map, on the side that lies farther out.
  expectPoint(inSpace("joukowski", {7.25, 0, 0}, {2.5, 0, 1}), {6.25, -0.2, 0}, "joukowski back");
}

TEST(WildVariations, LeavePointsAloneWhereTheirParametersSaySo) {
  const glm::dvec3 p(3, 1, 0);
  const auto expectSame = [&](const char* name, std::vector<double> parameters = {}) {
    expectPoint(inSpace(name, p, parameters), p, name);
  };
  expectSame("ejulia", {1});
  expectSame("escale", {1, 0});
  expectSame("cpow2", {1, 0, 1, 1});
  expectSame("oscilloscope2", {0.5, 1, 1, 0.25, 0, 0});
  expectSame("hypershift", {0, 1});
  expectSame("shredrad", {5, 1});
  expectSame("phoenix_julia", {1, 1, 0, 0});
  expectSame("juliaNab", {1, 1, 0, 1});
  expectSame("blob2", {0.5, 1, 9});
  expectSame("loonie2");
  expectSame("lazyTravis", {0, 0, 0});
  expectSame("yin_yang", {0.5, 0, 0, 1, 1});
  expectSame("vibration2", {0, 1, 1, 0, 0, 1, 1, 1, 0});
  expectSame("hexes", {1, 1, 0, 1});
  expectSame("glynnsim1");
  expectSame("glynnsim2");
  expectSame("trade");
  expectSame("swirl3", {0});
  expectSame("stwin", {0});
  expectSame("synth", {1, 5});
}

TEST(WildVariations, OfTheSecondBatchHaveTheValuesThatTheirNamesPromise) {
  const double root = std::sqrt(2.0), pi = std::numbers::pi;
  expectPoint(inSpace("cylinder2", {1, 2, 0}), {1 / root, 2, 0}, "cylinder2");
  expectPoint(inSpace("funnel", {0, 1, 0}), {0, std::tanh(1) * (1 / std::cos(1) + 8 * pi), 0},
              "funnel");
  expectPoint(inSpace("tancos", {1, 1, 0}), {std::tanh(2), std::cos(2), 0}, "tancos");
  expectPoint(inSpace("circus", {2, 0, 0}), {2 / 0.92, 0, 0}, "circus without");
  expectPoint(inSpace("circus", {0, 0.5, 0}), {0, 0.46, 0}, "circus within");
  expectPoint(inSpace("trade", {2, 0.5, 0}), {-2, 0.5, 0}, "trade");
  expectPoint(inSpace("disc3", {1, 0, 0}, {1, 1, 2, 0.25, 1, 1, 1, 1}), {1, 0, 0}, "disc3");
  expectPoint(inSpace("oscilloscope2", {0, 0.5, 0}), {0, -0.5, 0}, "oscilloscope2 inside");
  expectPoint(inSpace("barycentroid", {3, -4, 0}), {3 * root, -4 * root, 0}, "barycentroid");
  expectPoint(inSpace("yin_yang", {0, 0, 0}, {0.5, 0, 0, 0, 0}), {0.5, 0, 0}, "yin_yang");
  expectPoint(inSpace("glynnsim2", {0.5, 0, 0}, {1, 0, 0.5, 1.5, 0, 360}), {0, 1, 0}, "glynnsim2");
  expectPoint(inSpace("gaussian", {1, 2, 0}), {1, 1, 0}, "gaussian");
  expectPoint(inSpace("triangle", {1, 2, 0}), {0, -0.075, 0}, "triangle");
  expectPoint(inSpace("spirograph", {1, 2, 0}, {1, 1, 0, 0, 0, 0, 2 * pi, 0, 0}), {0, 2, 0},
              "spirograph");
  expectPoint(inSpace("crackle", {1, 2, 0}, {1e3, 1, 0, 1, 0}), {0.1875, 0, 0}, "crackle");
  expectPoint(inSpace("sph3D", {1, 2, 2}, {1, 1, 1}), {1 / 9.0, 2 / 9.0, 2 / 9.0}, "sph3D");
  expectPoint(inSpace("affine3D", {1, 0, 0}, {1, 2, 3, 2, 2, 2, 0, 0, 90}), {1, 4, 3}, "affine3D");
  expectPoint(inSpace("affine3D", {0, 1, 0}, {0, 0, 0, 1, 1, 1, 90}), {0, 0, 1}, "affine3D x");
  expectPoint(inSpace("affine3D", {1, 0, 0}, {0, 0, 0, 1, 1, 1, 0, 90}), {0, 0, -1}, "affine3D y");
  expectPoint(inSpace("julia3Dq", {4, 0, 0}, {2, 1}, 0), {2, 0, 0}, "julia3Dq");
  expectPoint(inSpace("octagon", {2, 0, 0}, {0, 0, 0, 4}), {0.125, 0, 0}, "octagon");
  expectPoint(inSpace("ennepers2", {1, 0, 0}), {-0.075, 0, 0.5}, "ennepers2");
  const double r = std::cbrt(2 / 3.0);
  expectPoint(inSpace("sphereblur", {0, 0, 0}), {0, r * std::sqrt(0.75), -0.5 * r}, "sphereblur");
  expectPoint(inSpace("spirograph3D", {0, 0, 0}, {1, 1, 0.5, 0, 2 * pi, 0}), {0.5, 2, 0},
              "spirograph3D");
  // Both superformulas a circle: a ball.
  const std::vector<double> ball{pi, pi, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 0, 0};
  expectPoint(inSpace("supershape3D", {0, 0, 0}, ball),
              {std::cos(0.5) * std::cos(0.5), std::cos(0.5) * std::sin(0.5), std::sin(0.5)},
              "supershape3D");
  expectPoint(inSpace("yz_affine", {1, 2, 3}, {0, 1, -1, 0, 10, 20}), {1, 7, 22}, "yz_affine");
  expectPoint(inSpace("zx_affine", {1, 2, 3}, {0, 1, -1, 0, 10, 20}), {7, 2, 21}, "zx_affine");
}

/// Its modes, with one wave: a sine of height 1.
TEST(WildVariations, SynthPutsItsWavesWhereTheModeSays) {
  const double pi = std::numbers::pi;
  const auto synth = [](double mode, glm::dvec3 p, double smooth = 0, double type = 0) {
    return inSpace("synth", p, {1, mode, 1, 1, smooth, 1, type, 0, 1, 0, 0});
  };
  expectPoint(synth(5, {1, 0, 0}), {2, 0, 0}, "a circle; theta is pi / 2");
  expectPoint(synth(5, {0, 1, 0}), {0, 1, 0}, "a circle at 0");
  expectPoint(synth(6, {2, pi / 2, 0}), {4, pi / 2, 0}, "x by y");
  expectPoint(synth(7, {pi / 2, 2, 0}), {pi / 2, 4, 0}, "y by x");
  expectPoint(synth(9, {2, pi / 2, 0}), {3, pi / 2, 0}, "x moved by y");
  expectPoint(synth(10, {pi / 2, 2, 0}), {pi / 2, 3, 0}, "y moved by x");
  expectPoint(synth(11, {pi / 2, pi / 2, 0}), {pi / 2 + 1, pi / 2 + 1, 0}, "both moved");
  expectPoint(synth(17, {pi / 2, 2, 0}), {pi / 2, 0, 0}, "mirrored at the wave");
  expectPoint(synth(1001, {pi / 2, 0, 0}), {1, 0, 0}, "sinusoidal");
  expectPoint(synth(10, {pi / 2, 0, 0}, 0, 2), {pi / 2, -1, 0}, "a square wave");
  expectPoint(synth(10, {pi / 2, 0, 0}, 0, 3), {pi / 2, 0.5, 0}, "a saw");
  expectPoint(synth(10, {pi, 0, 0}, 0, 4), {pi, 0, 0}, "a triangle");
  // Smoothly: 0 and 1 keep their places, and what lies beyond twice the factor stays.
  expectPoint(synth(7, {pi / 2, 0, 0}, 1), {pi / 2, 0, 0}, "smooth at 0");
  expectPoint(synth(7, {pi / 2, 1, 0}, 1), {pi / 2, 2, 0}, "smooth at 1");
  expectPoint(synth(7, {pi / 2, 5, 0}, 1), {pi / 2, 5, 0}, "smooth far away");
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

TEST(Variations, AreBadAtTheOriginWhereDirectionHasNoMeaning) {
  for (const char* name :
       {"spiral", "hyperbolic", "diamond", "power", "rings", "blob", "rings2", "super_shape",
        "flower", "conic", "loonie", "scry", "polar2", "log", "cpow", "escher"})
    EXPECT_TRUE(isBadPoint(byDefault(name, {0, 0}))) << name;
}

TEST(Variations, AreFineAtTheOriginWhereOnlyTheAngleIsAsked) {
  for (const char* name :
       {"polar", "handkerchief", "heart", "disc", "ex", "julia", "julian", "juliascope", "wedge",
        "radial_blur", "fan", "fan2", "edisc", "elliptic"})
    EXPECT_FALSE(isBadPoint(byDefault(name, {0, 0}))) << name;
}

TEST(Variations, DivideByZeroWithTheirDefaults) {
  for (const char* name : {"modulus", "perspective", "mobius"})
    EXPECT_TRUE(isBadPoint(byDefault(name, {0.7, -0.4}))) << name;
}

TEST(Variations, JulianWithANegativeDistanceIsBadAtTheOrigin) {
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
