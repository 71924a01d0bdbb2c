// SPDX-License-Identifier: BSD-3-Clause
// Genomes: every form that flam3 reads, back without loss, and what it refuses or draws black said
// in one line. The rows of "malformed or out-of-range input" are a test each.
#include "app/engine/flame/genome/io.h"

#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/flame/genome/variations.h"
#include "tests/flame/genomes.h"

namespace fathom::flame {
namespace {

using test::flameXml;
using test::kXform;

GenomeFile parse(const std::string& xml) { return parseGenomes(xml, "x.flame"); }
Genome one(const std::string& inside, const std::string& attributes = "time=\"0\"") {
  return parse(flameXml(inside, attributes)).genomes.at(0);
}
Xform xformOf(const std::string& attributes) {
  return one("<xform " + attributes + "/>").xforms[0];
}

/// Written and read again.
Genome again(const Genome& genome) {
  return parse(genomesXml(std::span(&genome, 1))).genomes.at(0);
}

const std::string kWild = "name='a' version='JWildfire V5.00 (01.01.2020)' ";

/// As JWildfire writes it, with nothing lost and nothing lost by writing it again.
Genome kept(const std::string& inside) {
  Genome genome = one(inside, kWild);
  EXPECT_THAT(genome.lost, IsEmpty()) << inside;
  EXPECT_EQ(again(genome).xforms, genome.xforms) << inside;
  return genome;
}
/// What of it is not drawn.
std::vector<UnsupportedFeature> lostOf(const std::string& inside) {
  return one(inside, kWild).lost;
}

/// What reading says; empty when it does not mind.
std::string refusal(const std::string& xml) {
  const std::string message = messageOf([&] { parse(xml); });
  return message == "no error" ? "" : message;
}
std::string refusalOf(const std::string& inside, const std::string& attributes = "name=\"a\"") {
  return refusal(flameXml(inside, attributes));
}
std::string warningOf(const std::string& inside, const std::string& attributes = "name=\"a\"") {
  std::string text;
  for (const std::string& line : parse(flameXml(inside, attributes)).warnings)
    if (line.find("found none; the image is black") == std::string::npos) text += line;
  return text;
}
bool near(glm::vec4 a, glm::vec4 b) {
  return glm::all(glm::lessThan(glm::abs(a - b), glm::vec4(1e-5f)));
}

// ---- The document

TEST(FlameIo, FlamesAreFoundAtAnyDepthInOrder) {
  const GenomeFile file =
      parse("<a><b><flame name='one'>" + kXform + "</flame></b><!-- x --><flame name='two'>" +
            kXform + "</flame></a>");
  ASSERT_THAT(file.genomes, SizeIs(2));
  EXPECT_EQ(file.genomes[0].name, "one");
  EXPECT_EQ(file.genomes[1].name, "two");
}

/// As the server of Electric Sheep gives an edge, which flam3 does not read.
TEST(FlameIo, FlamesWithoutARootAreAFile) {
  const GenomeFile file = parse("<?xml version='1.0'?><!-- an edge -->" +
                                flameXml(kXform, "time='0'") + flameXml(kXform, "time='160'"));
  ASSERT_THAT(file.genomes, SizeIs(2));
  EXPECT_EQ(file.genomes[1].time, 160);
  EXPECT_THAT(refusal(flameXml(kXform) + "<edit/>"), HasSubstr("one root element"));
}

TEST(FlameIo, WarningsMayBeThoseOfOneFlame) {
  const std::string xml = "<a>" + flameXml("<xform weight='1' svg_wf='1'/>", "name='one'") +
                          flameXml("<xform weight='1' taprats='1'/>", "name='two'") + "</a>";
  const auto linesOf = [&](int flame) {
    std::string text;
    for (const std::string& line : parseGenomes(xml, "x.flame", 1, flame).warnings) text += line;
    return text;
  };
  EXPECT_THAT(linesOf(0), AllOf(HasSubstr("svg_wf"), HasSubstr("taprats")));
  EXPECT_THAT(linesOf(2), AllOf(Not(HasSubstr("svg_wf")), HasSubstr("taprats")));
}

TEST(FlameIo, DefaultsAreThoseOfFlam3) {
  const Genome genome = one(kXform);
  Genome expected;
  expected.xforms = genome.xforms;
  EXPECT_EQ(genome, expected);
  EXPECT_EQ(genome.size, glm::ivec2(100, 100));
  EXPECT_EQ(genome.estimatorRadius, 9);
}

TEST(FlameIo, EveryFlameAttributeIsRead) {
  const Genome g = one(kXform, R"(name="n" time="3" size="640 480" center="1 -2" scale="200"
    zoom="0.5" rotate="30" oversample="3" filter="0.7" filter_shape="mitchell" quality="50"
    passes="2" temporal_samples="7" temporal_filter_type="exp" temporal_filter_width="2"
    temporal_filter_exp="-1" background="0.1 0.2 0.3" brightness="5" gamma="3"
    gamma_threshold="0.02" vibrancy="0.5" highlight_power="0.25" estimator_radius="11"
    estimator_minimum="1" estimator_curve="0.6" palette_mode="linear" interpolation="smooth"
    interpolation_space="linear" palette_interpolation="rgb" hsv_rgb_palette_blend="0.3"
    soloxform="0")");
  EXPECT_EQ(g.name, "n");
  EXPECT_EQ(g.time, 3);
  EXPECT_EQ(g.size, glm::ivec2(640, 480));
  EXPECT_EQ(g.center, glm::dvec2(1, -2));
  EXPECT_EQ(g.scale, 200);
  EXPECT_EQ(g.zoom, 0.5);
  EXPECT_EQ(g.rotate, 30);
  EXPECT_EQ(g.supersample, 3);
  EXPECT_EQ(g.filter, 0.7);
  EXPECT_EQ(g.filterShape, FilterShape::Mitchell);
  EXPECT_EQ(g.quality, 50);
  EXPECT_EQ(g.passes, 2);
  EXPECT_EQ(g.temporalSamples, 7);
  EXPECT_EQ(g.temporalFilter, TemporalFilter::Exp);
  EXPECT_EQ(g.temporalFilterWidth, 2);
  EXPECT_EQ(g.temporalFilterExp, -1);
  EXPECT_EQ(g.background, glm::dvec3(0.1, 0.2, 0.3));
  EXPECT_EQ(g.brightness, 5);
  EXPECT_EQ(g.gamma, 3);
  EXPECT_EQ(g.gammaThreshold, 0.02);
  EXPECT_EQ(g.vibrancy, 0.5);
  EXPECT_EQ(g.highlightPower, 0.25);
  EXPECT_EQ(g.estimatorRadius, 11);
  EXPECT_EQ(g.estimatorMinimum, 1);
  EXPECT_EQ(g.estimatorCurve, 0.6);
  EXPECT_EQ(g.paletteMode, PaletteMode::Linear);
  EXPECT_EQ(g.interpolation, Interpolation::Smooth);
  EXPECT_EQ(g.matrixInterpolation, MatrixInterpolation::Linear);
  EXPECT_EQ(g.paletteInterpolation, PaletteInterpolation::Rgb);
  EXPECT_EQ(g.hsvRgbPaletteBlend, 0.3);
  EXPECT_EQ(g.soloXform, 0);
}

TEST(FlameIo, TheLaterOfTwoNamesWins) {
  EXPECT_EQ(one(kXform, "supersample='2' oversample='4'").supersample, 4);
  EXPECT_EQ(one(kXform, "oversample='4' supersample='2'").supersample, 2);
}

TEST(FlameIo, NumbersAreThoseOfStrtod) {
  EXPECT_EQ(one(kXform, "zoom='0x1p-1' rotate=' -3' gamma='1e1' brightness=''").zoom, 0.5);
  EXPECT_EQ(one(kXform, "brightness=''").brightness, 0);
  EXPECT_TRUE(std::isnan(xformOf("weight='1' linear='nan'").variations[0].weight));
}

TEST(FlameIo, HighlightPowerIsReadLeniently) {
  EXPECT_EQ(one(kXform, "highlight_power='0.5x'").highlightPower, 0.5);
  EXPECT_EQ(one(kXform, "highlight_power='junk'").highlightPower, 0);
  EXPECT_THAT(warningOf(kXform, "highlight_power='junk'"), HasSubstr("highlight_power"));
}

// ---- Xforms

TEST(FlameIo, XformDefaults) {
  const Xform xform = xformOf("color_speed='0.5'");
  EXPECT_EQ(xform.weight, 0);
  EXPECT_EQ(xform.color, 0);
  EXPECT_EQ(xform.coefs, Affine());
  EXPECT_THAT(xform.variations, IsEmpty());
  EXPECT_EQ(one(kXform + kXform).xforms[1].color, 1);
  EXPECT_EQ(one(kXform + "<symmetry kind='3'/>" + kXform).xforms[3].color, 1);
}

TEST(FlameIo, CoefsAreColumnByColumn) {
  const Xform xform = xformOf("weight='1' coefs='1 2 3 4 5 6' post='6 5 4 3 2 1'");
  EXPECT_EQ(xform.coefs(glm::dvec2(1, 0)), glm::dvec2(1 + 5, 2 + 6));
  EXPECT_EQ(xform.coefs(glm::dvec2(0, 1)), glm::dvec2(3 + 5, 4 + 6));
  EXPECT_EQ(xform.post.a, 6);
}

TEST(FlameIo, VariationsAndParameters) {
  const Xform xform = xformOf("weight='1' julian_power='3' swirl='-0.5' julian='0.25'");
  ASSERT_THAT(xform.variations, SizeIs(2));
  EXPECT_EQ(xform.variations[0].index, variationNamed("swirl"));
  EXPECT_EQ(xform.variations[0].weight, -0.5);
  EXPECT_EQ(xform.variations[1].index, variationNamed("julian"));
  EXPECT_EQ(xform.variations[1].weight, 0.25);
  EXPECT_EQ(xform.variations[1].parameters[0], 3);
  EXPECT_EQ(xform.variations[1].parameters[1], 1);  // the default
}

TEST(FlameIo, EveryVariationHasItsName) {
  for (int v = 0; v < kFlam3Variations; ++v) {
    const VariationInfo& info = variations()[std::size_t(v)];
    std::string attributes = fmt::format("weight='1' {}='0.5'", info.name);
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
      attributes += fmt::format(" {}_{}='0.125'", info.name, info.parameters[p].name);
    const Xform xform = xformOf(attributes);
    ASSERT_THAT(xform.variations, SizeIs(1)) << info.name;
    EXPECT_EQ(xform.variations[0].index, v);
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
      EXPECT_EQ(xform.variations[0].parameters[p], 0.125) << info.name;
    EXPECT_THAT(xform.other, IsEmpty()) << info.name;
  }
}

TEST(FlameIo, OlderSpellings) {
  EXPECT_EQ(xformOf("oscope_frequency='3'").variations[0],
            xformOf("oscilloscope_frequency='3'").variations[0]);
  EXPECT_EQ(xformOf("Re_A='3' Im_D='2'").variations[0],
            xformOf("mobius_re_a='3' mobius_im_d='2'").variations[0]);
  const Xform crop = xformOf("post_crop_x='1' post_crop_x_width='0.25'");  // as JWildfire calls it
  EXPECT_EQ(crop, xformOf("post_crop_x='1' post_crop_x_w='0.25'"));
  Genome genome;
  genome.xforms = {crop};
  EXPECT_THAT(genomesXml(std::vector{genome}), HasSubstr("post_crop_x_width=\"0.25\""));
  EXPECT_EQ(xformOf("symmetry='0.5'").colorSpeed, 0.25);
  EXPECT_EQ(xformOf("symmetry='0.5'").animate, 0);
  EXPECT_EQ(xformOf("symmetry='-1'").animate, 1);
  EXPECT_EQ(xformOf("plotmode='off'").opacity, 0);
  EXPECT_EQ(xformOf("color='0.3 0.7'").color, 0.3);
}

TEST(FlameIo, Var1IsOneVariation) {
  const Xform xform = xformOf("linear='1' var1='3'");
  EXPECT_EQ(weightIn(xform, 0), 0);
  EXPECT_EQ(weightIn(xform, 3), 1);
}

TEST(FlameIo, VarIsAllWeights) {
  std::string weights;
  for (int v = 0; v < kFlam3Variations; ++v) weights += v == 2 ? "0.5 " : v == 98 ? "2 " : "0 ";
  const Xform xform = xformOf("linear='1' var='" + weights + "'");
  EXPECT_EQ(weightIn(xform, 0), 0);
  EXPECT_EQ(weightIn(xform, 2), 0.5);
  EXPECT_EQ(weightIn(xform, 98), 2);
}

TEST(FlameIo, SuperShapeRndIsClamped) {
  EXPECT_EQ(xformOf("super_shape_rnd='3'").variations[0].parameters[0], 1);
  EXPECT_EQ(xformOf("super_shape_rnd='-3'").variations[0].parameters[0], 0);
}

TEST(FlameIo, ChaosRow) {
  const Genome genome = one("<xform weight='1' linear='1' chaos='0.5 2'/>" + kXform);
  EXPECT_THAT(genome.xforms[0].chaos, ElementsAre(0.5, 2));
  EXPECT_THAT(genome.xforms[1].chaos, IsEmpty());
}

TEST(FlameIo, FinalXformStandsApart) {
  const Genome genome = one("<finalxform linear='1' opacity='0.5'/>" + kXform);
  ASSERT_TRUE(genome.finalXform);
  EXPECT_EQ(genome.finalXform->opacity, 0.5);
  EXPECT_THAT(genome.xforms, SizeIs(1));
}

TEST(FlameIo, SymmetryIsExpanded) {
  const Genome genome = one(kXform + "<symmetry kind='3'/>");
  ASSERT_THAT(genome.xforms, SizeIs(3));
  EXPECT_EQ(genome.xforms[1].coefs, (Affine{-0.5, 0.866025, -0.866025, -0.5, 0, 0}));
  EXPECT_EQ(genome.xforms[1].color, 0);
  EXPECT_EQ(genome.xforms[2].color, 1);
  EXPECT_EQ(genome.xforms[2].colorSpeed, 0);
  EXPECT_EQ(genome.xforms[2].animate, 0);
  const Genome mirrored = one(kXform + "<symmetry kind='-1'/>");
  ASSERT_THAT(mirrored.xforms, SizeIs(2));
  EXPECT_EQ(mirrored.xforms[1].coefs, (Affine{-1, 0, 0, 1, 0, 0}));
  EXPECT_THAT(one(kXform + "<symmetry kind='1'/>").xforms, SizeIs(1));
}

TEST(FlameIo, SymmetryOfKindZeroFollowsTheSeed) {
  const std::string xml = flameXml(kXform + "<symmetry kind='0'/>");
  std::vector<std::size_t> counts;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Genome genome = parseGenomes(xml, "x", seed).genomes[0];
    EXPECT_EQ(genome, parseGenomes(xml, "x", seed).genomes[0]);
    EXPECT_GT(genome.xforms.size(), 1u);
    counts.push_back(genome.xforms.size());
  }
  EXPECT_NE(std::ranges::min(counts), std::ranges::max(counts));
}

TEST(FlameIo, MotionsAreKept) {
  const Genome genome =
      one("<xform weight='1' linear='1'><motion motion_frequency='2' motion_function='hill' "
          "weight='0.5' julian_power='1' coefs='0 0 0 0 1 0'/></xform>");
  ASSERT_THAT(genome.xforms[0].motions, SizeIs(1));
  const Xform::Motion& motion = genome.xforms[0].motions[0];
  EXPECT_EQ(motion.frequency, 2);
  EXPECT_EQ(motion.function, MotionFunction::Hill);
  EXPECT_THAT(motion.fields, SizeIs(3));
}

// ---- Palettes

TEST(FlameIo, ColorsByIndexWithGapsFilledAroundTheCircle) {
  const Palette p =
      one(kXform + "<color index='2' rgb='255 0 0'/><color index='200' rgb='0 0 255'/>").palette;
  // What flam3-genome prints for the same file.
  EXPECT_TRUE(near(p[0], {246.207f / 255, 0, 8.7931f / 255, 1}));
  EXPECT_TRUE(near(p[1], {250.603f / 255, 0, 4.39655f / 255, 1}));
  EXPECT_TRUE(near(p[3], {253.712f / 255, 0, 1.28788f / 255, 1}));
}

TEST(FlameIo, AlphaOfAColorMultipliesIt) {
  const Palette p =
      one(kXform + "<color index='3' rgba='0 0 255 100'/><color index='2' rgb='255 0 0'/>").palette;
  EXPECT_TRUE(near(p[3], {0, 0, 100 / 255.f, 100 / 255.f}));
  EXPECT_TRUE(near(p[1], {254 / 255.f, 0, 0.392157f / 255, 254.392f / 255}));
}

TEST(FlameIo, AlphaCountsOnlyInTheLastAttribute) {
  const Palette p = one(kXform + "<color rgba='0 0 255 100' index='3'/>").palette;
  EXPECT_TRUE(near(p[3], {0, 0, 1, 1}));
}

TEST(FlameIo, HexColors) {
  const Palette p = one(kXform + "<colors count='2' data='00ff0000 000080fF'/>").palette;
  EXPECT_TRUE(near(p[0], {1, 0, 0, 1}));
  EXPECT_TRUE(near(p[1], {0, 128 / 255.f, 1, 1}));
}

TEST(FlameIo, HexPalette) {
  const Palette p =
      one(kXform + "<palette count='2' format='RGB'>ff0000\n 0000ff</palette>").palette;
  EXPECT_TRUE(near(p[0], {1, 0, 0, 1}));
  EXPECT_TRUE(near(p[1], {0, 0, 1, 1}));
  EXPECT_TRUE(near(p[2], {1 / 255.f, 0, 254 / 255.f, 1}));
  const Palette a = one(kXform + "<palette count='1' format='RGBA'>ff804000</palette>").palette;
  EXPECT_TRUE(near(a[7], {1, 128 / 255.f, 64 / 255.f, 0}));  // not multiplied
}

TEST(FlameIo, OldPaletteFormRefusesTheNewAttributes) {
  EXPECT_THAT(refusalOf(kXform + "<palette index0='1' count='2'/>"),
              HasSubstr("one form of <palette>"));
}

TEST(FlameIo, NoColorsIsAWarning) {
  const GenomeFile file = parse(flameXml(kXform));
  EXPECT_THAT(file.warnings, ElementsAre(HasSubstr("expected colors or a palette number")));
  EXPECT_EQ(file.genomes[0].palette, Palette{});
}

// ---- Back

void expectRoundTrip(const GenomeFile& file) {
  const std::string xml = genomesXml(file.genomes);
  const GenomeFile again = parse(xml);
  ASSERT_EQ(again.genomes.size(), file.genomes.size());
  for (std::size_t i = 0; i < file.genomes.size(); ++i)
    EXPECT_EQ(again.genomes[i], file.genomes[i]) << xml;
  EXPECT_EQ(genomesXml(again.genomes), xml);
}

TEST(FlameIo, WritingKeepsEverything) {
  expectRoundTrip(parse(flameXml(
      R"(<xform weight="0.1" color="0.3" symmetry="-0.87" julian="0.3" julian_power="3"
           julian_dist="-1.25" coefs="0.1 0.2 0.3 0.4 0.5 1e-7" post="1 0 0 1 0.3 0" chaos="1 0.5"
           opacity="0.25" plugin="7"><motion motion_frequency="2" motion_function="sin"
           weight="0.5"/></xform>
         <xform weight="0.333333333333" linear="1" mobius_re_a="1"/>
         <finalxform color="0.5" color_speed="0" spherical="1"/>
         <symmetry kind="-3"/>
         <palette count="4" format="RGB">ff8800112233445566778899</palette>
         <edit date="Thu Aug 13" nick="a &amp; b" action="clone upload"><edit filename="x" index="0">
           text &lt;here&gt;</edit></edit>)",
      R"(name="a b" version="FLAM3-LNX-3.1" size="320 240" center="0.1 -0.2" scale="123.456"
         zoom="0.3" rotate="-42.46" supersample="2" quality="2000" background="0 0.1 1"
         highlight_power="0.5" nick="n &quot;q&quot;" url="u" notes="&lt;3" hue="0.25"
         palette_mode="linear" estimator_radius="0" soloxform="1")")));
}

TEST(FlameIo, WritingKeepsWhatWasRead) {
  // Writing keeps colors that are no bytes.
  expectRoundTrip(parse(flameXml(kXform + "<color index='0' rgb='1.5 300 0.1'/>"
                                          "<color index='9' rgba='100 20.3 255 77.7'/>")));
  // Writing keeps several flames.
  expectRoundTrip(parse("<x>" + test::triangle() + flameXml(kXform, "name='b'") + "</x>"));
  // Writing keeps numbered palettes.
  const GenomeFile file = parse(flameXml(kXform, "palette='15' hue='0.22851'"));
  EXPECT_EQ(file.genomes[0].paletteNumber, 15);
  EXPECT_NE(file.genomes[0].palette, Palette{});
  expectRoundTrip(file);
}

TEST(FlameIo, WritingKeepsWhatOthersWrote) {
  const Genome genome = parse(test::triangle("<edit nick='x'><sheep id='1'/></edit>")).genomes[0];
  const std::string xml = genomesXml(std::span(&genome, 1));
  EXPECT_THAT(xml, HasSubstr("nick=\"us\""));
  EXPECT_THAT(xml, HasSubstr("<edit nick=\"x\">"));
  EXPECT_THAT(xml, HasSubstr("<sheep id=\"1\""));
}

TEST(FlameIo, FilesAreWrittenAndRead) {
  const TempFolder folder;
  const GenomeFile file = parse(test::triangle());
  writeGenomes(folder / "t.flame", file.genomes);
  EXPECT_TRUE(looksLikeGenomes(folder / "t.flame"));
  EXPECT_EQ(readGenomes(folder / "t.flame").genomes, file.genomes);
  EXPECT_TRUE(looksLikeGenomes(folder.write("layers.flame", "<jwf-flame name=\"f\"><layer/>")));
  EXPECT_FALSE(looksLikeGenomes(folder.write("t.txt", "a <flame of passion")));
  EXPECT_FALSE(looksLikeGenomes(folder / "none"));
}

TEST(FlameIo, TheGenomesThatComeWithFathomAreReadWithoutAWord) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(sourcePath("assets/flame"))) {
    if (entry.path().extension() != ".flame") continue;
    ++count;
    const GenomeFile file = readGenomes(entry.path());
    EXPECT_THAT(file.warnings, IsEmpty()) << entry.path();
    EXPECT_EQ(file.genomes[0].name, entry.path().stem()) << entry.path();
    expectRoundTrip(file);
  }
  EXPECT_EQ(count, 7);
}

// ---- The clipboard

TEST(FlameFragments, XformsGoOutAndComeBack) {
  Genome genome = parse(test::triangle("<finalxform julian='1' julian_power='3'/>")).genomes[0];
  genome.xforms[1].chaos = {0, 1, 2};
  genome.xforms[1].other.emplace_back("name", "a \"b\" & c");
  const std::string text = xformsXml(genome, std::vector<std::size_t>{1, 3});
  EXPECT_THAT(text, Not(HasSubstr("<flame")));
  const Fragment fragment = parseFragment(text, genome);
  ASSERT_THAT(fragment.xforms, SizeIs(1));
  EXPECT_THAT(fragment.flames, IsEmpty());
  genome.xforms[1].chaos.clear();  // names xforms that are not there
  EXPECT_EQ(fragment.xforms[0], genome.xforms[1]);
  EXPECT_EQ(fragment.finalXform, genome.finalXform);
}

/// As posted in forums: bare xforms with the factors of a flame that nobody sees.
TEST(FlameFragments, XformsAreReadInTheDialectOfTheFlame) {
  const std::string posted =
      "  <xform weight='0.5' color='1' bubble='1' bubble_fx_priority='1' chaos='0 0 1'\n"
      "coefs='1 0 0 1 2 3'/>\n<xform weight='2' linear='1' coefs='0.5 0 0 0.5 0 0'/>";
  const Fragment plain = parseFragment(posted, one(kXform));
  ASSERT_THAT(plain.xforms, SizeIs(2));
  EXPECT_EQ(weightIn(plain.xforms[0], variationNamed("bubble")), 1);
  const Fragment wild = parseFragment(posted, one(kXform, "version='JWildfire V8.00 (1.1.2023)'"));
  EXPECT_EQ(weightIn(wild.xforms[0], variationNamed("post_add_bubble")), 1);
  EXPECT_EQ(wild.xforms[0].coefs.f, 3);
  const Fragment flame = parseFragment("<?xml version='1.0'?>\n" + test::triangle(), one(kXform));
  EXPECT_EQ(flame.flames.at(0).name, "triangle");
}

TEST(FlameFragments, OtherTextIsRefused) {
  const std::pair<std::string, const char*> rows[] = {
      {"", "found nothing"},
      {"hello", "clipboard: expected <flame> or <xform> elements, found other text"},
      {"<xform weight='x'/>", "a number in weight"},
      {"<xform weight='1' chaos='1", "clipboard"},
      {"<xform weight='1'></flame>", "clipboard"},
      {"<flame name='a'/>", "at least one xform"}};
  for (const auto& [text, said] : rows)
    EXPECT_THAT(messageOf([&, text = text] { parseFragment(text, one(kXform)); }), HasSubstr(said))
        << text;
}

// ---- Malformed and out-of-range input

TEST(FlameBadInput, TextThatIsNoList) {
  EXPECT_EQ(refusalOf(kXform, "name='a' size='10'"),
            "x.flame: flame a: expected width and height in size, found \"10\"");
  for (const char* attributes : {"size='10 20 30'", "size='10 x'", "background='0 0'",
                                 "background='0 0 x'", "center='1'", "center='1 2 3'"})
    EXPECT_NE(refusalOf(kXform, attributes), "") << attributes;
  EXPECT_EQ(refusalOf("<xform weight='1' linear='1'/><xform weight='1' coefs='1 0 0 1 0'/>"),
            "x.flame: flame a, xform 2: expected 6 numbers in coefs, found \"1 0 0 1 0\"");
  for (const char* attributes : {"color='1 2 3'", "color='x'", "var='1 2'", "var1='99'",
                                 "var1='-1'", "coefs='1 0 0 1 0 x'", "post='1'", "chaos='1 x'"})
    EXPECT_NE(refusalOf(fmt::format("<xform weight='1' {}/>", attributes)), "") << attributes;
}

/// Attributes of the flame, and what is said of them; "" where any words do.
TEST(FlameBadInput, AttributesOutOfRange) {
  const std::pair<const char*, const char*> rows[] = {
      {"name='a' size='0 10'", "flame a: expected a size"},
      {"size='10 -5'", ""},
      {"size='1000001 10'", "1000000"},
      {"size='99999999999 10'", ""},
      {"name='a' scale='20px'", "x.flame: flame a: expected a number in scale, found \"20px\""},
      {"scale='20,5'", ""},
      {"supersample='1.5'", "a whole number in supersample"}};
  for (const auto& [attributes, said] : rows) {
    EXPECT_NE(refusalOf(kXform, attributes), "") << attributes;
    EXPECT_THAT(refusalOf(kXform, attributes), HasSubstr(said));
  }
  // What flam3 refuses to render.
  constexpr std::string_view kNumbers =
      "supersample='0';supersample='-1';supersample='1000000';quality='0';quality='-5';"
      "quality='nan';quality='1e300';passes='0';temporal_samples='0';filter='-0.1';filter='1e9';"
      "filter='nan';estimator_radius='-1';estimator_radius='1e9';"
      "estimator_radius='2' estimator_minimum='3';estimator_curve='0';estimator_curve='-1';"
      "estimator_curve='0.01';zoom='200';zoom='nan'";
  std::istringstream numbers{std::string(kNumbers)};
  for (std::string attributes; std::getline(numbers, attributes, ';');)
    EXPECT_NE(refusalOf(kXform, attributes), "") << attributes;
}

/// Elements of the flame, and what is said of them.
TEST(FlameBadInput, ElementsOutOfRange) {
  const std::pair<std::string, const char*> rows[] = {
      {"<xform weight='1x'/>", "xform 1: expected a number in weight"},
      {"<xform weight='1' julian_power='3 4'/>", ""},
      {"<xform weight='-1' linear='1'/>",
       "x.flame: flame a, xform 1: expected a weight of at least 0, found -1"},
      {"<xform weight='1e101' linear='1'/>",
       "x.flame: flame a, xform 1: expected a weight of at most 1e100, found 1e+101"},
      {"<xform weight='nan' linear='1'/>", ""},
      {"<xform weight='inf' linear='1'/>", ""},
      {"", "x.flame: flame a: expected at least one xform, found none"},
      {"<finalxform linear='1'/>", ""},
      {kXform + "<color index='256' rgb='0 0 0'/>",
       "x.flame: flame a, color: expected an index from 0 to 255, found \"256\""},
      {kXform + "<color index='-1' rgb='0 0 0'/>", ""},
      {kXform + "<color rgb='0 0 0'/>", ""}};
  for (const auto& [inside, said] : rows) {
    EXPECT_NE(refusalOf(inside), "") << inside;
    EXPECT_THAT(refusalOf(inside), HasSubstr(said));
  }
}

TEST(FlameBadInput, UnknownWordsAreWarningsAndTheDefaultStays) {
  EXPECT_THAT(warningOf(kXform, "filter_shape='round'"),
              HasSubstr("found \"round\"; gaussian is used"));
  EXPECT_THAT(warningOf(kXform, "palette_mode='soft'"), HasSubstr("step is used"));
  EXPECT_EQ(one(kXform, "interpolation='fancy'").interpolation, Interpolation::Linear);
}

TEST(FlameBadInput, UnknownAttributes) {
  EXPECT_EQ(warningOf(kXform, "whatever='1'"), "");
  EXPECT_EQ(warningOf("<xform weight='1' linear3D='1'/>"), "");
  EXPECT_EQ(warningOf("<xform weight='1' linear='1' svg_wf='1' svg_wf_power='2' name='x' "
                      "var_color='1' mod_hue='0.5' svg_wf2='0'/>"),
            "x.flame: flame a: unsupported: svg_wf (1 xform)");
  for (const char* element :
       {"<color index='1' rgb='1 2 3' x='1'/>", "<colors count='1' data='00000000' x='1'/>",
        "<palette x='1'/>", "<symmetry x='1'/>"})
    EXPECT_NE(refusalOf(kXform + element), "") << element;
}

// ---- Other programs

TEST(FlameDialects, AreToldByTheVersion) {
  EXPECT_EQ(one(kXform).dialect, Dialect::Flam3);
  EXPECT_EQ(one(kXform, kWild).dialect, Dialect::JWildfire);
  EXPECT_EQ(one(kXform, "version='EMBER-WIN-1.0'").dialect, Dialect::Fractorium);
  EXPECT_EQ(one(kXform, "version='Apophysis 7x Version 15c'").dialect, Dialect::Apophysis);
  EXPECT_EQ(one(kXform, "version='FLAM3H-V1.8'").dialect, Dialect::Flam3h);
  EXPECT_EQ(one(kXform, "version='Chaotica 2'").dialect, Dialect::Chaotica);
}

TEST(FlameDialects, JWildfireEstimatesNoDensityUnlessAsked) {
  EXPECT_EQ(one(kXform).estimatorRadius, 9);
  EXPECT_EQ(one(kXform, kWild).estimatorRadius, 0);
  EXPECT_EQ(one(kXform, kWild + "estimator_radius='5'").estimatorRadius, 5);
}

/// What a file leaves out is the dialect's, and stays so when the file is written.
TEST(FlameDialects, TonesOfJWildfireHaveItsDefaultsAndAreWritten) {
  EXPECT_EQ(one(kXform).jwildfire.whiteLevel, 200);
  EXPECT_EQ(one(kXform).jwildfire.lowDensityBrightness, 0);
  Genome genome = one(kXform, kWild);
  EXPECT_EQ(genome.jwildfire.whiteLevel, 220);
  EXPECT_EQ(genome.jwildfire.lowDensityBrightness, 0.24);
  for (const auto& [white, low] : {std::pair(220.0, 0.24), {200.0, 0.0}, {340.0, -2.3}}) {
    genome.jwildfire.whiteLevel = white, genome.jwildfire.lowDensityBrightness = low,
    genome.jwildfire.contrast = low + 3;
    EXPECT_EQ(again(genome).jwildfire, genome.jwildfire);
  }
  EXPECT_THAT(refusalOf(kXform, "white_level='inf'"), HasSubstr("a finite white_level"));
}

TEST(FlameDialects, FiltersOfJWildfireAreReadAndWritten) {
  const Genome plain = one(kXform, kWild);
  EXPECT_EQ(plain.jwildfire.radialShape, RadialShape::MitchellSmooth);
  EXPECT_EQ(plain.filter, 0.75);
  EXPECT_TRUE(hasJitterAntialiasing(plain));
  EXPECT_FALSE(hasJitterAntialiasing(one(kXform)));
  for (std::size_t i = 0; i < std::size(kRadialShapes); ++i) {
    Genome genome = one(kXform, kWild + "antialias_amount='0' filter_sharpness='3' " +
                                    fmt::format("filter_kernel='{}'", kRadialShapes[i]));
    EXPECT_EQ(genome.jwildfire.radialShape, RadialShape(i));
    EXPECT_FALSE(hasJitterAntialiasing(genome));
    EXPECT_TRUE(genome.lost.empty());
    genome = again(genome);
    EXPECT_EQ(genome.jwildfire.radialShape, RadialShape(i));
    EXPECT_EQ(genome.jwildfire.filterSharpness, 3);
    EXPECT_EQ(genome.jwildfire.antialiasAmount, 0);
  }
  const Genome odd = one(kXform, kWild + "filter_kernel='SINC_99'");
  EXPECT_THAT(odd.lost, ElementsAre(UnsupportedFeature{"filter_kernel", 0}));
  const Genome shown = one(kXform, kWild + "filter_kernel='MITCHELL_SINEPOW' filter_indicator='1'");
  EXPECT_THAT(shown.lost, ElementsAre(UnsupportedFeature{"filter_indicator", 0}));
}

TEST(FlameDialects, PostSymmetryOfJWildfireIsReadAndWritten) {
  for (std::size_t i = 0; i < std::size(kPostSymmetries); ++i) {
    const Genome genome = one(
        kXform, kWild + fmt::format("post_symmetry_type='{}' post_symmetry_order='5' "
                                    "post_symmetry_centre_x='0.25' post_symmetry_centre_y='-0.5' "
                                    "post_symmetry_distance='2' post_symmetry_rotation='15'",
                                    kPostSymmetries[i]));
    const JWildfireFinish& own = genome.jwildfire;
    EXPECT_EQ(own.symmetry, PostSymmetry(i));
    EXPECT_EQ(own.symmetryOrder, 5);
    EXPECT_EQ(own.symmetryCenter, glm::dvec2(0.25, -0.5));
    EXPECT_EQ(own.symmetryDistance, 2);
    EXPECT_EQ(own.symmetryRotation, 15);
    EXPECT_TRUE(genome.lost.empty());
    EXPECT_EQ(again(genome).jwildfire, own);
    // Rendering makes it a final xform, once.
    const Genome drawn = forRendering(genome);
    EXPECT_EQ(drawn.finalXform.has_value(), i > 0);
    EXPECT_EQ(forRendering(drawn), drawn);
  }
}

/// Three layers, of which the second has nothing to draw; each with its xforms, finals and palette.
TEST(FlameDialects, LayersOfJWildfireAreReadAndWritten) {
  const std::string inside =
      "<layer name='front' weight='0.5' density='0.9' visible='1' smooth_gradient='0'>"
      "<xform weight='1' linear='1'/><color index='0' rgb='255 0 0'/></layer>"
      "<layer weight='1' density='1' visible='1'></layer>"
      "<layer weight='0.25' density='1.0' visible='0'><xform weight='2' linear='1'/>"
      "<xform weight='3' spherical='1'/><finalxform swirl='1'/><color index='0' rgb='0 255 0'/>"
      "</layer>";
  Genome genome = one(inside, kWild);
  for (int time = 0; time < 2; ++time) {
    EXPECT_TRUE(genome.lost.empty());
    EXPECT_EQ(genome.layerSettings.name, "front");
    EXPECT_EQ(genome.layerSettings.weight, 0.5);
    EXPECT_EQ(genome.layerSettings.density, 0.9);
    EXPECT_THAT(genome.layerSettings.other, ElementsAre(std::pair("smooth_gradient", "0")));
    EXPECT_EQ(genome.xforms.size(), 1u);
    EXPECT_EQ(genome.palette[0], glm::vec4(1, 0, 0, 1));
    ASSERT_EQ(genome.layers.size(), 1u);
    const Layer& layer = genome.layers[0];
    EXPECT_EQ(layer.xforms.size(), 2u);
    EXPECT_TRUE(layer.finalXform);
    EXPECT_EQ(layer.layerSettings.weight, 0.25);
    EXPECT_FALSE(layer.layerSettings.visible);
    EXPECT_EQ(layer.palette[0], glm::vec4(0, 1, 0, 1));
    genome = again(genome);
  }
  std::string many;
  for (int i = 0; i < 33; ++i) many += "<layer weight='1'>" + kXform + "</layer>";
  EXPECT_THAT(one(many, kWild).lost, ElementsAre(UnsupportedFeature{"layer", 0}));
  EXPECT_THAT(refusalOf("<layer weight='inf'>" + kXform + "</layer>", kWild),
              HasSubstr("a finite weight and density of a layer"));
  EXPECT_THAT(refusalOf("<layer>" + kXform + "</layer><layer><xform weight='-1'/></layer>", kWild),
              HasSubstr("layer 2"));
}

/// A layer's weight is in its colors, its density in how much its hits count; hidden ones are gone.
TEST(FlameDialects, LayersAreTakenInForRendering) {
  Genome genome = one(kXform, kWild);
  genome.palette[0] = {1, 0.5, 0, 1};
  genome.layerSettings.weight = 0.5, genome.layerSettings.density = 0.5;
  const Genome drawn = forRendering(genome);
  EXPECT_EQ(drawn.palette[0], glm::vec4(0.5, 0.25, 0, 1));
  EXPECT_NEAR(std::pow(drawn.xforms[0].opacity, std::log2(10.0)), 0.25, 1e-12);
  EXPECT_EQ(forRendering(drawn), drawn);
  genome.layers.push_back({{}, genome.xforms, {}, {}, genome.palette});
  genome.layers.push_back(genome.layers[0]);
  genome.layers[1].layerSettings.visible = genome.layerSettings.visible = false;
  const Genome second = forRendering(genome);
  EXPECT_TRUE(second.layers.empty());
  EXPECT_EQ(second.palette[0], glm::vec4(1, 0.5, 0, 1));
}

/// Curves that were edited replace the text that they were read from; others keep it.
TEST(FlameDialects, EditedCurvesAreWritten) {
  const std::string text =
      "overall_curve='0 0 0.5 0.7 1 1' curves='0 0 1 0 0 1 1 1 1 1 1 1 "
      "0 0 1 0.2 0.9 1 1 1 1 1 1 1 0 0 1 0 0 1 1 1 1 1 1 1 "
      "0 0 1 0 0 1 1 1 1 1 1 1' nick='me'";
  Genome genome = one(kXform, "version='EMBER-1' " + text);
  ASSERT_EQ(genome.curves[0].spline.size(), 3u);
  ASSERT_NE(genome.curves[1].points, ToneCurve().points);
  EXPECT_EQ(again(genome), genome);
  genome.curves[0] = {};
  genome.curves[2].spline = {{0, 0.1}, {1, 0.8}};
  EXPECT_EQ(again(genome).curves, genome.curves);
  EXPECT_THAT(again(genome).other, Contains(std::pair("nick", "me")));
  genome.curves = {};
  EXPECT_EQ(again(genome).curves, genome.curves);
}

TEST(FlameDialects, LettersOfJWildfireAreParameters) {
  const auto inside = [](const std::string& digits) {
    return "<xform weight='1' text_wf='1' text_wf_text='" + digits +
           "' text_wf_font_name='417269616C' coefs='1 0 0 1 0 0'/>";
  };
  const VariationUse use = kept(inside("4869")).xforms[0].variations[0];
  const auto& list = variations()[std::size_t(use.index)].parameters;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name[0] != 'c') continue;
    EXPECT_EQ(use.parameters[i], list[i].name == "c1" ? 'H' : list[i].name == "c2" ? 'i' : 0);
  }
  EXPECT_THAT(lostOf(inside(std::string(34, '4'))), Not(IsEmpty()));
  EXPECT_TRUE(kept(inside("Hi")).xforms[0].variations[0] == use) << "by hand";
}

TEST(FlameDialects, FormulasOfJWildfireBecomeCode) {
  const auto inside = [](const std::string& digits) {
    return "<xform weight='1' yplot2d_wf='1' yplot2d_wf_preset_id='3' yplot2d_wf_formula='" +
           digits + "' coefs='1 0 0 1 0 0'/>";
  };
  const Genome genome = kept(inside("322A78"));  // 2*x
  const VariationUse& use = genome.xforms[0].variations[0];
  const auto& list = variations()[std::size_t(use.index)].parameters;
  const std::vector<double> code = {2, 1000000, 1000012, 1000008, 1000009};
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t k = 0; k < code.size(); ++k) {
      if (list[i].name == "code" + std::to_string(k + 1)) {
        EXPECT_EQ(use.parameters[i], code[k]);
      }
    }
  EXPECT_THAT(genomesXml(std::vector{genome}), HasSubstr("yplot2d_wf_formula=\"322A78\""));
  EXPECT_THAT(lostOf(inside("322A")), Not(IsEmpty()));                        // 2*
  EXPECT_THAT(lostOf(inside(std::string(2 * 24 * 2, '2'))), Not(IsEmpty()));  // """"...
  EXPECT_TRUE(kept(inside("2*x")).xforms[0].variations[0] == use) << "by hand";
  EXPECT_THAT(lostOf(inside("3x(")), Not(IsEmpty()));
}

TEST(FlameDialects, PrepostActsBeforeAndItsInverseAfter) {
  const Genome genome = kept(
      "<xform weight='1' linear='1' prepost_circlize='0.5' prepost_circlize_n='8' "
      "prepost_circlize_rotation='32' prepost_circlize_reverse='0' coefs='1 0 0 1 0 0'/>");
  const auto reverse = [&](const char* name) {
    for (const VariationUse& use : genome.xforms[0].variations)
      if (use.index == variationNamed(name)) return use.weight == 0.5 ? use.parameters[2] : -1;
    return -2.0;
  };
  EXPECT_EQ(reverse("pre_prepost_circlize"), 1);
  EXPECT_EQ(reverse("post_prepost_circlize"), 0);
}

TEST(FlameDialects, PrioritiesOfJWildfireSayWhenAVariationActs) {
  const Xform xform =
      kept(
          "<xform weight='1' waves4='0.5' waves4_fx_priority='1' waves4_scalex='0.25' loonie='2' "
          "loonie_fx_priority='-1' linear='1' linear_fx_priority='0' inflateZ_1='1' "
          "inflateZ_1_fx_priority='1' coefs='1 0 0 1 0 0'/>")
          .xforms[0];
  EXPECT_EQ(weightIn(xform, variationNamed("post_add_waves4")), 0.5);
  EXPECT_EQ(weightIn(xform, variationNamed("pre_add_loonie")), 2);
  EXPECT_EQ(weightIn(xform, variationNamed("linear")), 1);
  EXPECT_EQ(weightIn(xform, variationNamed("inflateZ_1")), 1);
  for (const VariationUse& use : xform.variations)
    if (use.index == variationNamed("post_add_waves4")) {
      EXPECT_EQ(use.parameters[0], 0.25);
    }
}

/// By nature they act before or after the others; elsewhere they act there, or do nothing.
TEST(FlameDialects, PrioritiesOfJWildfireMoveThoseThatActBeforeOrAfterByNature) {
  const auto used = [](const std::string& inside, const char* version = "V9.00 (01.10.2025)") {
    const Genome genome = one("<xform weight='1' bubble='1' " + inside + " coefs='1 0 0 1 0 0'/>",
                              "name='a' version='JWildfire " + std::string(version) + "'");
    EXPECT_TRUE(genome.lost.empty()) << inside;
    EXPECT_EQ(again(genome).xforms, genome.xforms) << inside;
    std::string names;
    for (const VariationUse& use : genome.xforms[0].variations)
      names += std::string(variations()[std::size_t(use.index)].name) + " ";
    return names;
  };
  EXPECT_EQ(used("pre_blur='0.6' pre_blur_fx_priority='-1'"), "bubble pre_blur ");
  EXPECT_EQ(used("pre_blur='0.6' pre_blur_fx_priority='0'"), "bubble ");
  EXPECT_EQ(used("pre_blur='0.6' pre_blur_fx_priority='0'", "V7.30 (27.11.2021)"),
            "bubble pre_blur ");
  EXPECT_EQ(used("post_rotate_y='0.6' post_rotate_y_fx_priority='-1'"), "bubble pre_rotate_y ");
  EXPECT_EQ(used("post_rotate_y='0.6' post_rotate_y_fx_priority='1'"), "bubble post_rotate_y ");
  EXPECT_EQ(used("post_rotate_y='0.6' post_rotate_y_fx_priority='0'"), "bubble post_rotate_y ");
  EXPECT_THAT(
      lostOf("<xform weight='1' post_rotate_y='1' post_rotate_y_fx_priority='0' linear='1'/>"),
      ElementsAre(UnsupportedFeature{"post_rotate_y among others", 1}));
  const Genome crops = one(
      "<xform weight='1' crop='1' crop_fx_priority='1' crop_box='1' crop_box_width='2'/>", kWild);
  EXPECT_EQ(weightIn(crops.xforms[0], variationNamed("crop_box")), 1);
}

TEST(FlameDialects, EllipticOfJWildfireIsMirroredUnlessItsModeSaysOtherwise) {
  const auto weight = [](const std::string& mode, const char* name) {
    return weightIn(kept("<xform weight='1' elliptic='0.5' " + mode + "/>").xforms[0],
                    variationNamed(name));
  };
  EXPECT_EQ(weight("", "elliptic_mirrored"), 0.5);
  EXPECT_EQ(weight("elliptic_mode='1' elliptic_fx_priority='0'", "elliptic_mirrored"), 0.5);
  EXPECT_EQ(weight("elliptic_mode='0'", "elliptic"), 0.5);
  EXPECT_EQ(weight("elliptic_mode='2'", "elliptic"), 0.5);
  EXPECT_EQ(weight("elliptic_fx_priority='1'", "post_add_elliptic_mirrored"), 0.5);
  EXPECT_EQ(weightIn(xformOf("elliptic='0.5'"), variationNamed("elliptic")), 0.5);  // flam3's
}

/// Variations act as they stand in the file; some take the place of the sum, some look at it.
TEST(FlameDialects, VariationsOfJWildfireActInTheOrderOfTheFile) {
  const std::string xml =
      "<xform weight='1' rays2='1' linear='0.5' post_rotate_y='1' post_julian='1'/>";
  const auto at = [&](const std::vector<int>& order, const char* name) {
    return std::find(order.begin(), order.end(), variationNamed(name)) - order.begin();
  };
  const ActingOrder order = actingOrder(kept(xml + "<xform weight='1' linear='1' julian='1'/>"));
  EXPECT_TRUE(order.agrees);
  EXPECT_LT(at(order.variations, "rays2"), at(order.variations, "linear"));
  EXPECT_LT(at(order.variations, "post_rotate_y"), at(order.variations, "post_julian"));
  EXPECT_THAT(lostOf(xml + "<xform weight='1' linear='1' rays2='1' coefs='1 0 0 1 0 0'/>"),
              ElementsAre(UnsupportedFeature{"order of variations", 0}));
  EXPECT_EQ(one(xml).xforms[0].variations[0].place, 0);  // flam3: none is meant
}

TEST(FlameDialects, UnknownParametersOfKnownVariationsAreNamed) {
  const auto lost = [](const std::string& inside) {
    return lostOf("<xform weight='1' linear='1' " + inside + "/>");
  };
  EXPECT_THAT(lost("disc2='1' disc2_new='0.5'"), ElementsAre(UnsupportedFeature{"disc2_new", 1}));
  EXPECT_TRUE(lost("disc2='1' disc2_new='0'").empty());
  EXPECT_TRUE(lost("disc2='0' disc2_new='0.5'").empty());
  EXPECT_TRUE(lost("heart_wf='1' heart_wf_scale_t='1.0'").empty());  // as it is drawn
  EXPECT_TRUE(lost("disc2='1' disc2_rot='1' disc2_rot_view_xmax='7'").empty());
}

TEST(FlameDialects, WhatChangesThePictureWithoutANumberIsNamed) {
  const auto lostOf = [](const std::string& attributes) {
    const Genome genome =
        parseGenomes(test::flameXml("<xform weight='1' linear='1' " + attributes + "/>",
                                    "version='JWildfire V9.00'"),
                     "a")
            .genomes.at(0);
    return genome.lost.empty() ? "" : genome.lost[0].name;
  };
  EXPECT_EQ(parseGenomes(test::flameXml("<xform weight='1' linear='1'/>",
                                        "version='JWildfire V9.00' stereo3d_mode='ANAGLYPH'"),
                         "a")
                .genomes.at(0)
                .lost.at(0)
                .name,
            "stereo3d_mode");
  EXPECT_EQ(lostOf("wfield_type='NONE'"), "");
  EXPECT_EQ(lostOf("wfield_type='CELLULAR_NOISE' wfield_noise_seed='3'"), "weighting field");
  EXPECT_EQ(lostOf("post_smartcrop='1' post_smartcrop_static='2' post_smartcrop_cropmode='1'"), "");
  EXPECT_EQ(lostOf("post_smartcrop='1' post_smartcrop_static='1'"), "post_smartcrop_static");
  EXPECT_EQ(lostOf("smartcrop='1' smartcrop_cropmode='2'"), "smartcrop_cropmode 2");
}

TEST(FlameDialects, LogarithmsToABaseAreAnotherVariation) {
  const Genome genome =
      parseGenomes(
          test::flameXml(
              "<xform weight='1' log='0.5' log_base='2.71828' post_log='0.7' post_log_base='3'/>",
              "version='EMBER-1.0'"),
          "a")
          .genomes.at(0);
  EXPECT_TRUE(genome.lost.empty());
  const Xform& xform = genome.xforms[0];
  EXPECT_EQ(weightIn(xform, variationNamed("log")), 0.5);
  EXPECT_EQ(weightIn(xform, variationNamed("post_log")), 0);
  EXPECT_EQ(weightIn(xform, variationNamed("post_based_log")), 0.7);
  EXPECT_EQ(xform.variations.back().parameters[0], 3);
}

TEST(FlameDialects, SmoothGradientsOfJWildfireAreMixed) {
  for (const bool smooth : {false, true}) {
    const Genome genome =
        parseGenomes(test::flameXml("<xform weight='1' linear='1'/>",
                                    fmt::format("version='JWildfire V9.00' smooth_gradient='{}'",
                                                int(smooth))),
                     "a")
            .genomes.at(0);
    EXPECT_EQ(genome.paletteMode, smooth ? PaletteMode::Linear : PaletteMode::Step);
  }
}

TEST(FlameIo, CoefsThatGoTooFarForDoublesAreNamed) {
  const std::string disc = "<xform weight='1' disc='1' coefs='1 0 0 1 0 ";
  EXPECT_TRUE(one(disc + "-2e7'/>").lost.empty());
  EXPECT_THAT(one(disc + "-2e15'/>").lost,
              ElementsAre(UnsupportedFeature{"precision of coefs above 1e12", 1}));
}

TEST(FlameDialects, OneAttractorFollowsItsOrbit) {
  const std::string man = "<xform weight='1' gingerbread_man='1' coefs='1 0 0 1 0 0'/>";
  EXPECT_THAT(lostOf(man), IsEmpty());
  EXPECT_THAT(lostOf(man + "<xform weight='1' threeply='1' coefs='1 0 0 1 0 0'/>"), Not(IsEmpty()));
}

TEST(FlameDialects, ColorTypesOfJWildfireSayWhatAnXformDoesToColors) {
  const auto read = [](const std::string& inside, const std::string& kind = "xform weight='1'") {
    return one(kXform + "<" + kind +
                   " linear='1' color='0.25' symmetry='-0.5' coefs='1 0 0 1 0 0' " + inside + "/>",
               kWild);
  };
  EXPECT_EQ(read("").xforms[1].colorSpeed, 0.75);
  EXPECT_EQ(read("color_type='DIFFUSION'").xforms[1].colorSpeed, 0.75);
  EXPECT_EQ(read("color_type='NONE'").xforms[1].colorSpeed, 0);
  EXPECT_EQ(read("", "finalxform").finalXform->colorSpeed, 0);
  EXPECT_EQ(read("color_type='DIFFUSION'", "finalxform").finalXform->colorSpeed, 0.75);
  EXPECT_EQ(one(kXform + "<finalxform linear='1' symmetry='0'/>").finalXform->colorSpeed, 0.5);
  EXPECT_FALSE(read("color_type='TARGET'").lost.empty());
  const Genome cyclic = read("color_type='CYCLIC'");
  EXPECT_TRUE(cyclic.lost.empty());
  EXPECT_EQ(cyclic.xforms[1].variations.back().parameters[0], -0.5);
  EXPECT_EQ(weightIn(cyclic.xforms[1], variationNamed("cyclic_color")), 1);
  const Genome distance = read("color_type='DISTANCE'");
  EXPECT_TRUE(distance.lost.empty());
  const Xform& xform = distance.xforms[1];
  EXPECT_EQ(xform.colorSpeed, 0);
  EXPECT_EQ(weightIn(xform, variationNamed("distance_color")), 1);
  EXPECT_EQ(again(distance).xforms, distance.xforms);
}

/// crop has no parameter z, and crop_z is another variation that nobody draws.
TEST(FlameDialects, NamesThatBeginAsAnotherVariationAreLost) {
  EXPECT_THAT(lostOf("<xform weight='1' linear='1' crop_z='0.2' crop_z_radius='1'/>"),
              Not(IsEmpty()));
  EXPECT_THAT(lostOf("<xform weight='1' linear='1' crop='1' crop_z='0.2'/>"), Not(IsEmpty()));
}

TEST(FlameDialects, ShortNamesOfApophysisPlugins) {
  const Genome flow =
      one("<xform weight='1' pixel_flow='1' len='0.5' width='7' angle='3' seed='9'/>");
  EXPECT_TRUE(flow.lost.empty());
  EXPECT_EQ(flow.xforms[0].variations[0].parameters[1], 0.5);
  EXPECT_TRUE(one("<xform weight='1' octagon='1' octa_x='0.5' octa_y='0.25'/>").lost.empty());
  EXPECT_TRUE(one("<xform weight='1' linear='1' len='0.5'/>").xforms[0].variations.size() == 1);
}

TEST(FlameDialects, WholeNumbersMayHaveAPoint) {
  EXPECT_EQ(one(kXform, "temporal_samples='1.0' oversample='2.0'").supersample, 2);
  EXPECT_EQ(one(kXform, "size='400.0 300.0'").size, glm::ivec2(400, 300));
  EXPECT_THAT(refusalOf(kXform, "oversample='1.5'"), HasSubstr("a whole number"));
}

/// 2 x and 2 y; then (y, z) and (z, x) turn by a quarter each; then all shifts.
TEST(FlameDialects, JWildfireTurnsTheOtherPlanesBeforeAnyShift) {
  const Xform xform =
      kept(
          "<xform weight='1' linear3D='1' coefs='2 0 0 2 1 3' yzCoefs='0 1 -1 0 10 20' "
          "zxCoefs='0 1 -1 0 100 200'/>")
          .xforms[0];
  class : public Draws {
    double unit() override { return 0; }
    int bit() override { return 0; }
  } draws;
  const glm::dvec3 from(0.5, 0.25, 0.125);
  glm::dvec3 at(xform.coefs(glm::dvec2(from)), from.z);
  for (const char* name : {"pre_yz_affine", "pre_zx_affine"})
    for (const VariationUse& use : xform.variations)
      if (use.index == variationNamed(name))
        at = variations()[std::size_t(use.index)].evaluate3(
            {at.x, at.y, 1, use.parameters.data(), &xform.coefs, at.z}, draws);
  const glm::dvec3 wanted(-2 * from.y + 101, -from.z + 13, 2 * from.x + 220);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(at[i], wanted[i], 1e-12) << i;
}

TEST(FlameDialects, PlanesThatCannotBeOrderedAreNamedAsLost) {
  const std::string xform = "<xform weight='1' linear='1' coefs='1 0 0 1 0 0' ";
  EXPECT_THAT(lostOf(xform + "pre_curl='1' yzCoefs='0 1 -1 0 0 0'/>"), Not(IsEmpty()));
  EXPECT_THAT(lostOf(xform + "post='2 0 0 2 0 0' yzPost='0 1 -1 0 0 0'/>"), Not(IsEmpty()));
  EXPECT_THAT(lostOf(xform + "pre_curl='1' yzCoefs='1 0 0 1 0 0'/>"), IsEmpty());
}

TEST(FlameDialects, CameraZoomIsAFactorToTheScale) {
  const Genome genome = one(kXform, "scale='100' cam_zoom='2.5'");
  EXPECT_EQ(pixelsPerUnit(genome), 250);
  EXPECT_EQ(again(genome), genome);
}

TEST(FlameDialects, NamesAreFoundWhateverTheirCapitals) {
  const Genome genome =
      one("<xform weight='1' Mobius='1' Re_A='2' julia3d='0.5' julia3d_power='3'/>");
  ASSERT_EQ(genome.xforms[0].variations.size(), 2u);
  EXPECT_EQ(genome.xforms[0].variations[0].index, variationNamed("mobius"));
  EXPECT_EQ(genome.xforms[0].variations[0].parameters[0], 2);
  EXPECT_EQ(genome.xforms[0].variations[1].parameters[0], 3);
  EXPECT_TRUE(genome.lost.empty());
}

TEST(FlameDialects, TextThatIsNearlyXmlIsRepairedWithALine) {
  const auto file = parse(flameXml(
      "<xform weight='1' bubble='1' bubble#1#='0.5' julian#1#='1' julian#1#_power='5' a b='1' "
      "color='0' color='0.25'/>",
      kWild));
  const Xform& xform = file.genomes[0].xforms[0];
  ASSERT_EQ(xform.variations.size(), 3u);
  EXPECT_EQ(variations()[std::size_t(xform.variations[1].index)].name, "bubble#1#");
  EXPECT_EQ(xform.variations[1].weight, 0.5);
  EXPECT_EQ(xform.variations[2].parameters[0], 5);
  EXPECT_EQ(xform.color, 0.25);
  EXPECT_THAT(file.warnings, Contains(HasSubstr("repaired")));
  EXPECT_EQ(parse(genomesXml(file.genomes)).genomes[0].xforms[0].variations, xform.variations);
  EXPECT_NE(refusalOf("<xform weight='1' bubble#1#='1'/>"), "");  // flam3 does not read it
}

TEST(FlameDialects, SeveralFinalXformsFollowEachOther) {
  const Genome genome = one(kXform + "<finalxform linear='1'/><finalxform julia='1'/>", kWild);
  ASSERT_TRUE(genome.finalXform);
  ASSERT_EQ(genome.furtherFinals.size(), 1u);
  EXPECT_EQ(genome.furtherFinals[0].variations[0].index, variationNamed("julia"));
  EXPECT_EQ(again(genome), genome);
}

TEST(FlameDialects, PalettesOfAnyLengthAreResampled) {
  std::string colors;
  for (int i = 0; i < 511; ++i) colors += i % 2 == 0 ? "000000" : "FFFFFF";
  const Palette p =
      one(kXform + "<palette count='511' format='RGB'>" + colors + "</palette>").palette;
  EXPECT_TRUE(near(p[0], {0, 0, 0, 1}));
  EXPECT_TRUE(near(p[128], {0, 0, 0, 1}));  // entry 256 of 511
  EXPECT_TRUE(near(p[255], {0, 0, 0, 1}));
}

TEST(FlameDialects, ABadFlameLeavesTheOthers) {
  const auto file =
      parse("<flames>" + flameXml(kXform, "name='good'") + flameXml(kXform, "name='bad' size='x'") +
            flameXml(kXform, "name='fine'") + "</flames>");
  ASSERT_EQ(file.genomes.size(), 2u);
  EXPECT_EQ(file.genomes[1].name, "fine");
  EXPECT_THAT(file.warnings, Contains(HasSubstr("flame bad: expected width and height")));
}

TEST(FlameDialects, WhatIsNotDrawnIsListedWithItsXforms) {
  const Genome genome =
      one("<xform weight='1' linear='1' svg_wf='1' svg_wf_a='3'/><xform weight='1' svg_wf='2' "
          "taprats='1'/>",
          "version='JWildfire V5' sld_render_enabled='1'");
  const std::vector<UnsupportedFeature> wanted{
      {"svg_wf", 2}, {"taprats", 1}, {"solid rendering", 0}};
  EXPECT_EQ(genome.lost, wanted);
  EXPECT_TRUE(one(kXform, kWild).lost.empty());
}

TEST(FlameDialects, AGradientBackgroundIsDrawnWhenItIsOneColor) {
  const std::string corners =
      " background_type='GRADIENT_2X2' background_ul='0.5 0 0' "
      "background_ur='0.5 0 0' background_ll='0.5 0 0' background_lr='";
  Genome genome = one(kXform, kWild + corners + "0.5 0 0'");
  EXPECT_EQ(genome.background, glm::dvec3(0.5, 0, 0));
  EXPECT_TRUE(genome.lost.empty());
  genome = one(kXform, kWild + corners + "0 0 1' motion_blur_length='9'");
  EXPECT_EQ(genome.lost, (std::vector<UnsupportedFeature>{{"gradient background", 0}}));
}

TEST(FlameBadInput, ManyUnknownAttributesTakeTheTimeOfTheirNumber) {
  std::string many;
  for (int i = 0; i < 60000; ++i) many += fmt::format(" a{}='1'", i);
  many += " " + std::string(1000000, '_') + "='1'";  // of as many parts
  const auto started = std::clock();
  EXPECT_EQ(lostOf("<xform weight='1' linear='1'" + many + "/>").size(), 60001u);
  EXPECT_LT(double(std::clock() - started) / CLOCKS_PER_SEC, 6);  // each to each: 16
}

TEST(FlameBadInput, ElementsWithoutAttributes) {
  EXPECT_NE(refusal("<flame>" + kXform + "</flame>"), "");
  for (const char* element :
       {"<xform/>", "<finalxform/>", "<color/>", "<colors/>", "<palette/>", "<symmetry/>"})
    EXPECT_NE(refusalOf(kXform + element), "") << element;
}

TEST(FlameBadInput, WhatDrawsNothingOrNoiseIsAWarning) {
  // No weight is an empty picture.
  EXPECT_THAT(warningOf("<xform linear='1'/>"), HasSubstr("the image stays empty"));
  // Coefs that are not finite are noise.
  EXPECT_THAT(warningOf("<xform weight='1' linear='1' coefs='nan 0 0 1 0 0'/>"),
              HasSubstr("all it draws is noise"));
  EXPECT_THAT(warningOf("<xform weight='1' linear='1' coefs='1e999 0 0 1 0 0'/>"),
              HasSubstr("all it draws is noise"));
  EXPECT_THAT(warningOf("<xform weight='1' linear='1' coefs='1e99 0 0 1 0 0'/>"),
              Not(HasSubstr("noise")));
  // Scale and gamma that show nothing.
  EXPECT_THAT(warningOf(kXform, "scale='0'"), HasSubstr("the image stays empty"));
  EXPECT_THAT(warningOf(kXform, "scale='-1'"), HasSubstr("the image stays empty"));
  EXPECT_THAT(warningOf(kXform, "gamma='0'"), HasSubstr("gamma above 0"));
  EXPECT_NE(refusalOf(kXform, "scale='nan'"), "");
  EXPECT_NE(refusalOf(kXform, "center='inf 0'"), "");
}

TEST(FlameBadInput, ChaosThatLeadsNowhereOrTooFar) {
  // Chaos that leads nowhere.
  EXPECT_THAT(refusalOf("<xform weight='1' linear='1' chaos='-1'/>"), HasSubstr("xform 1"));
  EXPECT_THAT(refusalOf("<xform weight='1' linear='1' chaos='0'/>"),
              HasSubstr("a chaos row that leads to an xform"));
  EXPECT_NE(refusalOf("<xform weight='1' linear='1' chaos='0 1'/><xform linear='1'/>"), "");
  // Chaos row longer than the xforms.
  EXPECT_THAT(warningOf("<xform weight='1' linear='1' chaos='1 2 3'/>"), HasSubstr("left out"));
  EXPECT_THAT(one("<xform weight='1' linear='1' chaos='1 2 3'/>").xforms[0].chaos, SizeIs(1));
}

TEST(FlameBadInput, UnknownPaletteNumberIsWhite) {
  if (flam3Palettes().empty()) GTEST_SKIP() << "flam3's palettes are not installed";
  EXPECT_THAT(warningOf(kXform, "palette='9999'"), HasSubstr("white is used"));
  EXPECT_EQ(one(kXform, "palette='9999'").palette[7], glm::vec4(1));
}

TEST(FlameBadInput, HexTextThatDoesNotFit) {
  for (const char* element :
       {"<colors count='2' data='00ff0000 0000f'/>", "<colors count='2' data='00ff0000 00xxff00'/>",
        "<colors count='2' data='00ff0000 0000ff00 00'/>", "<colors data='00ff0000'/>",
        "<colors count='300' data='00ff0000'/>", "<colors count='0' data=''/>",
        "<palette count='2' format='RGB'>ff000000ff</palette>",
        "<palette count='2' format='RGB'>ff000000ff0011</palette>",
        "<palette count='2' format='BGR'>ff000000ff00</palette>",
        "<palette count='2'>ff000000ff00</palette>"})
    EXPECT_NE(refusalOf(kXform + element), "") << element;
}

TEST(FlameBadInput, ValuesThatAreTaken) {
  const Genome genome =
      one("<xform weight='1' linear='1' color='1.5' opacity='2'/><color index='0' rgb='300 0 0'/>");
  EXPECT_EQ(genome.xforms[0].color, 1.5);
  EXPECT_EQ(genome.xforms[0].opacity, 2);
  EXPECT_FLOAT_EQ(genome.palette[0].r, 300 / 255.f);
}

TEST(FlameBadInput, FinalXforms) {
  EXPECT_THAT(refusalOf(kXform + "<finalxform weight='1' linear='1'/>"),
              HasSubstr("final xform: expected no weight"));
  EXPECT_EQ(refusalOf(kXform + "<finalxform weight='0' linear='1'/>"), "");
  EXPECT_THAT(refusalOf(kXform + "<finalxform linear='1'/><finalxform linear='1'/>"),
              HasSubstr("one finalxform"));
}

TEST(FlameBadInput, Motions) {
  EXPECT_NE(refusalOf("<xform weight='1' motion_frequency='1'/>"), "");
  for (const char* motion :
       {"<motion/>", "<motion motion_frequency='1.5'/>", "<motion motion_function='foo'/>",
        "<motion coefs='1'/>", "<motion weight='1x'/>", "<motion julian_power='x'/>"})
    EXPECT_NE(refusalOf(fmt::format("<xform weight='1'>{}</xform>", motion)), "") << motion;
}

TEST(FlameBadInput, MalformedXml) {
  EXPECT_THAT(refusal("<flame name='a'>\n<xform weight='1'"), HasSubstr("x.flame: expected well-"));
  for (const char* xml : {"", "   ", "no xml", "<flame", "<flame name='a'><xform weight='1'/>",
                          "<a></b>", "<flame name='a' name='b'/>", "<a/><b/>", "\x01\x02\x03\x04"})
    EXPECT_NE(refusal(xml), "") << xml;
  EXPECT_THAT(refusal("<flames><flower/></flames>"), HasSubstr("none below <flames>"));
  // Every truncation is said.
  const std::string xml = test::triangle();
  for (std::size_t length = 0; length + 2 < xml.size(); ++length)
    EXPECT_NE(refusal(xml.substr(0, length)), "") << length;
  // A file without a good flame is refused.
  EXPECT_THAT(refusal("<x>" + flameXml("", "name='worse'") + flameXml("", "name='bad'") + "</x>"),
              HasSubstr("flame bad"));
  EXPECT_THAT(refusal("<x>" + flameXml("") + "</x>"), HasSubstr("flame 1"));
}

TEST(FlameBadInput, TenThousandXforms) {
  std::string many;
  for (int i = 0; i < 10000; ++i) many += kXform;
  EXPECT_THAT(refusalOf(many), HasSubstr("at most 256 xforms"));
  EXPECT_THAT(refusalOf(kXform + "<symmetry kind='-2000000000'/>"),
              HasSubstr("at most 256 xforms"));
}

TEST(FlameBadInput, DeepNesting) {
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  EXPECT_NE(refusal(deep), "");
  for (int i = 0; i < 200000; ++i) deep += "</a>";
  EXPECT_THAT(refusal(deep), HasSubstr("64 deep"));
}

TEST(FlameBadInput, EntitiesAreNotExpanded) {
  std::string bomb = "<!DOCTYPE flame [<!ENTITY a \"aaaaaaaaaaaaaaaa\">";
  for (char c = 'b'; c <= 'z'; ++c) {
    bomb += fmt::format("<!ENTITY {} \"", c);
    for (int i = 0; i < 16; ++i) bomb += fmt::format("&{};", char(c - 1));
    bomb += "\">";
  }
  bomb += "]>" + flameXml(kXform, "name='&z;'");
  const auto start = std::chrono::steady_clock::now();
  const GenomeFile file = parse(bomb);
  EXPECT_EQ(file.genomes[0].name, "&z;");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(FlameBadInput, WarningsAreCounted) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += fmt::format(" plugin{}='1'", i);
  const auto warnings = parse(flameXml("<xform weight='1'" + many + "/>")).warnings;
  EXPECT_THAT(warnings, SizeIs(2));  // all of them in one line, and that there is no palette
  EXPECT_THAT(warnings.back(), HasSubstr("plugin999 (1 xform)"));
}

TEST(FlameBadInput, MessagesShowOneShortLine) {
  const std::string message = refusalOf(kXform, "scale='" + std::string(5000, '9') + "\n\nx'");
  EXPECT_LT(message.size(), 200u);
  EXPECT_THAT(message, Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace fathom::flame
