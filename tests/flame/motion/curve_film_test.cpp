// SPDX-License-Identifier: BSD-3-Clause
// Motion curves of JWildfire: their values as its own Envelope has them, the numbers that they
// move, and the films that they make.
#include "app/engine/core/progress.h"
#include "app/engine/flame/engine.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/io/atomic_file.h"
#include "tests/flame/genomes.h"
#include "tests/support/program.h"

namespace fathom::flame {
namespace {

/// The attributes of a curve through points.
std::string curve(const std::string& name, const std::vector<glm::dvec2>& points,
                  const std::string& more = "") {
  std::string text = fmt::format(" {0}_enabled='true' {0}_point_count='{1}'", name, points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    text += fmt::format(" {0}_x{1}='{2}' {0}_y{1}='{3}'", name, i, points[i].x, points[i].y);
  return text + more;
}
const std::string kJWildfire =
    "version='JWildfire V9.00 (01.01.2025)' size='60 40' frame_count='4' ";

Genome at(double frame, const std::string& xform, const std::string& flame = "") {
  const std::string xml =
      test::flameXml("<xform weight='1' linear='1'" + xform + "/>", kJWildfire + flame);
  return parseGenomes(xml, "x.flame", 1, 0, frame).genomes.at(0);
}

// Printed by JWildfire's Envelope (2025-10-01), which draws straight lines between points less than
// a frame apart.
TEST(MotionCurves, HaveTheValuesOfJWildfire) {
  const std::vector<std::pair<std::string, std::vector<double>>> rows{
      {"SPLINE", {0, 0.552, 1.450, 1.504, 0.238, -1.410, -2, 1.129, 3}},
      {"BEZIER", {0, 0.279, 0.633, 0.689, 0.265, -0.647, -0.543, 1.604, 3}},
      {"LINEAR", {0, 0.316, 0.987, 1.5, 0.363, -0.884, -2, 1.5, 3}}};
  const double frames[] = {0, 5, 13.5, 20, 33, 47.25, 60, 88, 120};
  for (const auto& [interpolation, values] : rows)
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Genome genome =
          at(frames[i], curve("linear_amountCurve", {{1, 0}, {20, 1.5}, {60, -2}, {100, 3}},
                              " linear_amountCurve_interpolation='" + interpolation + "'"));
      EXPECT_NEAR(weightIn(genome.xforms[0], kLinear), values[i], 0.02)
          << interpolation << frames[i];
    }
}

TEST(MotionCurves, AreLaidUponOthersAndStandStillWithOnePoint) {
  const Genome genome =
      at(3, curve("opacityCurve", {{1, 0.25}}, " opacityCurve_parent_curve='below'") +
                " below_point_count='2' below_x0='1' below_y0='0' below_x1='5' below_y1='1'");
  EXPECT_DOUBLE_EQ(genome.xforms[0].opacity, 0.75);
}

TEST(MotionCurves, MoveTheNumbersThatTheyAreNamedFor) {
  const auto one = [](const std::string& name, double value) { return curve(name, {{1, value}}); };
  Genome genome =
      at(1, " coefs='1 0 0 1 5 6' yzPost='1 0 0 1 0 0' bubble='1' waves2='1'" +
                one("xyCoeff21Curve", 7) + one("xyRotateCurve", 90) + one("xyScaleCurve", 2) +
                one("xyPostCoeff00Curve", 3) + one("colorSymmetryCurve", 0.5) +
                one("bubble_amountCurve", 0.125) + one("waves2_freqx", 4));
  const Xform& xform = genome.xforms[0];
  EXPECT_NEAR(xform.coefs.d, -2, 1e-12);  // columns (a, d) and (b, e), shift (c, f)
  EXPECT_NEAR(xform.coefs.b, 2, 1e-12);
  EXPECT_NEAR(xform.coefs.a, 0, 1e-12);
  EXPECT_EQ(glm::dvec2(xform.coefs.c, xform.coefs.f), glm::dvec2(5, 7));
  EXPECT_EQ(xform.post.a, 3);
  EXPECT_EQ(xform.colorSpeed, 0.25);
  EXPECT_EQ(weightIn(xform, variationNamed("bubble")), 0.125);
  const int waves = variationNamed("waves2");
  const auto use = std::ranges::find(xform.variations, waves, &VariationUse::index);
  EXPECT_THAT(use->parameters, Contains(4));

  genome = at(1, "",
              " center='1 2' cam_pitch='0'" + one("centreYCurve", 5) + one("camPitchCurve", 90) +
                  one("pixelsPerUnitCurve", 30) + one("gammaCurve", 3));
  EXPECT_EQ(genome.center, glm::dvec2(1, 5));
  EXPECT_NEAR(genome.camera.pitch, std::numbers::pi / 2, 1e-12);
  EXPECT_EQ(genome.scale, 30);
  EXPECT_EQ(genome.gamma, 3);
  EXPECT_TRUE(genome.lost.empty());
  EXPECT_EQ(parseGenomes(genomesXml({&genome, 1}), "y.flame").genomes.at(0), genome);

  EXPECT_EQ(at(1, one("weightCurve", -0.1) + "/><xform weight='1' linear='1'").xforms[0].weight, 0);
  EXPECT_EQ(at(1, one("weightingFieldNoiseSeedCurve", 1)).lost.at(0).name,
            "motion of weightingFieldNoiseSeedCurve");
}

/// A triangle whose second xform moves.
std::string film(const std::string& flame = "") {
  return test::flameXml(
      "<xform weight='1' color='0' linear='1' coefs='0.5 0 0 0.5 -0.5 -0.5'/>"
      "<xform weight='1' color='0.5' linear='1' coefs='0.5 0 0 0.5 0.5 -0.5'" +
          curve("xyCoeff20Curve", {{1, 0.5}, {4, -0.5}}) +
          "/><color index='0' rgb='255 0 0'/><color index='255' rgb='0 0 255'/>",
      kJWildfire + "scale='18' quality='5' " + flame);
}

struct CurveFilmTest : testing::Test {
  std::string write(const std::string& text) { return folder_.write("a.flame", text).string(); }
  TempFolder folder_;
};

TEST_F(CurveFilmTest, IsShownAtTheFrameOfItsFileAndBecomesKeyframes) {
  FlameEngine engine;
  Progress progress;
  engine.adopt(read({write(film("frame='3'"))}, progress));
  Timeline& timeline = engine.timeline();
  EXPECT_FALSE(timeline.editable());
  EXPECT_EQ(timeline.time(), 3);
  EXPECT_NEAR(timeline.shown().xforms[1].coefs.c, 0.5 - 2.0 / 3, 1e-9);
  EXPECT_EQ(timeline.shown().temporalFilterWidth, 0);  // JWildfire's frames are sharp
  timeline.freeze(1);
  ASSERT_THAT(timeline.genomes(), SizeIs(4));
  EXPECT_NEAR(timeline.genomes()[1].xforms[1].coefs.c, 0.5 - 1.0 / 3, 1e-9);
  EXPECT_TRUE(timeline.genomes()[1].lost.empty());
}

TEST_F(CurveFilmTest, SeesItsMotionBlur) {
  Progress progress;
  const auto loaded =
      readInputs({write(film("motion_blur_length='20' motion_blur_timestep='0.1'"))}, {}, progress);
  const Genome genome = loaded->motion->at(2);
  EXPECT_EQ(genome.temporalFilterWidth, 2);
  EXPECT_EQ(genome.temporalSamples, 21);
}

TEST_F(CurveFilmTest, IsDrawnFrameByFrame) {
  const std::string file = write(film());
  ASSERT_EQ(runFathom({"flame", "animate", file, "-o", folder_.file("f.%d.png")}).code, 0);
  for (const int frame : {1, 2, 3, 4})
    EXPECT_TRUE(fs::exists(folder_.file(fmt::format("f.{}.png", frame))));
  EXPECT_FALSE(fs::exists(folder_.file("f.5.png")));
  EXPECT_THAT(outputOf({"flame", "info", file}), HasSubstr("frames             4"));
}

TEST_F(CurveFilmTest, TakesAPaletteAtItsMoment) {
  const std::string file = write(film()), still = folder_.file("still.flame");
  std::string map;
  for (int i = 0; i < 256; ++i) map += "0 255 0\n";
  const std::string green = folder_.write("green.map", map).string();
  EXPECT_THAT(warningsOf({"flame", "palette", file, "--palette", green, "-o", still}),
              HasSubstr("an animation; the moment at 1 is written"));
  EXPECT_EQ(readGenomes(still).genomes.at(0).palette[100], glm::vec4(0, 1, 0, 1));
  ASSERT_EQ(runFathom({"flame", "render", file, "-o", folder_.file("own.png")}).code, 0);
  ASSERT_EQ(
      runFathom({"flame", "render", file, "--palette", green, "-o", folder_.file("green.png")})
          .code,
      0);
  EXPECT_NE(readFile(folder_.file("own.png")), readFile(folder_.file("green.png")));
}

/// Beside others, or in layers, it is a still, and says so.
TEST_F(CurveFilmTest, IsAStillBesideOthers) {
  const GenomeFile two =
      parseGenomes("<flames>" + film("frame='2' motion_blur_length='3' motion_blur_timestep='1'") +
                       film() + "</flames>",
                   "x");
  EXPECT_EQ(two.frames, 0);
  EXPECT_NEAR(two.genomes[0].xforms[1].coefs.c, 0.5 - 1.0 / 3, 1e-9);
  const std::vector<UnsupportedFeature> lost{{"motion curves", 0}, {"motion blur", 0}};
  EXPECT_EQ(two.genomes[0].lost, lost);
}

}  // namespace
}  // namespace fathom::flame
