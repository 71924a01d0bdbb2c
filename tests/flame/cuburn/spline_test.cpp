// SPDX-License-Identifier: BSD-3-Clause
// Splines of cuburn against closed forms: cubics through knots, ways of periodic quantities, and
// angle, spread and magnitude against the coefficients that they stand for.
#include "app/engine/flame/cuburn/document.h"
#include "tests/flame/cuburn/cuburn_files.h"

namespace fathom::flame::cuburn {
namespace {

using flame::test::expectNear;

const Place kFile("file.json");
constexpr SplineKind kPlain{};
constexpr SplineKind kAngle{0, 360, CurveDomain::Plain, CurveLimit::None};
constexpr SplineKind kMagnitude{1, 0, CurveDomain::Magnitude, CurveLimit::None};

Json json(const std::string& text) { return parseJson(text, "file.json", 8); }

/// Cubic Hermite: ends and slopes.
double hermite(double p0, double m0, double p1, double m1, double t) {
  const double t2 = t * t, t3 = t2 * t;
  return p0 * (2 * t3 - 3 * t2 + 1) + m0 * (t3 - 2 * t2 + t) + p1 * (3 * t2 - 2 * t3) +
         m1 * (t3 - t2);
}

TEST(CuburnSpline, BetweenTwoEndsIsTheCubicOfTheirVelocities) {
  const double duration = 1.5;
  const Curve curve = curveOf({{2, 3}, {-1, 4}, {}}, kPlain, duration);
  for (double t = 0; t <= 1; t += 0.125)
    EXPECT_NEAR(curve.at(t), hermite(2, 3 * duration, -1, 4 * duration, t), 1e-12) << t;
}

TEST(CuburnSpline, PassesItsKnotsWithTheSlopesOfTheirNeighbors) {
  const Curve curve = curveOf({{0, 0}, {4, 0}, {{0.25, 1}, {0.75, 7}}}, kPlain, 1);
  EXPECT_DOUBLE_EQ(curve.at(0), 0);
  EXPECT_DOUBLE_EQ(curve.at(0.25), 1);
  EXPECT_DOUBLE_EQ(curve.at(0.75), 7);
  EXPECT_DOUBLE_EQ(curve.at(1), 4);
  // Between 0.25 and 0.75: slopes (7 - 0) / 0.75 and (4 - 1) / 0.75, half a unit of time each.
  EXPECT_NEAR(curve.at(0.5), hermite(1, 7 / 0.75 / 2, 7, 3 / 0.75 / 2, 0.5), 1e-12);
}

TEST(CuburnSpline, EndsAreShapedByKnotsBeyondThem) {
  const Curve curve = curveOf({{0, 99}, {1, 99}, {{-0.5, 1}, {2, 0}}}, kPlain, 1);
  ASSERT_EQ(curve.knots.size(), 4u);
  EXPECT_NEAR(curve.at(0.5), hermite(0, (1.0 - 1) / 1.5, 1, (0.0 - 0) / 2, 0.5), 1e-12);
}

TEST(CuburnSpline, WhatStandsStillIsOneKnot) {
  EXPECT_EQ(curveOf({{5, 0}, {5, 0}, {}}, kPlain, 1).knots.size(), 1u);
  EXPECT_EQ(curveOf({{5, 0}, {5, 0}, {{0.5, 5}}}, kPlain, 1).knots.size(), 1u);
  EXPECT_EQ(curveOf({{5, 1}, {5, 0}, {}}, kPlain, 1).knots.size(), 4u);
}

TEST(CuburnSpline, MagnitudesMeetHalfwayInTheirLogarithm) {
  EXPECT_NEAR(curveOf({{1, 0}, {16, 0}, {}}, kMagnitude, 1).at(0.5), 4, 1e-12);
  // Below 1/16 they are as they are.
  EXPECT_NEAR(curveOf({{0.01, 0}, {0.05, 0}, {}}, kMagnitude, 1).at(0.5), 0.03, 1e-12);
  EXPECT_NEAR(curveOf({{-1, 0}, {-16, 0}, {}}, kMagnitude, 1).at(0.5), -4, 1e-12);
}

// ---- Periods

TEST(CuburnPeriods, ASheepTurnsOnceByItsVelocity) {
  const Value value{198, -360};
  const Curve curve = curveOf(between(value, shifted(value, kAngle, 1), kAngle, 1), kAngle, 1);
  for (double t = 0; t <= 1; t += 0.125) EXPECT_NEAR(curve.at(t), 198 - 360 * t, 1e-9);
}

TEST(CuburnPeriods, HalfATurnGoesTheWayOfTheVelocity) {
  const Value value{10, -360};
  const Spline spline =
      between(shifted(value, kAngle, -0.25), shifted(value, kAngle, 0.25), kAngle, 0.5);
  EXPECT_NEAR(spline.from.position, 100, 1e-12);
  EXPECT_NEAR(spline.to.position, -80, 1e-12);
}

TEST(CuburnPeriods, TheDestinationComesNearestToWhatTheVelocitiesAskFor) {
  // Standing still, the short way; turning, as many turns as the velocities make on the way.
  EXPECT_NEAR(between({350, 0}, {10, 0}, kAngle, 1).to.position, 370, 1e-9);
  EXPECT_NEAR(between({10, 0}, {350, 0}, kAngle, 1).to.position, -10, 1e-9);
  EXPECT_NEAR(between({0, -360}, {90, -360}, kAngle, 2).to.position, 90 - 720 - 0, 1e-9);
  EXPECT_NEAR(between({0, 360}, {90, 360}, kAngle, 2).to.position, 90 + 720, 1e-9);
  EXPECT_NEAR(between({0, -360}, {350, 0}, kAngle, 1).to.position, -10, 1e-9) << "half a turn back";
  for (const double to : {0.0, 33.0, 180.0, 359.0})
    for (const double speed : {-360.0, -90.0, 0.0, 360.0}) {
      const double end = between({20, speed}, {to, speed}, kAngle, 1.7).to.position;
      EXPECT_NEAR(std::remainder(end - to, 360), 0, 1e-9) << to << " " << speed;
      EXPECT_LE(std::abs(end - 20 - 1.7 * speed), 180 + 1e-9) << to << " " << speed;
    }
}

TEST(CuburnPeriods, KnotsAtTheEndsShiftThemByWholePeriods) {
  Spline spline = between({10, 0}, {20, 0}, kAngle, 1);
  addKnots(spline, {{0, 360}, {0.5, 7}, {1, -700}}, kAngle, kFile);
  EXPECT_NEAR(spline.from.position, 370, 1e-12);
  EXPECT_NEAR(spline.to.position, -700, 1e-12);
  EXPECT_EQ(spline.inner.size(), 1u);
  Spline plain{{10, 0}, {20, 0}, {}};
  addKnots(plain, {{0, 360}}, kPlain, kFile);
  EXPECT_EQ(plain.from.position, 10) << "others keep their ends";
}

// ---- Reading

TEST(CuburnValues, AreANumberOrAValueWithItsVelocity) {
  EXPECT_EQ(readValue(json("4"), kFile), (Value{4, 0}));
  EXPECT_EQ(readValue(json("[4]"), kFile), (Value{4, 0}));
  EXPECT_EQ(readValue(json("[4, -360]"), kFile), (Value{4, -360}));
  for (const char* wrong : {"\"x\"", "[]", "[1, 2, 3]", "[1, null]", "true"})
    EXPECT_THAT(messageOf([&] { readValue(json(wrong), kFile); }),
                HasSubstr("expected a number or [value, velocity], found"))
        << wrong;
  EXPECT_THAT(messageOf([] { readValue(json("1e300"), kFile); }), HasSubstr("from -1000000000 to"));
}

TEST(CuburnValues, KnotsComeInOrderAndNullLeavesOneOut) {
  const std::vector<Knot> knots = readKnots(json("[0.7, 1, 0.2, 5, 0.5, null]"), kFile);
  EXPECT_EQ(knots, (std::vector<Knot>{{0.2, 5}, {0.7, 1}}));
  EXPECT_THAT(messageOf([] { readKnots(json("[1, 2, 3]"), kFile); }), HasSubstr("expected knots"));
}

TEST(CuburnValues, OfAnimationsAreConstantStraightOrCurved) {
  EXPECT_EQ(curveOf(readSpline(json("3"), 2, kFile), kPlain, 2).at(0.4), 3);
  EXPECT_NEAR(curveOf(readSpline(json("[3, 5]"), 2, kFile), kPlain, 2).at(0.25), 3.5, 1e-12);
  const Curve curve = curveOf(readSpline(json("[1, 0, 2, 0, 0.5, 7]"), 2, kFile), kPlain, 2);
  EXPECT_DOUBLE_EQ(curve.at(0.5), 7);
  EXPECT_THAT(messageOf([] { readSpline(json("[1, 2, 3]"), 1, kFile); }),
              HasSubstr("expected a number, [first, last] or"));
}

TEST(CuburnValues, TooManyOrMeetingKnotsAreRefused) {
  std::vector<Knot> many;
  for (int i = 1; i <= 28; ++i) many.push_back({i / 30.0, 1.0 * i});
  Spline full{{0, 0}, {1, 0}, {}};
  addKnots(full, many, kPlain, kFile);
  EXPECT_EQ(curveOf(full, kPlain, 1).knots.size(), kMaxKnots);
  EXPECT_THAT(messageOf([&] {
                addKnots(full, {{0.99, 1}}, kPlain, kFile);
              }),
              HasSubstr("expected at most 28 knots, found 29"));
  Spline twice{{0, 0}, {1, 0}, {}};
  EXPECT_THAT(messageOf([&] {
                addKnots(twice, {{0.5, 1}, {0.5, 2}}, kPlain, kFile);
              }),
              HasSubstr("apart"));
  EXPECT_THAT(messageOf([&] {
                addKnots(twice, {{1e-300, 1}}, kPlain, kFile);
              }),
              HasSubstr("apart"));
}

// ---- Affine maps

/// What cuburn's importer makes of flam3's coefficients.
std::array<double, 6> spreadOf(const Affine& m) {
  constexpr double kDegree = std::numbers::pi / 180;
  const auto turn = [](double degrees) { return degrees - 360 * std::floor(degrees / 360); };
  const double x = std::atan2(-m.d, m.a) / kDegree, y = std::atan2(m.e, -m.b) / kDegree;
  const double spread = turn(y - x) / 2;
  return {turn(x + spread), spread, std::hypot(m.a, m.d), std::hypot(m.b, m.e), m.c, -m.f};
}

MovingAffine movingOf(const std::array<double, 6>& values) {
  MovingAffine affine;
  affine.form = MovingAffine::Form::Spread;
  for (std::size_t i = 0; i < 6; ++i) affine.curves[i] = values[i];
  return affine;
}

TEST(CuburnAffine, IsTheIdentityByDefault) {
  const Curves none;
  std::array<double, 6> values{};
  constexpr std::array paths{"angle",       "spread",   "magnitude.x",
                             "magnitude.y", "offset.x", "offset.y"};
  for (std::size_t i = 0; i < 6; ++i)
    values[i] = xformCurveIn(none, fmt::format("pre_affine.{}", paths[i])).at(0);
  expectNear(movingOf(values).at(0), Affine{}, 1e-15);
}

TEST(CuburnAffine, OfAKnownSheepIsThatOfItsCoefficients) {
  // Electric Sheep 81159, xform 2.
  const Affine coefs{-0.590683, 0.541969, -0.541969, -0.590683, -1.1303, 0.931351};
  const std::array<double, 6> values = spreadOf(coefs);
  EXPECT_NEAR(values[0], 267.537, 1e-3);
  EXPECT_NEAR(values[1], 45, 1e-6);
  EXPECT_NEAR(values[2], 0.801646, 1e-6);
  EXPECT_NEAR(values[5], -0.931351, 1e-12);
  expectNear(movingOf({267.537, 45, 0.801646, 0.801646, -1.1303, -0.931351}).at(0), coefs, 1e-5);
}

TEST(CuburnAffine, ComesBackFromCoefficientsOfEveryKind) {
  const std::vector<Affine> list{{1, 0, 0, 1, 0, 0},         {0.3, -2, 0.7, 0.1, 1, 2},
                                 {-1, 0.2, 0.4, 0.9, -3, 5}, {0, 1, 1, 0, 0, 0},
                                 {-0.5, 0, 0, -0.5, 0, 1},   {2, 1, 3, 0.5, 0, 0}};
  for (const Affine& coefs : list) {
    const std::array<double, 6> values = spreadOf(coefs);
    expectNear(movingOf(values).at(0), coefs, 1e-12);
    const bool turnsOver = coefs.a * coefs.e - coefs.b * coefs.d < 0;
    EXPECT_EQ(values[1] > 90, turnsOver) << values[1];
  }
}

TEST(CuburnFields, KnowsVariationsByTheirNamesInFlam3) {
  EXPECT_TRUE(xformFieldKind("variations.julian.power"));
  EXPECT_TRUE(xformFieldKind("variations.julian.weight"));
  EXPECT_FALSE(xformFieldKind("variations.julian.pwoer"));
  EXPECT_FALSE(xformFieldKind("variations.none.weight"));
  EXPECT_EQ(xformFieldNamed("variations.oscope.damping"), "variations.oscilloscope.damping");
  EXPECT_TRUE(xformFieldKind("variations.oscilloscope.damping"));
  EXPECT_EQ(weightOfParameter("variations.julian.power"), "variations.julian.weight");
  EXPECT_EQ(weightOfParameter("variations.julian.weight"), "");
  EXPECT_FALSE(fieldKind("xforms.0.weight"));
}

}  // namespace
}  // namespace fathom::flame::cuburn
