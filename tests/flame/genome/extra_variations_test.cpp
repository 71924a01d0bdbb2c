// SPDX-License-Identifier: BSD-3-Clause
// Variations that flam3 does not have, where their answers are easy to see: at points of their own,
// the maps of symmetry groups, figures drawn piece by piece, letters, steps of flows, formulas.
#include "app/engine/flame/genome/formula.h"
#include "tests/flame/genome/variation_vectors.h"

#include <complex>

namespace fathom::flame {
namespace {

/// The given draws one after the other, then 0.
class ListedDraws : public Draws {
 public:
  explicit ListedDraws(std::vector<double> list) : list_(std::move(list)) {}
  double unit() override { return next_ < list_.size() ? list_[next_++] : 0; }
  int bit() override { return 0; }

 private:
  std::vector<double> list_;
  std::size_t next_ = 0;
};

struct Answer {
  glm::dvec3 point;
  double color;  // -1: none was set
  bool hidden = false;
};

Answer answerOf(std::string_view name, glm::dvec3 p, const std::vector<double>& parameters = {},
                const std::vector<double>& units = {}, double weight = 1) {
  VariationUse use{variationNamed(name), weight, {}};
  EXPECT_GE(use.index, 0) << name;
  const VariationInfo& info = variations()[std::size_t(use.index)];
  for (std::size_t i = 0; i < info.parameters.size(); ++i)
    use.parameters[i] = i < parameters.size() ? parameters[i] : info.parameters[i].fallback;
  ListedDraws draws(units);
  const glm::dvec3 q =
      info.evaluate3({p.x, p.y, weight, use.parameters.data(), &test::kVectorCoefs, p.z}, draws);
  return {q, draws.takeColor(-1), draws.isHidden()};
}

void expectAt(std::string_view name, glm::dvec3 p, glm::dvec3 wanted,
              const std::vector<double>& parameters = {}, const std::vector<double>& units = {}) {
  const glm::dvec3 found = answerOf(name, p, parameters, units).point;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6) << name << " axis " << i;
}

/// With all draws the same.
glm::dvec3 inSpace(std::string_view name, glm::dvec3 p, const std::vector<double>& parameters = {},
                   double unit = 0.25, double weight = 1) {
  return answerOf(name, p, parameters, std::vector<double>(64, unit), weight).point;
}

void expectPoint(glm::dvec3 found, glm::dvec3 wanted, const char* what) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], wanted[i], 1e-9) << what << " axis " << i;
}

/// Closed forms where they are easy to see.
TEST(ExtraVariations, HaveTheValuesThatTheirNamesPromise) {
  const double root = std::sqrt(2.0), pi = std::numbers::pi;
  expectPoint(inSpace("linear3D", {1, 2, 3}, {}, 0, 2), {2, 4, 6}, "linear3D");
  expectPoint(inSpace("flatten", {1, 2, 3}), {1, 2, 0}, "flatten");
  expectPoint(inSpace("zscale", {1, 2, 3}, {}, 0, 2), {0, 0, 6}, "zscale");
  expectPoint(inSpace("ztranslate", {1, 2, 3}, {}, 0, 2), {0, 0, 2}, "ztranslate");
  expectPoint(inSpace("zcone", {3, 4, 0}), {0, 0, 5}, "zcone");
  expectPoint(inSpace("rotate_x", {1, 2, 3}), {1, 3, -2}, "rotate_x");
  expectPoint(inSpace("bi_linear", {1, 2, 0}), {2, 1, 0}, "bi_linear");
  expectPoint(inSpace("crop", {5, 0.5, 0}, {-1, 1, -1, 1, 0, 0}), {1, 0.5, 0}, "crop");
  expectPoint(inSpace("circlecrop", {3, 4, 0}, {1, 0, 0, 0, 0}), {0.6, 0.8, 0}, "circlecrop");
  expectPoint(inSpace("bwraps", {0.02, 0.02, 0}, {1, 4}), {0.02, 0.02, 0}, "bwraps outside");
  expectPoint(inSpace("point_symmetry_wf", {1, 0, 0}, {0, 0, 4}), {0, -1, 0}, "point symmetry");
  expectPoint(inSpace("glynnia", {3, 4, 0}), {8 / std::sqrt(400.0), 4 / std::sqrt(400.0), 0},
              "glynnia");
  expectPoint(inSpace("tile_log", {1, 2, 0}, {0}), {1, 2, 0}, "tile_log");
  expectPoint(inSpace("flipy", {1, 2, 0}), {1, -2, 0}, "flipy");
  expectPoint(inSpace("waves2_3D", {0, 0, 1}, {2, 1}), {0, 0, 1}, "waves2_3D");
  expectPoint(inSpace("funnel", {0, 1, 0}), {0, std::tanh(1) * (1 / std::cos(1) + 8 * pi), 0},
              "funnel");
  expectPoint(inSpace("disc3", {1, 0, 0}, {1, 1, 2, 0.25, 1, 1, 1, 1}), {1, 0, 0}, "disc3");
  expectPoint(inSpace("barycentroid", {3, -4, 0}), {3 * root, -4 * root, 0}, "barycentroid");
  expectPoint(inSpace("yin_yang", {0, 0, 0}, {0.5, 0, 0, 0, 0}), {0.5, 0, 0}, "yin_yang");
  expectPoint(inSpace("glynnsim2", {0.5, 0, 0}, {1, 0, 0.5, 1.5, 0, 360}), {0, 1, 0}, "glynnsim2");
  expectPoint(inSpace("gaussian", {1, 2, 0}), {1, 1, 0}, "gaussian");
  expectPoint(inSpace("triangle", {1, 2, 0}), {0, -0.075, 0}, "triangle");
  expectPoint(inSpace("crackle", {1, 2, 0}, {1e3, 1, 0, 1, 0}), {0.1875, 0, 0}, "crackle");
  expectPoint(inSpace("sph3D", {1, 2, 2}, {1, 1, 1}), {1 / 9.0, 2 / 9.0, 2 / 9.0}, "sph3D");
  expectPoint(inSpace("affine3D", {1, 0, 0}, {1, 2, 3, 2, 2, 2, 0, 0, 90}), {1, 4, 3}, "affine3D");
  expectPoint(inSpace("affine3D", {0, 1, 0}, {0, 0, 0, 1, 1, 1, 90}), {0, 0, 1}, "affine3D x");
  expectPoint(inSpace("affine3D", {1, 0, 0}, {0, 0, 0, 1, 1, 1, 0, 90}), {0, 0, -1}, "affine3D y");
  expectPoint(inSpace("julia3Dq", {4, 0, 0}, {2, 1}, 0), {2, 0, 0}, "julia3Dq");
  expectPoint(inSpace("octagon", {2, 0, 0}, {0, 0, 0, 4}), {0.125, 0, 0}, "octagon");
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

TEST(ExtraVariations, LeavePointsAloneWhereTheirParametersSaySo) {
  const glm::dvec3 p(3, 1, 0);
  const auto expectSame = [&](const char* name, std::vector<double> parameters = {}) {
    expectPoint(inSpace(name, p, parameters), p, name);
  };
  expectSame("ejulia", {1});
  expectSame("escale", {1, 0});
  expectSame("juliaNab", {1, 1, 0, 1});
  expectSame("blob2", {0.5, 1, 9});
  expectSame("loonie2");
  expectSame("lazyTravis", {0, 0, 0});
  expectSame("yin_yang", {0.5, 0, 0, 1, 1});
  expectSame("vibration2", {0, 1, 1, 0, 0, 1, 1, 1, 0});
  expectSame("hexes", {1, 1, 0, 1});
  expectSame("glynnsim1");
  expectSame("glynnsim2");
  expectSame("swirl3", {0});
  expectSame("synth", {1, 5});
}

/// Its modes, with one wave: a sine of height 1.
TEST(ExtraVariations, SynthPutsItsWavesWhereTheModeSays) {
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
  expectPoint(inSpace("synth", {pi / 2, 2, 0}, {1, 10, 1, 0.25, 0, 1}), {pi / 2, 2.25, 0}, "mixed");
  expectPoint(synth(10, {pi / 2, 0, 0}, 0, 3), {pi / 2, 0.5, 0}, "a saw");
  expectPoint(synth(10, {pi, 0, 0}, 0, 4), {pi, 0, 0}, "a triangle");
  // Smoothly: 0 and 1 keep their places, and what lies beyond twice the factor stays.
  expectPoint(synth(7, {pi / 2, 0, 0}, 1), {pi / 2, 0, 0}, "smooth at 0");
  expectPoint(synth(7, {pi / 2, 1, 0}, 1), {pi / 2, 2, 0}, "smooth at 1");
  expectPoint(synth(7, {pi / 2, 5, 0}, 1), {pi / 2, 5, 0}, "smooth far away");
}

TEST(Figures, AreDrawnPieceByPiece) {
  const double root = std::sqrt(3.0);
  // Koch: of the first level the third piece, at its end.
  expectAt("koch_js", {}, {1, 0, 0}, {1, 1, 0, 0, 0}, {0.6, 0, 1});
  expectAt("koch_js", {}, {0.75, root / 4, 0}, {1, 1, 0, 0, 0}, {0.6, 0, 0});
  // Dragon: right, up, left, up; where the fourth piece ends.
  expectAt("dragon_js", {}, {0, 2, 0}, {2, 0}, {0.75, 0.75, 1});
  // Hilbert: right, up, left, then up into the next quarter.
  expectAt("hilbert_js", {}, {0, 2, 0}, {2, 1, 0, 0, 0}, {3.5 / 15, 0, 1});
  expectAt("htree_js", {}, {-1, 1, 0}, {1, 2, 1, 0, 0, 0}, {0, 0, 0, 1});
  expectAt("rsquares_js", {}, {0, 1, 0}, {1, 1, 0, 0, 0}, {0, 0, 0, 1});
  expectAt("tree_js", {}, {0, 4, 0}, {1, 1, 0, 0, 0}, {0, 0, 1});
  // Each side of the island is as long as seven pieces, to the square root, for each level.
  expectAt("gosperisland_js", {}, {9 / 32.0 + 7, 0.125, 0}, {2, 0}, {0.01, 0.9, 0.9, 1});
}

TEST(Letters, StandWhereTheirWidthPutsThem) {
  // One I without blur: its stem, 0.0916 of an em wide, in a picture of 2.278 by 3.149 em.
  std::vector<double> text = {320, 0, 1, 1, 0, 0, 0, 'I'};
  text.resize(23, 0.0);
  const auto at = [&](double along, double aside) {
    return answerOf("text_wf", {}, text, {0.5, along, aside}, 0.3).point;  // weight changes nothing
  };
  EXPECT_NEAR(at(0, 0).x - at(0, 1).x, 3 * 2.2 / 24 / 2.278, 1e-3);
  EXPECT_NEAR(at(0, 0.5).y - at(1, 0.5).y, 3 * 17 / 24.0 / 3.149, 1e-9);
  EXPECT_NEAR(at(0.5, 0.5).x, 3 * (3 / 24.0 - 0.139) / 2.278, 0.01);
  // Two of them lie apart by the width of one.
  text[8] = 'I';
  const double first = answerOf("text_wf", {}, text, {0.2, 0, 0.5}).point.x;
  const double second = answerOf("text_wf", {}, text, {0.7, 0, 0.5}).point.x;
  EXPECT_NEAR(second - first, 3 * 0.278 / (2 + 2 * 0.278), 0.01);
}

TEST(ExtraVariations, HaveTheValuesOfTheirFormulas) {
  const double pi = std::numbers::pi;
  expectAt("lozi", {-2, 3, 0}, {1 - 0.5 * 2 + 3, -2, 0});
  expectAt("linearT", {4, -9, 0}, {2, -3, 0}, {0.5, 0.5});
  expectAt("collideoscope", {0.3, -0.7, 0}, {0.3, -0.7, 0}, {0, 3});
  expectAt("collideoscope", {1, 0, 0}, {0, 1, 0}, {0.5, 1});
  expectAt("rosoni", {2, 1, 0}, {2, 1, 0});
  expectAt("minkowskope", {0.2, 0.1, 0}, {-0.2, -0.1, 0}, {0.5, -2, 2, 0, 1, 0});
  expectAt("pTransform", {0.3, 0.4, 0}, {0.3, 0.4, 0}, {0, 1, 0, 0, 0});
  expectAt("crob", {0.5, 0.5, 0}, {0.5, 0.5, 0});
  expectAt("crob", {5, 0.5, 0}, {1, 0.3, 0}, {-1, 1, -1, 1, 1, 0, 1}, {0.2, 0.65, 0.5});
  expectAt("wavesn", {4, 0, 0}, {2, 0, 0}, {1, 1, 0, 0, 0, 0, 2});
  expectAt("inflateZ_4", {1, 0, 5}, {0, 0, -pi / 8}, {}, {0.25});
  expectAt("extrude", {1, 2, 0}, {0, 0, 0.25}, {0.5}, {0.75, 0.25});
  expectAt("shredded", {2, 3, 4}, {2 * std::sin(1.0), 3 * std::cos(1.0), 4 * std::sin(1.0)},
           {2, 0, 1, 0.5, 1, 1, 0.4, 1, 1, 0.25, 1});
  expectAt("tqmirror", {0.2, 0.3, 0}, {-0.3, -0.2, 0}, {0});
  expectAt("waves4", {0.2, 0, 0}, {0.2, 0.05 * std::sin(2.6), 0});
}

TEST(ExtraVariations, CloseWhatTheyFold) {
  // xtrb without width shrinks triangles to corners, with all of it it leaves their corners alone.
  const glm::dvec3 q = answerOf("xtrb", {0.2, -0.1, 0}, {1, 1, 1, 1, 1, 1}, {0.9, 0}).point;
  EXPECT_NEAR(q.x, 0.2, 1e-9);
  EXPECT_NEAR(q.y, -0.1, 1e-9);
  // Of a polygon the farthest dust lies on its edges: a square's at half a turn of its sector.
  const glm::dvec3 r = answerOf("nBlur", {}, {4, 0, 1, 0, 0, 0, 1, 0, 1}, {0.5, 0, 1, 0}).point;
  EXPECT_NEAR(std::hypot(r.x, r.y), std::sqrt(0.5), 1e-9);
  // mandelbrot gives up outside of its picture: from the middle no point escapes.
  EXPECT_NEAR(answerOf("mandelbrot", {}, {100, 0, 0, 0, 0}).point.x, 50000, 1e-9);
}

TEST(ExtraVariations, SetColorsWhereTheyHaveThem) {
  EXPECT_EQ(answerOf("henon", {1, 2, 0}).color, -1);
  EXPECT_NEAR(answerOf("pixel_flow", {1, 2, 0}, {90, 0.1, 200, 42, 1}, {0.375}).color, 0.375,
              1e-12);
  EXPECT_NEAR(answerOf("lorenz_js", {3, 4, 0}, {10, 28, 1.66, 0, 0, 0, 100}).color, 0.25, 1e-12);
  EXPECT_GE(answerOf("crown_js", {}, {}, {0.3}).color, 0);
}

bool hides(std::string_view name, glm::dvec3 p, const std::vector<double>& parameters = {},
           const std::vector<double>& units = {}) {
  return answerOf(name, p, parameters, units).hidden;
}

TEST(Crops, KnowPolygonsAndStars) {
  for (const double kind : {0.0, 1.0, 2.0, 3.0})
    for (int turn = 0; turn < 16; ++turn) {
      const double angle = turn * std::numbers::pi / 8;
      const auto at = [&](double r) {
        return glm::dvec3(r * std::cos(angle), r * std::sin(angle), 0);
      };
      EXPECT_FALSE(hides("crop_polygon", at(0.49), {kind, 0.5, 0})) << kind;
      EXPECT_TRUE(hides("crop_polygon", at(0.63), {kind, 0.5, 0}))
          << kind;  // a pentagon's corners: 0.62
    }
  EXPECT_FALSE(hides("crop_polygon", {0, -0.99, 0}, {4, 0.5, 0}));  // a tip of the hexagram
  EXPECT_TRUE(hides("crop_polygon", {0.99, 0, 0}, {4, 0.5, 0}));
  EXPECT_FALSE(hides("crop_stars", {0, 0.64, 0}, {0.65, 5, 0.75, 0}));
  // JWildfire's angles are off between the axes: by a true atan the first is within, the last not.
  EXPECT_TRUE(hides("crop_stars", {0.0439, 0.4177, 0}, {0.65, 5, 0.75, 0}));
  EXPECT_FALSE(hides("crop_stars", {0.0397, 0.3779, 0}, {0.65, 5, 0.75, 0}));
  EXPECT_FALSE(hides("crop_stars", {0.5602, 0.1501, 0}, {0.65, 5, 0.75, 0}));
  EXPECT_TRUE(hides("crop_stars", {0, -0.64, 0}, {0.65, 5, 0.75, 0}));
}

/// The squares of JWildfire's seed 1000, whose numbers are those of java.util.Random and of a sine.
TEST(Crops, CutTheSquaresOfTheirSeed) {
  const double x[] = {0.0315094367929305, 0.1315094367929305, 0.2315094367929305,
                      0.3315094367929305};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(hides("cut_fun", {x[i], -0.03363503856670604, 0}, {1000, 0, 10, 0}), i % 2 == 0) << i;
  // Rows end where t + 0.1 sin(1.6 t) is whole; a twentieth of each is dark.
  EXPECT_TRUE(hides("cut_tileillusion", {0, 0.001, 0}, {0, 1, 0, 0}));
}

TEST(Formulas, AreReadAsInJava) {
  const auto value = [](const char* text, double x) {
    std::vector<double> list = {-5, 5, -4, 4, -2, 2, 0, 1, 3, 5, 0, 0, 0, 0};
    const auto code = compiledFormula(text, {"x"});
    if (!code) return -1e9;
    list.insert(list.end(), code->begin(), code->end());
    list.push_back(1000008);
    list.resize(36, 1000009);
    return answerOf("yplot2d_wf", {}, list, {(x + 5) / 10, 0.5}).point.y;
  };
  EXPECT_NEAR(value("1 + 2*x - 6/3", 4), 7, 1e-12);
  EXPECT_NEAR(value("-x*-(2-x)", 3), -3, 1e-12);
  EXPECT_NEAR(value("pow(x,3) - sqr(x)*sqrt(4.0)", -2), -16, 1e-12);
  EXPECT_NEAR(value("param_a*fabs(sin(pi/2)) + param_b", 0), 8, 1e-12);
  EXPECT_NEAR(value("max(min(x, 1), .5) % 0.3", 0), 0.2, 1e-12);
  EXPECT_NEAR(value("tanh(x) + exp(-x) + atan2(x, 1)", 1),
              std::tanh(1) + std::exp(-1) + std::numbers::pi / 4, 1e-12);
  for (const char* wrong :
       {"", "1+", "(x", "x)", "sin x", "sin(x,1)", "pow(x)", "unknown", "1e9", "x y"})
    EXPECT_FALSE(compiledFormula(wrong, {"x"})) << wrong;
  EXPECT_FALSE(compiledFormula("x+(x+(x+(x+(x+(x+(x+(x+(x+(x+x)))))))))", {"x"}));  // too deep
  EXPECT_FALSE(compiledFormula(std::string(100000, '-') + "x", {"x"}));
}

/// The parameters code1 to code22 hold them, followed by ends.
TEST(Formulas, OfTheDefaultsAreThoseOfJWildfire) {
  using Texts = std::vector<std::string_view>;
  const auto expectDefault = [](std::string_view name, const Texts& texts, const Texts& names) {
    std::vector<double> code;
    for (const std::string_view text : texts) {
      const auto one = compiledFormula(text, names);
      ASSERT_TRUE(one);
      code.insert(code.end(), one->begin(), one->end());
      code.push_back(kFormulaCode + double(int(FormulaCode::Result)));
    }
    const auto known = variations()[std::size_t(variationNamed(name))].parameters;
    std::size_t first = 0;
    while (known[first].name != "code1") ++first;
    code.resize(known.size() - first, kFormulaCode + double(int(FormulaCode::End)));
    for (std::size_t i = 0; i < code.size(); ++i)
      EXPECT_EQ(known[first + i].fallback, code[i]) << name << " code" << i + 1;
  };
  expectDefault("yplot2d_wf", {"sin(x)+2*sin(2*x)+1*sin(4*x)"}, {"x"});
  expectDefault("polarplot2d_wf", {"param_a+tanh(param_b*sin(param_c*t))/param_b"}, {"t"});
  expectDefault("polarplot3d_wf", {"sin(param_a*t)+cos(param_b*u)+param_c"}, {"t", "u"});
  expectDefault("parplot2d_wf", {"cos(v)*u", "v*cos(u)", "u*v*sin(u)*sin(v)"}, {"u", "v"});
}

TEST(ExtraVariations, OfLaterProgramsHaveTheValuesOfTheirFormulas) {
  expectAt("trig", {2, 0, 0}, {0.5, 0, 0});
  expectAt("trig", {0.3, 0.2, 0},
           {std::sinh(0.3) * std::cos(0.2), std::cosh(0.3) * std::sin(0.2), 0},
           {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  expectAt("trig", {std::sinh(0.7), 0, 0}, {0.7 * 2 / std::numbers::pi, 0, 0}, {0, 0, 0, 0, 0, 1});
  expectAt("inversion", {0, 0.5, 0}, {0, 8, 0},
           {1, 0, 1, 0, 0, 3, 2});  // the ellipse's radius there: 2
  expectAt("prepost_circlize", {1, 1, 0}, {std::sqrt(0.5), std::sqrt(0.5), 0}, {4, 0, 0});
  expectAt("scrambly", {-1, -1, 0}, {0, -1, 0},
           {3, 382, 0, 3});  // as Java's int has it: 1 7 5 4 ...
  expectAt("scrambly", {-1, 0, 0}, {0, 0, 0}, {3, 382, 0, 3});
  expectAt("scrambly", {1, -1, 0}, {-1, -1, 0}, {3, 382, 1, 3});
  expectAt("scrambly", {1, 1, 0}, {0, -1, 0}, {3, 1, 0, 3});
  expectAt("bwraps2", {0.5, 0.5, 0}, {0.5, 0.5, 0});
  expectAt("butterfly_fay", {0, 0, 0}, {0, -0.5 * (std::exp(1) - 2), 0});
  expectAt("shape", {0, 1, 0}, {0, 0.75, 0}, {4, 1, 2, 2, 1, 1, 0}, {0.75});
  expectAt("dc_dmodulus", {1, 0, 0}, {0.5 + 2 - 4, -0.5 - 2 + 4, 0}, {}, {0.2});
  EXPECT_NEAR(answerOf("dc_hexes_wf", {}, {1, 1, 0, 1, 0.5, 0.25}).color, 0.25, 1e-9);
  EXPECT_NEAR(answerOf("polarplot2d_wf", {}, {}, {0.75, 0.5}).color, 0.75, 1e-9);
  expectAt("parplot2d_wf", {}, {0, 0, 0}, {}, {0.5, 0.5});
}

// ---- In the order of a file of JWildfire 9, by formulas of its authors

struct InOrder {
  double weight = 1;
  glm::dvec3 sum{0};  // of those before
  int acting = 0;
};

Answer inOrderOf(std::string_view name, glm::dvec3 p, const std::vector<double>& parameters,
                 const InOrder& how = {}) {
  VariationUse use{variationNamed(name), how.weight, {}};
  EXPECT_GE(use.index, 0) << name;
  std::ranges::copy(parameters, use.parameters.begin());
  ListedDraws draws({0.3, 0.6, 0.2, 0.7});
  draws.setSum(how.sum);
  draws.setActing(true, how.acting);
  const glm::dvec3 q = variations()[std::size_t(use.index)].evaluate3(
      {p.x, p.y, how.weight, use.parameters.data(), &test::kVectorCoefs, p.z}, draws);
  return {q, draws.dropsZ() ? 1.0 : 0.0, draws.isHidden()};  // in place of a color: z is dropped
}

TEST(InOrderOfJWildfire, WavesAreSinesOfJacobiAndBessel) {
  // Jacobi's sn undoes the elliptic integral of the first kind; its parameter is 1 - jacok.
  for (const double angle : {0.3, -0.9, 1.4})
    for (const double rest : {0.25, 0.9}) {
      const double u = std::ellint_1(std::sqrt(1 - rest), angle);
      const auto q = inOrderOf("waves2b", {0, u, 0}, {1, 1, 0, 1, 1, 1, 1, 1, 1, rest}).point;
      EXPECT_NEAR(q.x, std::sin(angle), 1e-7) << angle << " " << rest;
    }
  // Beyond a parameter of 1: sn(u | m) = sn(u sqrt(m) | 1 / m) / sqrt(m).
  const double m = 1.7, u = std::ellint_1(std::sqrt(1 / m), 0.8) / std::sqrt(m);
  const std::vector<double> beyond{1, 1, 1, 0, 1, 1, 1, 1, 1, 1 - m};
  EXPECT_NEAR(inOrderOf("waves2b", {u, 0, 0}, beyond).point.y, std::sin(0.8) / std::sqrt(m), 1e-7);
  EXPECT_NEAR(inOrderOf("waves2b", {0, 0.8, 0}, {1, 1, 0, 1, 1, 1, 1, 1, 1, 0}).point.x,
              std::tanh(0.8), 1e-12);
  for (const double v : {0.2, 2.9, 3.1, 17.0})
    EXPECT_NEAR(inOrderOf("waves2b", {0, -v, 0}, {1, 1, -1e-5, 1, 1, 1, 1, 1, 1, 0}).point.x,
                -std::cyl_bessel_j(1, v), 1e-7);
}

TEST(InOrderOfJWildfire, HeightsOfWavesAreTheLastDigitsOfASine) {
  for (const double y : {0.37, 5.3, -11.9}) {
    const double row = std::floor(y * 7 / (2 * std::numbers::pi));
    double height = std::sin(row * 12.9898 + row * 78.233 + 1 + y * 0.001 * 0.1) * 43758.5453;
    height -= std::trunc(height);
    const double x = 0.2 + std::sin(y * 7) * height * height * 0.5;
    EXPECT_NEAR(inOrderOf("waves4", {0.2, y, 0}, {0.5, 0, 7, 13, 0, 0.1}).point.x, x, 1e-6);
  }
}

TEST(InOrderOfJWildfire, PostVariationsTakeTheWeightTheirOwnWay) {
  using Complex = std::complex<double>;
  const Complex z(0.4, -0.7), curled = z / (1.0 + 0.5 * 1.2 * z + 0.5 * -0.3 * z * z);
  const glm::dvec3 p(z.real(), z.imag(), 0.25);
  expectPoint(inOrderOf("post_curl", p, {1.2, -0.3}, {.weight = 0.5, .acting = 1}).point,
              {curled.real(), curled.imag(), 0}, "post_curl");
  const glm::dvec3 c = 0.5 * glm::dvec3(0.3, 0.4, -0.2);
  const double s = glm::dot(p, p);
  const double k = s * glm::dot(c, c) + 2 * (c.x * p.x - c.y * p.y + c.z * p.z) + 1;
  expectPoint(inOrderOf("post_curl3D", p, {0.3, 0.4, -0.2}, {.weight = 0.5, .acting = 1}).point,
              (p + c * s) / k, "post_curl3D");
  expectPoint(inOrderOf("post_flatten", p, {}, {.weight = 0.75, .acting = 1}).point,
              {p.x, p.y, p.z / 4}, "post_flatten");
  expectPoint(inOrderOf("pre_flatten", p, {}, {.weight = 0.75, .acting = -1}).point, p,
              "pre_flatten");
  expectPoint(inOrderOf("flatten", p, {}, {.weight = 0.75}).point, {p.x, p.y, 0}, "flatten");
  const auto outside = [&](const char* name, int acting) {
    return inOrderOf(name, {2, 0.1, 0}, {0.1, 0.5, 0}, {.acting = acting});
  };
  EXPECT_TRUE(outside("crop_x", 0).hidden && outside("post_crop_x", 1).hidden);
  EXPECT_EQ(outside("crop_x", 0).point.x, 2);
  EXPECT_EQ(outside("post_crop_x", 1).point.x, 0);
}

TEST(InOrderOfJWildfire, SumsAreReadWithTheirHeight) {
  const glm::dvec3 sum(0.3, -0.2, 0.4);
  const double x = 0.6, y = 0.8, grown = 0.25, tangent = std::tan(3.0);
  const double turned = grown * std::sin(tangent) * std::atan2(y, x);
  const auto popcorn = [&](glm::dvec3 before, double z) {
    return inOrderOf("popcorn2_3D", {x, y, z}, {0.1, 0.1, 0.1, 3}, {0.5, before}).point.z;
  };
  EXPECT_NEAR(sum.z + popcorn(sum, 0.7), sum.z + grown * 0.1 * std::sin(tangent) * 0.7, 1e-12);
  EXPECT_NEAR(popcorn({}, 0), turned + grown * 0.1 * std::sin(tangent) * turned, 1e-12);
  // A flower of one round petal: r is the distance, and what lies beyond 0.5 of all folds up.
  const auto flower = [&](double length) {
    return inOrderOf("flower_db", {x, y, 0}, {0, 0, 1, 1, length, 2, 0.5}, {1, sum}).point;
  };
  const glm::dvec2 all(sum.x + y, sum.y + x);
  const double high = sum.z - (2 / 1.0 - 1) + 2 * (glm::length(all) - 0.5);
  EXPECT_NEAR(sum.z + flower(0).z, high, 1e-12);
  EXPECT_NEAR(sum.z + flower(-high + 0.25).z, high, 1e-12);
  EXPECT_NEAR(sum.z + flower(-high - 0.25).z, high + 0.25, 1e-12);
}

TEST(InOrderOfJWildfire, SomeKeepZ) {
  const auto drops = [](const char* name, glm::dvec3 p, const std::vector<double>& parameters) {
    return inOrderOf(name, p, parameters).color != 0;
  };
  EXPECT_FALSE(drops("chunk", {0.5, 0, 1}, {1, 0, 1, 0, 0, -1, 0}));
  EXPECT_TRUE(drops("chunk", {1.5, 0, 1}, {1, 0, 1, 0, 0, -1, 0}));
  EXPECT_TRUE(drops("hexes", {0.5, 0, 1}, {1, 1, 0, 1}));
  EXPECT_TRUE(drops("mobius", {0.5, 0, 1}, std::vector<double>(8, 0.0)));
  EXPECT_FALSE(drops("mobius", {0.5, 0, 1}, {1, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_TRUE(drops("perspective", {0.5, 1, 1}, {1, 1}));
  EXPECT_FALSE(drops("perspective", {0.5, 0.5, 1}, {1, 1}));
  // Of the first tile the arcs about its first and its last corner: only the last passes z on.
  EXPECT_TRUE(drops("truchet", {0.1, 0.45, 1}, {0, 2, 0.5, 0, 1, 0, 0}));
  EXPECT_FALSE(drops("truchet", {0.9, 0.55, 1}, {0, 2, 0.5, 0, 1, 0, 0}));
}

TEST(InOrderOfJWildfire, WhereAFormulaHasNoNumber) {
  const auto corner = [](double x, double power) {
    return inOrderOf("corners", {x, 1, 0}, {0, 0, -1, 1, power, 1, 0, 1, std::numbers::e}).point.x;
  };
  EXPECT_TRUE(std::isnan(corner(2, 1)));               // log(-1)
  EXPECT_TRUE(std::isnan(corner(std::sqrt(2.5), 1)));  // log(0.5)^3.25
  EXPECT_NEAR(corner(std::sqrt(2.5), 0.75), std::pow(std::log(0.5), 3) - 1.33, 1e-9);
  EXPECT_TRUE(std::isnan(inOrderOf("pRose3D", {1, 2, 0}, {0, 3}).point.z));  // sin(1 / 0)
  EXPECT_TRUE(isBad(inOrderOf("disc3d", {1, 2, 0}, {0}).point.y));
  EXPECT_EQ(inOrderOf("crackle", {1, 2, 0}, {0, 0.2, 0, 1, 0}).point.x, 0);
  // Nothing to choose from: the curve of a rose, here a point.
  expectPoint(inOrderOf("maurer_rose", {1, 0, 0}, {0, 1, 2, 360, 71, 0, 0, 0, 0, 0, 0}).point,
              {3, 0, 0}, "maurer_rose");
  const double distance = std::pow(5, 0.5 * 3 / 5.0), turn = 2 * std::numbers::pi / 5;
  expectPoint(inOrderOf("phoenix_julia", {-1, -2, 0}, {5, 3, -1, -1}).point,
              {distance * std::cos(turn), distance * std::sin(turn), 0}, "phoenix_julia");
  const std::vector<double> striped{-5, 1, 0, 1, 0, 0}, plain{0, 1, 0, 1, 0, 0};
  expectPoint(inOrderOf("bubbleT3D", {0.3, 0.4, 0}, striped).point,
              inOrderOf("bubbleT3D", {0.3, 0.4, 0}, plain).point, "bubbleT3D");
}

TEST(InOrderOfJWildfire, OrbitsFollowTheirMapsAndMayBeLost) {
  // java.util.Random of seed 8: two steps of its congruence give 26 and 27 bits.
  std::uint64_t state = (8 ^ 0x5deece66dULL) & ((1ULL << 48) - 1), bits[2];
  for (std::uint64_t& b : bits) b = state = (state * 0x5deece66dULL + 11) & ((1ULL << 48) - 1);
  const double drawn = double(((bits[0] >> 22) << 27) + (bits[1] >> 21)) * 0x1p-53;
  const double a = 1e-6 + 0.99e-6 * drawn, m = -0.08 + 0.002 + 0.01;
  const auto curve = [&](double v) { return m * v + 2 * (1 - m) * v * v / (1 + v * v); };
  const double x = 5 + a * (1 - 0.05 * 25) * 5 + curve(5);
  expectPoint(inOrderOf("gumowski_mira", {}, {7, 0.01, 0, 0.05}).point, {x, curve(x) - 5, 0},
              "gumowski_mira");
  VariationUse use{variationNamed("macmillan"), 1, {0.49, -2.25, -2.89, 0.72}};
  ListedDraws draws({});
  draws.setActing(true, 0);
  const auto step = [&] {
    return variations()[std::size_t(use.index)]
        .evaluate3({0, 0, 1, use.parameters.data(), &test::kVectorCoefs, 0}, draws)
        .y;
  };
  const auto next = [](double from, double y) {
    return -from + 0.98 * (y / (1 + y * y)) - 2.25 * y;
  };
  const double second = next(-2.89, 0.72);
  EXPECT_NEAR(step(), next(0.72, second), 1e-12);
  for (int i = 0; i < 1000; ++i) step();
  EXPECT_TRUE(std::isnan(step()));  // it never comes back
}

/// JWildfire compares the areas exactly, so that rounding decides.
TEST(InOrderOfJWildfire, CropTriangleComparesAreasExactly) {
  const auto area = [](glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
    return std::abs((a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y)) / 2);
  };
  const glm::dvec2 a(-0.03, 0.51), b(0.47, 0.48), c(-0.02, -0.53);
  int hidden = 0;
  for (int i = 0; i < 100; ++i) {
    const glm::dvec2 p(0.001 + 0.0017 * i, 0.3);
    const bool within = area(p, b, c) + area(a, p, c) + area(a, b, p) == area(a, b, c);
    EXPECT_EQ(hides("crop_triangle", {p, 0}, {a.x, a.y, b.x, b.y, c.x, c.y}), !within) << i;
    hidden += !within;
  }
  EXPECT_GT(hidden, 2);
  EXPECT_LT(hidden, 90);
  EXPECT_TRUE(hides("crop_triangle", {0.4, -0.3, 0}, {0, 0.5, 0.5, 0.5, 0, -0.5}));
}

/// In 256 levels, as JWildfire 9's own getRGBColor() answered at these points, with its defaults.
TEST(FullColors, AreThoseOfJWildfire) {
  const glm::dvec2 points[] = {{0.1, 0.2},   {-0.3, 0.4},    {0.45, -0.05}, {-0.2, -0.35},
                               {0.33, 0.31}, {-0.41, -0.07}, {0.21, -0.44}, {-0.12, 0.03}};
  struct Image {
    const char* name;
    glm::ivec3 levels[8];
  };
  const Image images[] = {
      {"dc_booleans",
       {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 35, 197}, {0, 0, 0}, {0, 0, 0}}},
      {"dc_worley",
       {{255, 255, 255},
        {255, 255, 255},
        {213, 213, 213},
        {255, 255, 255},
        {0, 0, 0},
        {0, 0, 0},
        {8, 8, 8},
        {96, 96, 96}}},
      {"dc_fractcolor",
       {{36, 121, 242},
        {22, 161, 146},
        {116, 120, 229},
        {80, 108, 245},
        {122, 125, 230},
        {54, 106, 162},
        {52, 80, 156},
        {72, 107, 238}}},
      {"dc_mandbrot",
       {{219, 232, 243},
        {229, 238, 246},
        {198, 218, 235},
        {210, 227, 240},
        {210, 226, 239},
        {198, 219, 235},
        {181, 207, 229},
        {255, 255, 255}}},
      {"dc_vortex",
       {{134, 134, 134},
        {89, 89, 89},
        {133, 133, 133},
        {81, 81, 81},
        {190, 190, 190},
        {126, 126, 126},
        {127, 127, 127},
        {113, 113, 113}}},
      {"dc_hexagons",
       {{247, 247, 247},
        {255, 255, 255},
        {0, 0, 0},
        {0, 0, 0},
        {255, 255, 255},
        {0, 0, 0},
        {0, 0, 0},
        {255, 255, 255}}},
      {"dc_menger",
       {{0, 0, 0},
        {255, 255, 255},
        {0, 0, 0},
        {255, 255, 255},
        {255, 255, 255},
        {255, 255, 255},
        {255, 255, 255},
        {0, 0, 0}}},
      {"dc_portal",
       {{16, 0, 0},
        {255, 255, 216},
        {223, 95, 0},
        {255, 255, 131},
        {255, 255, 255},
        {0, 0, 0},
        {255, 255, 157},
        {14, 0, 0}}},
      {"dc_apollonian",
       {{25, 69, 236},
        {28, 52, 242},
        {255, 160, 255},
        {190, 200, 7},
        {139, 6, 221},
        {47, 78, 27},
        {255, 76, 107},
        {42, 154, 77}}},
  };
  for (const Image& image : images)
    for (std::size_t i = 0; i < std::size(points); ++i) {
      VariationUse use{variationNamed(image.name), 1, {}};
      const auto& parameters = variations()[std::size_t(use.index)].parameters;
      for (std::size_t k = 0; k < parameters.size(); ++k)
        use.parameters[k] = parameters[k].name == "ColorOnly" ? 1 : parameters[k].fallback;
      ListedDraws draws({});
      draws.setSum({0, 0, 0.5});
      const glm::dvec3 q = variations()[std::size_t(use.index)].evaluate3(
          {points[i].x, points[i].y, 1, use.parameters.data(), &test::kVectorCoefs, 0.7}, draws);
      expectPoint(q, {points[i], -0.5}, image.name);  // the sum's z is taken off
      const auto color = draws.takeFullColor();
      ASSERT_TRUE(color) << image.name;
      EXPECT_FALSE(draws.takeFullColor());
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR((*color)[c] * 255, image.levels[i][c], 1e-9) << image.name << " " << i;
    }
}

TEST(FullColors, LieInASquareAndFollowTheGradient) {
  const auto carpet = [](double gradient, std::optional<glm::dvec4>& full) {
    VariationUse use{variationNamed("dc_menger"), 2, {1, 3, 0, gradient, 0.25, 0.5, 0}};
    ListedDraws draws({0.2, 0.9});
    const glm::dvec3 q = variations()[std::size_t(use.index)].evaluate3(
        {3, 4, 2, use.parameters.data(), &test::kVectorCoefs, 0.7}, draws);
    full = draws.takeFullColor();
    return Answer{q, draws.takeColor(-1)};
  };
  std::optional<glm::dvec4> full;
  const double grey = (76 + 149 + 29) / 255.0;  // of white, as JWildfire adds whole numbers
  expectPoint(carpet(0, full).point, {-0.6, 0.8, 0.25 * grey + 0.5}, "twice the place drawn");
  EXPECT_EQ(full, glm::dvec4(1, 1, 1, 0));
  EXPECT_EQ(carpet(1, full).color, -1);
  EXPECT_EQ(full, glm::dvec4(1, 1, 1, 1));
  EXPECT_NEAR(carpet(2, full).color, grey, 1e-12);
  EXPECT_FALSE(full);
}

}  // namespace
}  // namespace fathom::flame
