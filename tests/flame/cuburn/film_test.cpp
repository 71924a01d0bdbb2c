// SPDX-License-Identifier: BSD-3-Clause
// Films of cuburn: which xforms find each other, what stands in for missing ones, nodes at both
// ends of an edge, and curves that move as the genomes do.
#include "app/engine/flame/cuburn/animation.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/motion/keyframes.h"
#include "tests/flame/cuburn/cuburn_files.h"

namespace fathom::flame::cuburn {
namespace {

using namespace fathom::flame::test;

const Place kHere("edge.json");

NodeXform xform(const std::string& id, double weight, double color = 0, double preSpread = 45,
                double postSpread = 45) {
  NodeXform x{id, {}};
  x.values["weight"].position = weight;
  x.values["color"].position = color;
  x.values["pre_affine.spread"].position = preSpread;
  x.values["post_affine.spread"].position = postSpread;
  return x;
}

std::vector<std::string> pairNames(const std::vector<NodeXform>& from,
                                   const std::vector<NodeXform>& to, const Blend& blend) {
  std::vector<std::string> names;
  for (const XformPair& pair : paired(from, to, blend, kHere))
    names.push_back((pair.from < 0 ? "-" : from[std::size_t(pair.from)].id) + ">" +
                    (pair.to < 0 ? "-" : to[std::size_t(pair.to)].id) + (pair.copies ? "*" : ""));
  return names;
}

// ---- Pairs

TEST(CuburnPairs, AreSortedAsTheBlendSays) {
  const std::vector<NodeXform> from{xform("0", 3, 0.1), xform("1", 1, 0.9), xform("2", 2, 0.5)};
  const std::vector<NodeXform> to{xform("a", 5, 0.7), xform("b", 9, 0.2), xform("c", 7, 0.3)};
  EXPECT_THAT(pairNames(from, to, {1, XformSort::WeightFlip, {}}),
              ElementsAre("1>b", "2>c", "0>a"));
  EXPECT_THAT(pairNames(from, to, {1, XformSort::Weight, {}}), ElementsAre("1>a", "2>c", "0>b"));
  EXPECT_THAT(pairNames(from, to, {1, XformSort::Natural, {}}), ElementsAre("0>a", "1>b", "2>c"));
  EXPECT_THAT(pairNames(from, to, {1, XformSort::Color, {}}), ElementsAre("0>b", "2>c", "1>a"));
}

TEST(CuburnPairs, StayAmongThoseThatTurnThePlaneOverAlike) {
  const std::vector<NodeXform> from{xform("0", 1), xform("1", 1, 0, 135), xform("2", 1, 0, 45, 100),
                                    xform("3", 1, 0, 170, 91)};
  const std::vector<NodeXform> to{xform("a", 1, 0, 135 + 360, 90), xform("b", 1, 0, 90),
                                  xform("c", 1, 0, -45, 135)};
  EXPECT_THAT(pairNames(from, to, {1, XformSort::Natural, {}}),
              ElementsAre("0>b", "2>-", "1>a", "3>c"));
}

TEST(CuburnPairs, TheMapGoesFirst) {
  const std::vector<NodeXform> from{xform("0", 1), xform("1", 1), xform("2", 1)};
  const std::vector<NodeXform> to{xform("0", 1), xform("1", 1, 0, 135)};
  EXPECT_THAT(pairNames(from, to, {1, XformSort::Natural, {{"2", "1"}, {"0", "pad"}}}),
              ElementsAre("2>1", "0>-", "1>0"));
  EXPECT_THAT(pairNames(from, to, {1, XformSort::Natural, {{"dup", "0"}, {"1", "dup"}}}),
              ElementsAre("->0*", "1>-*", "0>-", "2>-", "->1"));
}

TEST(CuburnPairs, IdsThatAreNotThereAreRefused) {
  const std::vector<NodeXform> from{xform("0", 1)}, to{xform("0", 1)};
  const auto message = [&](const char* a, const char* b) {
    return messageOf([&] {
      paired(from, to, {1, XformSort::Natural, {{"0", "0"}, {a, b}}}, kHere);
    });
  };
  EXPECT_THAT(message("9", "pad"), HasSubstr("each xform of the source once, found \"9\""));
  EXPECT_THAT(message("0", "pad"), HasSubstr("each xform of the source once, found \"0\""));
  EXPECT_THAT(message("pad", "x"), HasSubstr("each xform of the destination once"));
  EXPECT_THAT(message("pad", "dup"), HasSubstr("expected an xform, found none in a pair"));
}

// ---- What stands in

/// Where an xform takes a point; no variation with chance in it.
glm::dvec2 applied(const Xform& x, glm::dvec2 p) {
  struct Half : Draws {
    double unit() override { return 0.5; }
    int bit() override { return 0; }
  } half;
  const glm::dvec2 q = x.coefs(p);
  glm::dvec2 sum(0);
  for (const VariationUse& use : x.variations)
    sum += variations()[std::size_t(use.index)].evaluate(
        {q.x, q.y, use.weight, use.parameters.data(), &x.coefs}, half);
  return x.post(sum);
}

TEST(CuburnPadding, LeavesPointsWhereTheyAre) {
  TempFolder folder;
  for (const char* variation : {"sinusoidal", "spherical", "julian", "bipolar", "rectangles",
                                "fan2", "blob", "perspective", "super_shape"}) {
    NodeXform partner{"0", {}};
    partner.values[fmt::format("variations.{}.weight", variation)].position = 0.7;
    if (variation == std::string("perspective"))  // without a distance it is no map at all
      partner.values["variations.perspective.dist"].position = 2;
    Node from, to;
    from.xforms = {partner}, to.values = from.values;
    reading::Warnings warnings;
    Film film = blended(from, 0, to, 0, {}, nullptr, warnings);
    film.files = {"x"};
    const Genome end = CuburnAnimation(film, {}).at(720 * 2 - 0.5);
    ASSERT_EQ(end.xforms.size(), 1u);
    EXPECT_EQ(end.xforms[0].weight, 0);
    for (const glm::dvec2 p : {glm::dvec2(0.3, -0.7), glm::dvec2(-1.2, 0.4)}) {
      const glm::dvec2 q = applied(end.xforms[0], p);
      EXPECT_NEAR(q.x, p.x, 1e-9) << variation;
      EXPECT_NEAR(q.y, p.y, 1e-9) << variation;
    }
  }
}

TEST(CuburnPadding, TakesTheParametersOfItsPartner) {
  NodeXform partner{"0", {}};
  partner.values["variations.julian.weight"].position = 1;
  partner.values["variations.julian.power"].position = 5;
  Node from, to;
  from.xforms = {partner};
  reading::Warnings warnings;
  const Film film = blended(from, 0, to, 0, {}, nullptr, warnings);
  EXPECT_EQ(film.xforms[0].curves.at("variations.julian.power").at(0.7), 5);
  EXPECT_EQ(film.xforms[0].curves.at("variations.julian.weight").at(1), 0);
  EXPECT_EQ(film.xforms[0].curves.at("variations.linear.weight").at(1), -1);
}

TEST(CuburnPadding, OfAFinalXformChangesNoColor) {
  Node from, to;
  to.finalXform = xform("", 0, 0.3);
  to.finalXform->values["variations.spherical.weight"].position = 1;
  reading::Warnings warnings;
  const Film film = blended(from, 0, to, 0, {}, nullptr, warnings);
  EXPECT_EQ(xformCurveIn(film.finalXform->curves, "color_speed").at(0), 0);
  EXPECT_EQ(xformCurveIn(film.finalXform->curves, "color_speed").at(1), 0.5);
}

// ---- Films

class CuburnFilms : public testing::Test {
 protected:
  std::shared_ptr<const CuburnAnimation> read(const std::string& name, const std::string& text,
                                              const std::string& profile = kProfile) {
    return readCuburn(folder.write(name, text), folder.write("profile.p.json", profile));
  }
  TempFolder folder;
};

TEST_F(CuburnFilms, ANodeIsTheGenomeThatItSays) {
  const Genome g = read("n.json", R"({"type": "node", "name": "n", "palette": )" + paletteJson() +
                                      R"(, "author": {"name": "us", "url": "there"},
    "camera": {"center": {"x": 0.1, "y": -0.2}, "rotation": 30, "scale": 0.25, "dither_width": 0.8,
               "spp": 0.5},
    "filters": {"logscale": {"brightness": 7}, "de": {"radius": 8, "minimum": 0.25, "curve": 0.5},
                "colorclip": {"gamma": 2, "gamma_threshold": 0.02, "vibrance": 0.6,
                              "highlight_power": 1}},
    "xforms": {"0": {"weight": 2, "color": 0.75, "color_speed": 0.125, "opacity": 0.5,
      "variations": {"julian": {"weight": 0.5, "power": 3, "dist": -1},
                     "oscope": {"weight": 1, "damping": 0.5}}}}})")
                       ->still();
  EXPECT_EQ(g.name, "n");
  EXPECT_EQ(g.other, (Attributes{{"nick", "us"}, {"url", "there"}}));
  EXPECT_EQ(g.size, glm::ivec2(48, 32));
  EXPECT_DOUBLE_EQ(g.scale, 0.25 * 48);
  EXPECT_EQ(g.zoom, 0);
  EXPECT_EQ(g.center, glm::dvec2(0.1, -0.2));
  EXPECT_EQ(g.rotate, 30);
  EXPECT_EQ(g.filter, 0.8);
  EXPECT_EQ(g.quality, 0.5 * 20);
  EXPECT_EQ(g.brightness, 7);
  EXPECT_EQ(g.estimatorRadius, 8);
  EXPECT_EQ(g.estimatorMinimum, 2) << "a fraction of the radius";
  EXPECT_EQ(g.estimatorCurve, 0.5);
  EXPECT_EQ(g.gamma, 2);
  EXPECT_EQ(g.gammaThreshold, 0.02);
  EXPECT_EQ(g.vibrancy, 0.6);
  EXPECT_EQ(g.highlightPower, 1);
  ASSERT_EQ(g.xforms.size(), 1u);
  const Xform& x = g.xforms[0];
  EXPECT_EQ(x.weight, 2);
  EXPECT_EQ(x.color, 0.75);
  EXPECT_EQ(x.colorSpeed, 0.125);
  EXPECT_EQ(x.opacity, 0.5);
  EXPECT_EQ(x.coefs, Affine{});
  EXPECT_EQ(weightIn(x, variationNamed("julian")), 0.5);
  EXPECT_EQ(weightIn(x, variationNamed("oscilloscope")), 1);
  EXPECT_EQ(x.variations[0].parameters[0], 3);
  EXPECT_EQ(g.palette[200], glm::vec4(1, 0, 0, 1));
}

TEST(CuburnNodes, OfTheAssetsAreTheirFlames) {
  for (const char* name : {"corona", "seahorse"}) {
    const auto file = [&](const char* ending) {
      return sourcePath(fmt::format("assets/flame/{}{}", name, ending));
    };
    const Genome node = readCuburn(file(".json"), {}, {800, 600})->still();
    const Genome flame = readGenomes(file(".flame")).genomes.at(0);
    EXPECT_EQ(node.name, flame.name);
    EXPECT_EQ(node.palette, flame.palette);
    EXPECT_EQ(node.paletteMode, flame.paletteMode);
    EXPECT_NEAR(node.scale, flame.scale, 1e-9);
    EXPECT_EQ(node.center, flame.center);
    EXPECT_EQ(node.filter, flame.filter);
    EXPECT_EQ(node.brightness, flame.brightness);
    EXPECT_EQ(node.estimatorCurve, flame.estimatorCurve);
    ASSERT_EQ(node.xforms.size(), flame.xforms.size());
    for (std::size_t i = 0; i < node.xforms.size(); ++i) {
      const Xform &a = node.xforms[i], &b = flame.xforms[i];
      expectNear(a.coefs, b.coefs, 2e-6);
      expectNear(a.post, b.post, 2e-6);
      EXPECT_EQ(a.weight, b.weight);
      EXPECT_EQ(a.color, b.color);
      EXPECT_EQ(a.opacity, b.opacity);
      EXPECT_EQ(a.animate, b.animate);
      EXPECT_EQ(a.variations, b.variations);
    }
  }
}

TEST_F(CuburnFilms, ANodeTurnsOnceAsTheLoopsOfFlam3Do) {
  const auto film = read("n.json", triangleJson());
  ASSERT_EQ(film->frameCount(), 8);
  EXPECT_EQ(film->firstTime(), -0.5);
  EXPECT_EQ(film->lastTime(), 7.5);
  const Genome still = film->still();
  expectNear(still.xforms[0].coefs, {0.5, 0, 0, 0.5, -0.5, -0.5}, 1e-12);
  EXPECT_EQ(still.xforms[0].animate, 1);
  EXPECT_EQ(still.xforms[1].animate, 0);
  for (int frame = 0; frame < 8; ++frame) {
    const Genome loop = loopFrame(still, (frame + 0.5) / 8), here = film->at(frame);
    for (std::size_t i = 0; i < 3; ++i)
      expectNear(here.xforms[i].coefs, loop.xforms[i].coefs, 1e-9);
  }
}

TEST_F(CuburnFilms, AnEdgeLeadsFromNodeToNode) {
  folder.write("a.json", triangleJson(R"(, "camera.rotation": [10, 90])"));
  folder.write("b.json", triangleJson(R"(, "filters.logscale.brightness": 9)", paletteJson(kBlue)));
  const auto edge =
      read("edge.a=b.json", edgeJson("a@0.25", "b@-0.25", R"(, "blend": {"duration": 1.5,
        "xform_sort": "natural"}, "filters.logscale.brightness": [0.5, 30])"));
  EXPECT_EQ(edge->frameCount(), 12);
  const Genome a = read("a.json", triangleJson(R"(, "camera.rotation": [10, 90])"))->still();
  const Genome first = edge->at(edge->firstTime()), last = edge->at(edge->lastTime());
  // A quarter of a turn on, a quarter of a turn before.
  expectNear(first.xforms[0].coefs, loopFrame(a, 0.25).xforms[0].coefs, 1e-9);
  expectNear(last.xforms[0].coefs, loopFrame(a, -0.25).xforms[0].coefs, 1e-9);
  expectNear(last.xforms[1].coefs, a.xforms[1].coefs, 1e-9);
  EXPECT_NEAR(first.rotate, 10 + 90 / 4.0, 1e-9);
  EXPECT_NEAR(std::remainder(last.rotate, 360), 0, 1e-9);
  EXPECT_EQ(first.brightness, 4);
  EXPECT_NEAR(edge->at(5.5).brightness, 30, 1e-9);
  EXPECT_NEAR(last.brightness, 9, 1e-12);
  EXPECT_EQ(first.palette[9], glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(last.palette[9], glm::vec4(0, 0, 1, 1));
  EXPECT_NEAR(edge->paletteAt(5.5)[9].r, 0.5, 1e-6);
  EXPECT_EQ(edge->film().files.size(), 4u) << "the edge, both nodes and the profile";
}

/// As a flock has them: edges in a folder of their own, where the nodes' names exist as edges too.
TEST_F(CuburnFilms, AnEdgeInAFolderHasItsNodesInTheFolderBeside) {
  std::filesystem::create_directories(folder / "nodes");
  std::filesystem::create_directories(folder / "edges");
  folder.write("nodes/a.json", triangleJson());
  folder.write("nodes/b.json", triangleJson("", paletteJson(kBlue)));
  folder.write("edges/a.json", edgeJson("a", "a"));
  const auto edge = read("edges/a=b.json", edgeJson("a", "b"));
  EXPECT_EQ(edge->at(edge->lastTime()).palette[9], glm::vec4(0, 0, 1, 1));
  EXPECT_EQ(read("edges/a.json", edgeJson("a", "a"))->film().xforms.size(), 3u);
}

TEST_F(CuburnFilms, KnotsOfAnEdgeBelongToXformsOfEitherSide) {
  folder.write("a.json", triangleJson());
  const auto edge = read("edge.a.json", edgeJson("a@0", "a@0.5", R"(, "blend": {"duration": 0.5,
    "xform_sort": "natural"}, "xforms.src.1.weight": [0.5, 4], "xforms.dst.2.color": [0.25, 1],
    "xforms.src.7.color": [0.5, 1],
    "palette": [0.5, )" + paletteJson(kBlue).substr(1)));
  EXPECT_NEAR(edge->at(1.5).xforms[1].weight, 4, 1e-9);
  EXPECT_NEAR(edge->at(0.5).xforms[2].color, 1, 1e-9);
  EXPECT_EQ(edge->paletteAt(1.5)[0], glm::vec4(0, 0, 1, 1));
  EXPECT_THAT(edge->film().warnings, ElementsAre(HasSubstr("xforms.src.7")));
}

TEST_F(CuburnFilms, AnAnimationSaysAllItself) {
  const auto film =
      read("f.json", R"({"type": "animation", "time.duration": 2, "camera.scale": [1, 4],
    "palette": [0, )" + paletteJson().substr(1, paletteJson().size() - 2) +
                         ", 1, " + paletteJson(kBlue).substr(1) + R"(,
    "xforms": {"10": {"weight": 1}, "9": {"weight": [0, 0, 2, 0, 0.5, 3], "color": 2,
      "variations.linear.weight": 1}}, "final_xform": {"variations.linear.weight": 2}})");
  EXPECT_EQ(film->frameCount(), 16);
  const Genome middle = film->at(7.5);
  ASSERT_EQ(middle.xforms.size(), 2u);
  EXPECT_NEAR(middle.xforms[0].weight, 3, 1e-9) << "xform 9 comes before 10";
  EXPECT_EQ(middle.xforms[0].color, 1) << "colors stay within 0 and 1";
  EXPECT_NEAR(middle.palette[3].b, 0.5, 1e-6);
  EXPECT_EQ(film->at(film->lastTime()).scale, 4 * 48);
  ASSERT_TRUE(middle.finalXform);
  EXPECT_EQ(weightIn(*middle.finalXform, kLinear), 2);
}

TEST_F(CuburnFilms, CurvesMoveAsTheGenomesDo) {
  folder.write("a.json", triangleJson(R"(, "camera.rotation": [0, 90],
    "final_xform": {"variations.linear.weight": 1, "post_affine.angle": [10, 360]})"));
  folder.write("b.json",
               R"({"type": "node", "camera.scale": 0.02, "palette": )" + paletteJson() + R"(,
    "xforms": {"0": {"weight": 1, "opacity": 0.5, "pre_affine.angle": [300, -360],
      "variations": {"julian": {"weight": 1, "power": 3}},
      "post_affine": {"magnitude.x": 0.1, "spread": 120}}}})");
  const auto edge = read("edge.json", edgeJson("a@0.1", "b@-0.3"));
  const std::vector<MovingGenome> pieces = edge->curves(-0.5, 7.5);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_LE(pieces[0].begin, -0.5);
  EXPECT_GE(pieces[0].end, 7.5);
  const Genome extent = edge->extent(-0.5, 7.5);
  for (double time = -0.5; time <= 7.5; time += 0.25) {
    const Genome shape = edge->shapeAt(time);
    Genome moved = shapeOf(pieces[0], time);
    for (std::size_t i = 0; i < moved.xforms.size(); ++i)  // curves do not say which ones turn
      moved.xforms[i].animate = shape.xforms.at(i).animate;
    EXPECT_NEAR(pixelsPerUnit(moved) / pixelsPerUnit(shape), 1, 1e-12);
    EXPECT_EQ(moved.center, shape.center);
    EXPECT_EQ(moved.rotate, shape.rotate);
    EXPECT_EQ(moved.xforms, shape.xforms);
    EXPECT_EQ(moved.finalXform, shape.finalXform);
    ASSERT_EQ(extent.xforms.size(), shape.xforms.size());
    for (std::size_t i = 0; i < shape.xforms.size(); ++i)
      for (const VariationUse& use : shape.xforms[i].variations)
        EXPECT_TRUE(use.weight == 0 || weightIn(extent.xforms[i], use.index) != 0);
  }
}

TEST_F(CuburnFilms, ProfilesAreFactorsAndSayWhichFramesAreDrawn) {
  const auto film = read("n.json", triangleJson(R"(, "time.frame_width": 0.5, "camera.spp": 2)"),
                         R"({"type": "profile", "width": 10, "height": 20, "fps": 10, "duration": 1,
      "spp": 30, "frame_width": 3, "start": 2, "end": -1, "skip": 2,
      "filters": {"logscale.brightness": 0.5, "de.radius": 2}})");
  const Genome g = film->still();
  EXPECT_EQ(g.quality, 60);
  EXPECT_EQ(g.temporalFilterWidth, 1.5);
  EXPECT_EQ(g.brightness, 2);
  EXPECT_EQ(film->firstTime(), 1.5);
  EXPECT_EQ(film->lastTime(), 8.5);
  EXPECT_EQ(film->step(), 3);
}

TEST_F(CuburnFilms, OfTheirOwnLimitsStayDrawable) {
  const auto wild = read("f.json", R"({"type": "animation", "palette": )" + paletteJson() + R"(,
    "camera.dither_width": [1, 0, 1, 0, 0.5, 9999], "filters.de.radius": [9, 0, 9, 0, 0.5, 1e6],
    "filters.de.curve": [0.5, 0, 0.5, 0, 0.5, -3], "camera.spp": [1, 0, 1, 0, 0.5, -9],
    "xforms": {"0": {"weight": [1, 0, 1, 0, 0.5, -2], "variations.linear.weight": 1}}})");
  reading::Warnings warnings;
  for (double time = -0.5; time <= 7.5; time += 0.125) {
    Genome g = wild->at(time);
    EXPECT_NO_THROW(reading::check(g, kHere, warnings)) << time;
  }
  EXPECT_THROW(read("g.json", triangleJson(R"(, "camera.spp": 0)")), Error);
  EXPECT_THROW(read("g.json", triangleJson(R"(, "camera.dither_width": 1000)")), Error);
}

TEST_F(CuburnFilms, NameFiltersThatFathomHasNotInOneLine) {
  folder.write("a.json", triangleJson(R"(, "filters.bilateral.gradient": 2)"));
  folder.write("p.json", R"({"type": "profile", "filters": {"haloclip.gamma": 2}})");
  const auto read = readCuburn(folder.write("edge.a.json", edgeJson("a", "a")), folder / "p.json");
  EXPECT_THAT(read->film().warnings, ElementsAre(HasSubstr("found bilateral, haloclip too")));
}

}  // namespace
}  // namespace fathom::flame::cuburn
