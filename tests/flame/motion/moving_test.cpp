// SPDX-License-Identifier: BSD-3-Clause
// Curves of time: what a single one is worth, and that keyframes written as curves move as flam3
// mixes them.
#include "app/engine/flame/motion/keyframes.h"
#include "tests/flame/motion/moving_genomes.h"

namespace fathom::flame {
namespace {

Curve through(std::vector<Knot> knots, CurveDomain domain = CurveDomain::Plain) {
  Curve curve;
  curve.knots = std::move(knots), curve.domain = domain;
  return curve;
}

TEST(Curve, OfOneKnotIsConstant) {
  EXPECT_EQ(Curve(3.5).at(-100), 3.5);
  EXPECT_FALSE(Curve(3.5).moves());
}

TEST(Curve, RunsThroughItsInnerKnots) {
  const Curve curve = through({{-2, 9}, {0, 1}, {0.25, -2}, {1, 4}, {3, 0}});
  EXPECT_TRUE(curve.moves());
  EXPECT_DOUBLE_EQ(curve.at(0), 1);
  EXPECT_DOUBLE_EQ(curve.at(0.25), -2);
  EXPECT_DOUBLE_EQ(curve.at(1), 4);
}

TEST(Curve, HasTheSlopeBetweenTheNeighborsOfAKnot) {
  const Curve curve = through({{-2, 9}, {0, 1}, {0.25, -2}, {1, 4}, {3, 0}});
  constexpr double h = 1e-6;
  const double slope = (4.0 - 1) / (1 - 0);  // of the neighbors of the knot at 0.25
  EXPECT_NEAR((curve.at(0.25 + h) - curve.at(0.25 - h)) / (2 * h), slope, 1e-4);
  EXPECT_NEAR((curve.at(h) - curve.at(-h)) / (2 * h), (-2.0 - 9) / 2.25, 1e-4);
}

TEST(Curve, OfPointsOnALineIsThatLineBeyondItsEndsToo) {
  const Curve curve = through({{-1, 3}, {0, 5}, {1, 7}, {2, 9}});
  for (const double time : {-4.0, 0.0, 0.3, 1.0, 6.5})
    EXPECT_NEAR(curve.at(time), 5 + 2 * time, 1e-12);
}

TEST(Curve, TakesLogarithmsBack) {
  const Curve curve = through({{-1, -1}, {0, 0}, {1, 1}, {2, 2}}, CurveDomain::Logarithm);
  EXPECT_NEAR(curve.at(0.5), std::exp(0.5), 1e-15);
}

// Worked by hand from cuburn's definition: from 1 to 4 is from 5 to 7 in its domain; the slopes 1.5
// and 2 of the plain values become 1.5 / 1 and 2 / 4, so halfway there it is 6 + (1.5 - 0.5) / 8.
TEST(Curve, OfMagnitudesIsInterpolatedByLogarithm) {
  const Curve curve = through({{-1, 1}, {0, 1}, {1, 4}, {2, 5}}, CurveDomain::Magnitude);
  EXPECT_DOUBLE_EQ(curve.at(0), 1);
  EXPECT_DOUBLE_EQ(curve.at(1), 4);
  EXPECT_NEAR(curve.at(0.5), std::exp2(6.125 - 5), 1e-12);
}

TEST(Curve, OfMagnitudesPassesZeroInALine) {
  const Curve curve =
      through({{-1, -0.09}, {0, -0.03}, {1, 0.03}, {2, 0.09}}, CurveDomain::Magnitude);
  for (const double t : {0.0, 0.2, 0.5, 0.9}) EXPECT_NEAR(curve.at(t), -0.03 + 0.06 * t, 1e-12);
}

TEST(Curve, KeepsItsLimits) {
  Curve curve = through({{-1, 4}, {0, 2}, {1, 0}, {2, -2}});
  curve.limit = CurveLimit::ZeroToOne;
  EXPECT_EQ(curve.at(0), 1);
  EXPECT_EQ(curve.at(1.5), 0);
  curve.limit = CurveLimit::NotNegative;
  EXPECT_EQ(curve.at(0), 2);
  EXPECT_EQ(curve.at(1.5), 0);
}

TEST(MovingAffine, OfAngleAndSpreadIsCuburns) {
  MovingAffine affine;
  affine.form = MovingAffine::Form::Spread;
  affine.curves = {Curve(60), Curve(20), Curve(2), Curve(3), Curve(0.5), Curve(0.25)};
  const Affine m = affine.at(0);
  constexpr double kDegree = std::numbers::pi / 180;
  EXPECT_NEAR(m.a, 2 * std::cos(40 * kDegree), 1e-12);
  EXPECT_NEAR(m.d, -2 * std::sin(40 * kDegree), 1e-12);
  EXPECT_NEAR(m.b, -3 * std::cos(80 * kDegree), 1e-12);
  EXPECT_NEAR(m.e, 3 * std::sin(80 * kDegree), 1e-12);
  EXPECT_EQ(m.c, 0.5);
  EXPECT_EQ(m.f, -0.25);
}

// ---- Keyframes

void expectNear(double found, double expected, const std::string& what) {
  EXPECT_NEAR(found, expected, 1e-6 * std::max(1e-3, std::abs(expected))) << what;
}

void expectAlike(const Xform& found, const Xform& expected, const std::string& what) {
  for (double Xform::*member : {&Xform::weight, &Xform::color, &Xform::colorSpeed, &Xform::opacity})
    expectNear(found.*member, expected.*member, what);
  for (const auto& [a, b] : {std::pair(found.coefs, expected.coefs), {found.post, expected.post}})
    for (double Affine::*member :
         {&Affine::a, &Affine::d, &Affine::b, &Affine::e, &Affine::c, &Affine::f})
      expectNear(a.*member, b.*member, what + " matrix");
  ASSERT_EQ(found.chaos.size(), expected.chaos.size());
  for (std::size_t i = 0; i < found.chaos.size(); ++i)
    expectNear(found.chaos[i], expected.chaos[i], what + " chaos");
  ASSERT_EQ(found.variations.size(), expected.variations.size());
  for (std::size_t i = 0; i < found.variations.size(); ++i) {
    const VariationUse &a = found.variations[i], &b = expected.variations[i];
    ASSERT_EQ(a.index, b.index);
    expectNear(a.weight, b.weight, what + " variation");
    for (std::size_t p = 0; p < a.parameters.size(); ++p)
      expectNear(a.parameters[p], b.parameters[p], what + " parameter");
  }
}

void expectAlike(const Genome& found, const Genome& expected) {
  const std::string when = fmt::format("at {}: ", expected.time);
  for (double Genome::*member : {&Genome::scale, &Genome::zoom, &Genome::rotate, &Genome::filter})
    expectNear(found.*member, expected.*member, when + "camera");
  expectNear(found.center.x, expected.center.x, when + "center");
  expectNear(found.center.y, expected.center.y, when + "center");
  ASSERT_EQ(found.xforms.size(), expected.xforms.size());
  for (std::size_t i = 0; i < found.xforms.size(); ++i)
    expectAlike(found.xforms[i], expected.xforms[i], fmt::format("{}xform {}", when, i));
  ASSERT_EQ(found.finalXform.has_value(), expected.finalXform.has_value());
  if (found.finalXform) expectAlike(*found.finalXform, *expected.finalXform, when + "final xform");
}

const MovingGenome& pieceAt(const std::vector<MovingGenome>& pieces, double time) {
  for (const MovingGenome& piece : pieces)
    if (time <= piece.end) return piece;
  return pieces.back();
}

TEST(KeyframeCurves, MoveAsTheirMixes) {
  for (const MatrixInterpolation matrices : {MatrixInterpolation::Log, MatrixInterpolation::Linear,
                                             MatrixInterpolation::Old, MatrixInterpolation::Older})
    for (const Interpolation how : {Interpolation::Linear, Interpolation::Smooth}) {
      SCOPED_TRACE(fmt::format("matrices {}, {}", int(matrices), int(how)));
      const Keyframes keyframes(test::manyKeyframes(matrices, how));
      const std::vector<MovingGenome> pieces = keyframes.curves(-2, 20);
      ASSERT_EQ(pieces.size(), 4u);
      for (double time = -2; time <= 20; time += 0.125)
        expectAlike(shapeOf(pieceAt(pieces, time), time), keyframes.shapeAt(time));
    }
}

TEST(KeyframeCurves, CoverTheTimesAskedFor) {
  const Keyframes keyframes(test::manyKeyframes(MatrixInterpolation::Log, Interpolation::Linear));
  const std::vector<MovingGenome> pieces = keyframes.curves(3.5, 4.5);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].begin, 3.5);
  EXPECT_EQ(pieces[0].end, 4);
  EXPECT_EQ(pieces[1].begin, 4);
  EXPECT_EQ(pieces[1].end, 4.5);
}

TEST(KeyframeCurves, OfOneGenomeStandStill) {
  const Keyframes one({test::manyKeyframes(MatrixInterpolation::Log, Interpolation::Linear)[0]});
  const std::vector<MovingGenome> pieces = one.curves(-1, 1);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_FALSE(pieces[0].scale.moves());
  expectAlike(shapeOf(pieces[0], 1), one.shapeAt(1));
}

TEST(KeyframeCurves, AreNoneOfSizesThatChange) {
  std::vector<Genome> list = test::manyKeyframes(MatrixInterpolation::Log, Interpolation::Linear);
  list[1].size.x += 2;
  EXPECT_TRUE(Keyframes(list).curves(0, 1).empty());
}

}  // namespace
}  // namespace fathom::flame
