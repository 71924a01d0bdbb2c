// SPDX-License-Identifier: BSD-3-Clause
// The GPU's histogram beside that of the reference, in every mode of accumulation and both forms of
// choosing xforms. Noise: two histograms of the same density differ by the scatter of their counts;
// points of a trajectory are correlated, so half as much again is allowed.
#include "app/engine/flame/render/sampler.h"

#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/engine/flame/render/reference.h"
#include "tests/flame/genomes.h"
#include "tests/support/gpu_test.h"

namespace fathom::flame {
namespace {

Genome genomeOf(const std::string& xml) { return parseGenomes(xml, "test").genomes.at(0); }

// An xform with several variations that draw, a post transform, one that is often bad.
const char* const kRich = R"(
  <xform weight="2" color="0.2" julian="0.8" julian_power="3" julian_dist="0.9" gaussian_blur="0.1"
   coefs="0.7 0.3 -0.4 0.6 0.35 -0.25" post="0.9 0.1 -0.1 0.9 0.05 0"/>
  <xform weight="1" color="0.9" color_speed="0.3" linear="0.5" spherical="0.2" pre_blur="0.05"
   coefs="0.5 -0.2 0.2 0.5 -0.4 0.3"/>
  <xform weight="0.3" color="0.5" sinusoidal="1" log="0.3" coefs="0 0 0 0 0 0"/>
  <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)";

std::string rich(const std::string& more = "", const std::string& attributes = "") {
  return test::flameXml(kRich + more,
                        R"(size="96 72" scale="24" palette_mode="linear" )" + attributes);
}

HistogramShape shapeOf(const Genome& genome, bool alpha = false) {
  return {genome.size, 2, 3, alpha};
}

std::vector<std::uint32_t> wordsOf(const Histogram& histogram) {
  std::vector<std::uint32_t> words;
  for (const auto& part : histogram.parts) {
    const std::vector<std::uint32_t> more = part.download();
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

double total(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// The histogram once all samples are drawn.
reference::Histogram drawn(Sampler& sampler, double samples, double budgetMs = 50) {
  while (!sampler.step(budgetMs, samples)) {
  }
  const Histogram& found = sampler.histogram();
  return reference::fromWords(found.shape, wordsOf(found), found.samples);
}

/// The reference of a frame while the shutter is open: all moments get equally many of the samples.
reference::Histogram exposed(const Motion& motion, double time, const Shutter& shutter,
                             const HistogramShape& shape, double samples) {
  const auto moments =
      shutterMoments(shutter.filter, shutter.width, shutter.exponent, shutter.moments);
  const double count = double(moments.size());
  reference::Histogram sum(shape);
  sum.weight = 0;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const reference::Histogram part =
        reference::iterate(motion.at(time + moments[i].offset), shape, samples / count, 7 + i);
    for (std::size_t k = 0; k < sum.hits.size(); ++k) {
      sum.hits[k] += part.hits[k];
      sum.color[k] += moments[i].weight * part.color[k];
    }
    sum.samples += part.samples;
    sum.weight += moments[i].weight / count;
  }
  return sum;
}

/// The sum of differences of two densities, beside what the scatter of independent draws makes it.
struct Gap {
  double apart = 0, scatter = 0;
};
Gap gapOf(const reference::Histogram& a, const reference::Histogram& b) {
  auto [apart, scatter] = Gap();
  for (std::size_t i = 0; i < a.hits.size(); ++i) {
    const double p = (a.hits[i] + b.hits[i]) / (a.samples + b.samples);
    apart += std::abs(a.hits[i] / a.samples - b.hits[i] / b.samples);
    scatter += std::sqrt(2 / std::numbers::pi * p * (1 / a.samples + 1 / b.samples));
  }
  return {apart, scatter};
}

double excessOfNoise(const reference::Histogram& a, const reference::Histogram& b) {
  const Gap found = gapOf(a, b);
  return found.apart / found.scatter;
}

glm::dvec4 meanColor(const reference::Histogram& h) {
  glm::dvec4 sum(0);
  for (const glm::dvec4& color : h.color) sum += color;
  return sum / (255 * total(h.hits));
}

struct Form {
  Accumulate accumulate;
  Selection selection;
  Replay replay = Replay::Groups;
  SamplerForms forms() const {
    SamplerForms forms;
    forms.selection = selection, forms.replay = replay;
    return forms;
  }
};
std::ostream& operator<<(std::ostream& out, const Form& form) {
  const char* const names[] = {"auto", "direct", "atomic", "deferred"};
  return out << names[int(form.accumulate)]
             << (form.selection == Selection::Own      ? "_own"
                 : form.selection == Selection::Shared ? "_shared"
                                                       : "_turns")
             << (form.replay == Replay::Host ? "_host" : "");
}

class Forms : public ::fathom::test::GpuTest, public ::testing::WithParamInterface<Form> {
 protected:
  Settings settings() const { return {.accumulate = GetParam().accumulate}; }
  /// Of a genome or an exposure; `more` as Sampler::start takes it.
  template <class Scene, class... More>
  reference::Histogram sample(const Scene& scene, const HistogramShape& shape, double samples,
                              std::uint64_t seed = 1, More... more) {
    Sampler sampler(context(), GetParam().forms());
    sampler.start(scene, shape, settings(), seed, samples, more...);
    const reference::Histogram all = drawn(sampler, samples);
    lost_ = sampler.histogram().lost, weight_ = sampler.histogram().weight;
    return all;
  }
  void expectAgreement(const Genome& genome, const HistogramShape& shape, double noise = 1.5) {
    const reference::Histogram ours = sample(genome, shape, 6e5);
    const reference::Histogram theirs = reference::iterate(genome, shape, 3e5, 7);
    expectClose(ours, theirs, noise, 0.006);
  }
  void expectClose(const reference::Histogram& ours, const reference::Histogram& theirs,
                   double noise, double colors) {
    const Gap found = gapOf(ours, theirs);
    const double whole = total(ours.hits) / ours.samples / (1 - lost_);
    // Direct accumulation loses hits where many meet, of one color perhaps: all of one pixel when
    // the system suspends the thread that holds its old count.
    EXPECT_LT(found.apart, noise * found.scatter + whole * lost_);
    EXPECT_NEAR(whole, total(theirs.hits) / theirs.samples, 0.01);
    const glm::dvec4 a = meanColor(ours), b = meanColor(theirs);
    for (int channel = 0; channel < 4; ++channel)
      EXPECT_NEAR(a[channel], b[channel], colors + lost_);
  }
  double lost_ = 0, weight_ = 0;  // of the last histogram
};

TEST_P(Forms, AgreeOnATriangle) {
  const Genome genome = genomeOf(test::triangle());
  expectAgreement(genome, shapeOf(genome));
}

TEST_P(Forms, AgreeOnManyVariations) {
  const Genome genome = genomeOf(rich());
  expectAgreement(genome, shapeOf(genome));
}

TEST_P(Forms, AgreeOnATurnedViewOfAFinalXform) {
  const Genome genome = genomeOf(rich(
      R"(<finalxform color="0.7" color_speed="0.2" opacity="0.6" swirl="0.7"
          coefs="1.1 0 0 1.1 0.1 0" post="1 0 0 1 0 0.2"/>)",
      R"(rotate="33" center="0.2 -0.1" zoom="0.5")"));
  expectAgreement(genome, shapeOf(genome));
}

TEST_P(Forms, AgreeOnOpacity) {
  Genome genome = genomeOf(rich());
  genome.xforms[0].opacity = 0.8;
  genome.xforms[1].opacity = 0;
  for (std::size_t i = 0; i < 256; ++i) genome.palette[i].a = float(i) / 255;
  expectAgreement(genome, shapeOf(genome, true));
}

TEST_P(Forms, AgreeOnDepthSeenByACamera) {
  if (GetParam().accumulate == Accumulate::Direct) GTEST_SKIP() << "a lens loses too many hits";
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" color="0.1" linear3D="0.5" hemisphere="0.4" coefs="0.9 0.3 -0.3 0.9 0.2 0"/>
         <xform weight="1" color="0.8" spherical3D="0.5" ztranslate="0.2" pre_bwraps="1"
          post_curl3D="1" coefs="0.5 0 0 0.5 -0.5 0.3" post="0.8 0 0 0.8 0.1 0"/>
         <finalxform color_speed="0" linear3D="1"/><finalxform color_speed="0" linear3D="0.9"/>
         <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)",
      R"(version="JWildfire V5" size="96 72" scale="24" cam_pitch="0.7" cam_yaw="0.4" rotate="10"
         cam_persp="0.15" cam_dof="0.4" cam_zpos="0.5")"));
  // 32 neighbors share their xforms: of two that contract, their points lie in lines.
  expectAgreement(genome, shapeOf(genome), GetParam().selection == Selection::Shared ? 2.5 : 1.5);
}

/// JWildfire's antialiasing: most hits of a point stray, far, and noise aside both do it alike.
TEST_P(Forms, AgreeOnHitsThatStray) {
  if (GetParam().replay != Replay::Host) GTEST_SKIP() << "the same for all forms";
  Genome genome = genomeOf(rich());
  genome.xforms.pop_back();  // its points are bad, which JWildfire leaves so
  const reference::Histogram sharp = reference::iterate(genome, shapeOf(genome), 3e5, 7);
  genome.dialect = Dialect::JWildfire;
  genome.jwildfire.antialiasAmount = 0.7, genome.jwildfire.antialiasRadius = 1.2;
  expectAgreement(genome, shapeOf(genome));
  EXPECT_GT(excessOfNoise(reference::iterate(genome, shapeOf(genome), 3e5, 7), sharp), 2);
}

/// What is hidden stays so, wherever neighbors pass the point on to, until it is shown again.
TEST_P(Forms, AgreeOnPointsThatAreHiddenAndColorsThatTurn) {
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" color_speed="0" linear="0.6" cyclic_color="1" cyclic_color_by="0.3"
          coefs="1 0 0 1 0.4 0.1"/>
         <xform weight="1" color="0.8" linear="0.5" spherical="0.2" coefs="0.8 0.4 -0.4 0.8 -0.5 0.2"/>
         <xform weight="1" color="0.1" crop_x="0.9" crop_x_radius="0.4" crop_x_w="0.6"
          coefs="0.9 -0.3 0.3 0.9 0 0.1"/>
         <finalxform color_speed="0" crop_box="1" crop_box_width="0.2" crop_box_height="0.7"
          opacity="0.3"/>
         <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)",
      R"(size="96 72" scale="24" palette_mode="linear")"));
  expectAgreement(genome, shapeOf(genome), GetParam().selection == Selection::Shared ? 2.5 : 1.5);
}

/// Variations in the order of a file of JWildfire: rays2 assigns, dc_linear looks at the sum, and
/// rings2 is another one.
TEST_P(Forms, AgreeOnTheOrderOfVariations) {
  const bool shared = GetParam().selection == Selection::Shared;
  if (GetParam().replay != Replay::Host && !(shared && GetParam().accumulate == Accumulate::Atomic))
    GTEST_SKIP() << "the same for all others";
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" spherical="0.3" dc_linear="0.4" rings2="0.2"
          coefs="0.9 0.3 -0.3 0.9 0.2 0"/>
         <xform weight="1" linear="0.9" rays2="0.3" julian="0.4" julian_power="3"
          post_bent="1" post_swirl="0.7" loonie="0.3" loonie_fx_priority="-1"
          coefs="0.5 0 0 0.5 -0.5 0.3"/>
         <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)",
      R"(version="JWildfire V9.00" size="96 72" scale="24" palette_mode="linear")"));
  Genome unordered = genome;
  for (Xform& xform : unordered.xforms)
    for (VariationUse& use : xform.variations) use.place = 0;
  EXPECT_GT(excessOfNoise(reference::iterate(genome, shapeOf(genome), 3e5, 7),
                          reference::iterate(unordered, shapeOf(genome), 3e5, 7)),
            3);
  expectAgreement(genome, shapeOf(genome), shared ? 2.5 : 1.5);
}

/// Of JWildfire: which variations pass z on, which look at that of the sum, and what its own pre_
/// and post_ variations make of it.
TEST_P(Forms, AgreeOnTheHeightsOfJWildfire) {
  const bool shared = GetParam().selection == Selection::Shared;
  if (GetParam().replay != Replay::Host && !(shared && GetParam().accumulate == Accumulate::Atomic))
    GTEST_SKIP() << "the same for all others";
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" ztranslate="0.3" popcorn2_3D="0.6" chunk="0.7" hexes="0.5"
          post_flatten="0.4" coefs="0.7 0.4 -0.4 0.7 0.2 0.1"/>
         <xform weight="1" color="0.8" linear3D="0.6" truchet="0.3" waves4="0.2" flower_db="0.2"
          post_curl="0.5" post_curl_c1="0.4" post_curl3D="0.6" post_curl3D_cz="0.4"
          coefs="0.6 0.2 -0.2 0.6 -0.5 0.3"/>
         <xform weight="1" color="0.4" linear3D="0.8" post_crop_x="0.9" post_crop_x_width="0.8"
          post_crop_x_radius="0.4" pre_flatten="1" coefs="0.8 -0.3 0.3 0.8 0.3 -0.2"/>
         <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)",
      R"(version="JWildfire V9.00" size="96 72" scale="24" palette_mode="linear" preserve_z="1"
         antialias_amount="0" cam_pitch="0.9" cam_yaw="0.4" cam_persp="0.1")"));
  Genome unordered = genome;
  for (Xform& xform : unordered.xforms)
    for (VariationUse& use : xform.variations) use.place = 0;
  EXPECT_GT(excessOfNoise(reference::iterate(genome, shapeOf(genome), 3e5, 7),
                          reference::iterate(unordered, shapeOf(genome), 3e5, 7)),
            3);
  expectAgreement(genome, shapeOf(genome), shared ? 2.5 : 1.5);
}

/// Copies of what is plotted, of points in space too.
TEST_P(Forms, AgreeOnPostSymmetry) {
  if (GetParam().replay != Replay::Host) GTEST_SKIP() << "a final xform like others";
  Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" linear="0.5" julian="0.3" julian_power="3" coefs="0.9 0.3 -0.3 0.9 0.2 0"/>
         <xform weight="1" color="0.8" linear="1" coefs="0.5 0 0 0.5 -0.5 0.3"/>
         <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)",
      R"(version="JWildfire V9.00" size="96 72" scale="24" antialias_amount="0")"));
  const reference::Histogram plain = reference::iterate(genome, shapeOf(genome), 3e5, 7);
  for (const PostSymmetry symmetry : {PostSymmetry::Point, PostSymmetry::XAxis}) {
    genome.jwildfire.symmetry = symmetry, genome.camera.pitch = 0.5;
    expectAgreement(forRendering(genome), shapeOf(genome));
    EXPECT_GT(excessOfNoise(reference::iterate(genome, shapeOf(genome), 3e5, 7), plain), 3);
  }
}

/// Images in full color beside others of the palette, seen alike or not, and with a log of either
/// form.
TEST_P(Forms, AgreeOnFullColors) {
  Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" dc_fractcolor="0.9" dc_fractcolor_iters="20" coefs="1 0 0 1 0 0"/>
         <xform weight="1" color="0.8" linear="1" coefs="0.6 0.4 -0.4 0.6 0.5 0.3"/>
         <xform weight="0.5" color="0.8" dc_menger="1" dc_menger_Gradient="1"
          coefs="1 0 0 1 0 0" post="1 0 0 1 1 0.5"/>
         <finalxform color_speed="0" linear="1" coefs="0.9 0 0 0.9 0 0"/>
         <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)",
      R"(size="96 72" scale="40" palette_mode="linear")"));
  expectAgreement(genome, shapeOf(genome), GetParam().selection == Selection::Shared ? 2.5 : 1.5);
  genome.xforms[1].opacity = 0.7;
  expectAgreement(genome, shapeOf(genome, true),
                  GetParam().selection == Selection::Shared ? 2.5 : 1.5);
}

/// Sheep 242.00078 in small: the fractions of radii of 1e7 decide where points land.
TEST_P(Forms, AgreeOnCoefsThatTakePointsFar) {
  if (GetParam().replay != Replay::Host) GTEST_SKIP() << "the same for all forms";
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="0.3" color="0.9" spherical="0.22" disc="0.48" fisheye="0.3"
          coefs="2.17512e+07 2.56288e+07 0.232937 0.054697 828975 668277"/>
         <xform weight="0.4" color="0.3" disc="1"
          coefs="2.30528e+06 -6.63801e+06 -0.935324 -0.578938 2.84247e+07 4.39025e+06"/>
         <xform weight="0.3" color="0.5" linear="1" coefs="0.6 0.3 -0.3 0.6 0.2 0.1"/>
         <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)",
      R"(size="96 72" scale="24" palette_mode="linear")"));
  expectAgreement(genome, shapeOf(genome));
}

/// Of JWildfire: bad points stay so for a while, far ones come back, and the nearest color is
/// taken.
TEST_P(Forms, AgreeOnPointsThatAreBadInJWildfire) {
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" color="0.1" symmetry="0" linear="1" coefs="0.7 0.3 -0.3 0.7 0.4 0"/>
         <xform weight="1" color="0.4" symmetry="0" spherical="1" coefs="1 0 0 1 0.3 0.2"/>
         <xform weight="0.2" color="0.8" symmetry="0" linear="1" coefs="1e12 0 0 1e12 0 0"/>
         <xform weight="0.05" color="0" symmetry="0" corners="1" corners_log_mode="1"
          corners_mult_x="-1e6" corners_mult_y="-1e6"/>
         <color index="0" rgb="255 40 0"/><color index="255" rgb="10 200 250"/>)",
      R"(version="JWildfire V9.00" size="96 72" scale="24" antialias_amount="0")"));
  expectAgreement(genome, shapeOf(genome), GetParam().selection == Selection::Shared ? 4 : 2.5);
}

TEST_P(Forms, AgreeOnXaos) {
  Genome genome = genomeOf(rich());
  genome.xforms[0].chaos = {0, 1, 0.5};
  genome.xforms[1].chaos = {1, 0.2};
  expectAgreement(genome, shapeOf(genome));
}

TEST_P(Forms, AgreeOnMoreXformsThanAreHeld) {
  const Genome genome = genomeOf(rich(R"(<symmetry kind="21"/>)"));
  ASSERT_GT(genome.xforms.size(), 16u);
  expectAgreement(genome, shapeOf(genome));
}

// A color that has come as near to 1 as a float can is then 0.5, 0.75, ...: entries 127, 191, ...
// of the palette as long as it is below in double precision (sheep 242.03112). Those are white.
TEST_P(Forms, AgreeOnColorsJustBelowAnEntry) {
  std::string inside = R"(<xform weight="13" color="1" linear="1" coefs="0.5 0.3 -0.3 0.5 0.3 0"/>
                          <xform weight="0.5" color="0" linear="1" coefs="0.5 0 0 0.5 -0.5 0"/>)";
  for (int i = 0; i < 256; ++i)
    inside += fmt::format(R"(<color index="{}" rgb="{}"/>)", i, i % 2 ? "255 255 255" : "0 0 0");
  const Genome genome = genomeOf(test::flameXml(inside, R"(size="96 72" scale="24")"));
  expectAgreement(genome, shapeOf(genome));
}

TEST_P(Forms, GiveTheSameBytesInAnySlices) {
  if (GetParam().accumulate == Accumulate::Direct) GTEST_SKIP() << "direct depends on chance";
  Genome genome = genomeOf(rich());
  genome.paletteMode = PaletteMode::Step;  // which keeps more of a point's color
  const HistogramShape shape = shapeOf(genome);
  const auto words = [&](const std::vector<double>& stops) {
    Sampler sampler(context(), GetParam().forms());
    sampler.start(genome, shape, settings(), 3);
    for (const double stop : stops)
      while (!sampler.step(stops.size() == 1 ? 100 : 0.1, stop)) {
      }
    return wordsOf(sampler.histogram());
  };
  const std::vector<std::uint32_t> whole = words({4e4});
  EXPECT_EQ(words({4e4}), whole);
  EXPECT_EQ(words({1, 3000, 2e4, 4e4}), whole);
}

/// As beside a window: each dispatch is cut into pieces of few groups.
TEST_P(Forms, GiveTheSameBytesInPiecesOfADispatch) {
  if (GetParam().accumulate == Accumulate::Direct) GTEST_SKIP() << "direct depends on chance";
  const Genome genome = genomeOf(rich());
  const HistogramShape shape = shapeOf(genome);
  for (const int restart : {0, 40}) {
    Settings settings = this->settings();
    settings.restart = restart;
    const auto words = [&](bool sliced) {
      Sampler sampler(context(), GetParam().forms());
      sampler.start(genome, shape, settings, 3);
      gpu::SlicedWork work;
      const auto draw = [&] {
        while (!sampler.step(sliced ? 0.1 : 100, 2e5)) {
        }
      };
      int slices = 1;
      if (sliced) {
        for (work.start(draw); !work.resume(0);) ++slices;
        EXPECT_GT(slices, 3);
      } else {
        draw();
      }
      return wordsOf(sampler.histogram());
    };
    EXPECT_EQ(words(true), words(false)) << "restart " << restart;
  }
}

TEST_P(Forms, DependOnTheSeed) {
  const Genome genome = genomeOf(test::triangle());
  const HistogramShape shape = shapeOf(genome);
  EXPECT_NE(sample(genome, shape, 1e4, 1).hits, sample(genome, shape, 1e4, 2).hits);
}

TEST_P(Forms, CountEverySample) {
  // All of the triangle is in view.
  const Genome genome = genomeOf(test::triangle());
  const reference::Histogram h = sample(genome, shapeOf(genome), 123456);
  EXPECT_GE(h.samples, 123456);
  EXPECT_NEAR(total(h.hits), h.samples * (1 - lost_), 0.5);
}

// A triangle that moves to the right and changes its colors while it gets lighter.
TEST_P(Forms, AgreeOnMomentsThatWeighDifferently) {
  std::vector<Genome> list(2, genomeOf(test::triangle()));
  for (Xform& xform : list[1].xforms) xform.coefs.c += 0.2;
  for (glm::vec4& entry : list[1].palette) entry = {entry.b, entry.r, entry.g, 1};
  list[1].time = 1;
  const auto motion = std::make_shared<const Keyframes>(list);
  const Shutter shutter{1, 64, TemporalFilter::Exp, 1.5};
  const auto exposure = std::make_shared<const Exposure>(motion, 0.5, shutter);
  const HistogramShape shape = shapeOf(list[0], true);
  const reference::Histogram ours = sample(exposure, shape, 6e5);
  const reference::Histogram theirs = exposed(*motion, 0.5, shutter, shape, 3e5);
  EXPECT_NEAR(weight_, theirs.weight, 0.005);
  // Half as much again as in agreements on one genome: control points are few.
  expectClose(ours, theirs, 2.5, 0.006);
  EXPECT_NEAR(meanColor(ours).a, weight_, 0.006);
}

// A triangle that leaves the view while its colors change: those of early moments are seen.
TEST_P(Forms, GiveEachMomentItsColors) {
  std::vector<Genome> list(2, genomeOf(test::triangle()));
  for (Xform& xform : list[1].xforms) xform.coefs.c += 2;
  for (glm::vec4& entry : list[0].palette) entry = {1, 0.2, 0, 1};
  for (glm::vec4& entry : list[1].palette) entry = {0, 0.2, 1, 1};
  for (Genome& genome : list) genome.paletteInterpolation = PaletteInterpolation::Rgb;
  list[1].time = 1;
  const auto motion = std::make_shared<const Keyframes>(list);
  const HistogramShape shape = shapeOf(list[0], true);
  for (const int moments : {3, 10, 100}) {
    const Shutter shutter{1, moments, TemporalFilter::Box, 0};
    const auto exposure = std::make_shared<const Exposure>(motion, 0.5, shutter);
    const glm::dvec4 a = meanColor(sample(exposure, shape, 6e5));
    const glm::dvec4 b = meanColor(exposed(*motion, 0.5, shutter, shape, 3e5));
    EXPECT_GT(b.r, 1.2 * b.b);
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(a[channel], b[channel], 0.003) << moments << " moments, channel " << channel;
  }
}

/// Three layers that take turns: one with less xforms and a final one, one with less density; one
/// that is hidden has no part.
TEST_P(Forms, AgreeOnLayers) {
  const bool isShared = GetParam().selection == Selection::Shared;
  if (GetParam().replay != Replay::Host &&
      !(isShared && GetParam().accumulate == Accumulate::Atomic))
    GTEST_SKIP() << "two forms that have nothing in common stand for all";
  Genome genome = genomeOf(rich());
  genome.xforms.pop_back();  // its points are bad, which JWildfire leaves so
  genome.dialect = Dialect::JWildfire;
  genome.layerSettings.weight = 0.6;
  Genome other = genomeOf(test::triangle());
  for (Xform& xform : other.xforms) xform.coefs.f += 0.4;
  other.finalXform = genome.xforms[0];
  genome.layers.push_back({{}, other.xforms, other.finalXform, {}, other.palette});
  genome.layers.push_back({{}, other.xforms, {}, {}, genome.palette});
  genome.layers.back().layerSettings.density = 0.7;
  genome.layers.push_back({{}, genome.xforms, {}, {}, other.palette});
  genome.layers.back().layerSettings.visible = false;

  const HistogramShape shape = shapeOf(genome, true);
  const std::vector<Genome> layers = layersOf(forRendering(genome));
  ASSERT_EQ(layers.size(), 3u);
  const reference::Histogram ours = sample(exposureOf(layers), shape, 6e5, 1, true);
  const reference::Histogram theirs = reference::iterate(genome, shape, 3e5, 7);
  expectClose(ours, theirs, 2, 0.01);
}

INSTANTIATE_TEST_SUITE_P(All, Forms,
                         ::testing::Values(Form{Accumulate::Direct, Selection::Own},
                                           Form{Accumulate::Atomic, Selection::Own},
                                           Form{Accumulate::Atomic, Selection::Shared},
                                           Form{Accumulate::Deferred, Selection::Own},
                                           Form{Accumulate::Deferred, Selection::Shared},
                                           Form{Accumulate::Deferred, Selection::Own, Replay::Host},
                                           Form{Accumulate::Deferred, Selection::Turns,
                                                Replay::Host}),
                         ::testing::PrintToStringParamName());

class SamplerTest : public ::fathom::test::GpuTest {};

TEST_F(SamplerTest, FitsHistogramsInParts) {
  const Genome genome = genomeOf(rich());
  const HistogramShape shape = shapeOf(genome);
  const auto words = [&] {
    Sampler sampler(context());
    const Settings settings{.accumulate = Accumulate::Atomic};
    sampler.start(genome, shape, settings, 3);
    while (!sampler.step(50, 1e5)) {
    }
    return std::pair(wordsOf(sampler.histogram()), sampler.histogram().parts.size());
  };
  const auto [whole, onePart] = words();
  context().memory().setBlockLimit(shape.buckets().x * 16 * 40);
  const auto [split, parts] = words();
  EXPECT_EQ(onePart, 1u);
  EXPECT_EQ(parts, std::size_t(shape.buckets().y + 39) / 40);
  EXPECT_EQ(split, whole);
}

/// The orbit of this one grows for a million steps; no trajectory here makes more than 300.
TEST_F(SamplerTest, SpreadsTrajectoriesOverAnAttractorsLongOrbit) {
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" color="0" hopalong="1" hopalong_a="0.46229387" hopalong_b="0.80289525"
          hopalong_c="-0.00635481" hopalong_startx="0.97175387" hopalong_starty="0.71424809"/>)",
      R"(size="96 96" scale="5")"));
  const HistogramShape shape{genome.size, 1, 0, false};
  Sampler sampler(context());
  sampler.start(genome, shape, {}, 1);
  const reference::Histogram found = drawn(sampler, 2e5);
  double far = 0;
  for (int y = 0; y < 96; ++y)
    for (int x = 0; x < 96; ++x)
      if (std::hypot(x - 47.5, y - 47.5) > 5 * 4) far += found.hits[found.index(x, y)];
  EXPECT_GT(far, 0.3 * total(found.hits));
  EXPECT_GT(total(found.hits), 0.9 * 2e5);
}

/// Half the sum of differences between shares of hits, over squares of 8 x 8 buckets.
double distance(const reference::Histogram& a, const reference::Histogram& b) {
  const glm::ivec2 buckets = a.shape.buckets();
  const int columns = (buckets.x + 7) / 8;
  std::vector<double> shares(std::size_t(columns) * std::size_t((buckets.y + 7) / 8));
  const double allA = total(a.hits), allB = total(b.hits);
  for (int y = 0; y < buckets.y; ++y)
    for (int x = 0; x < buckets.x; ++x) {
      const std::size_t i = std::size_t(y) * std::size_t(buckets.x) + std::size_t(x);
      shares[std::size_t(y / 8 * columns + x / 8)] += a.hits[i] / allA - b.hits[i] / allB;
    }
  double sum = 0;
  for (const double share : shares) sum += std::abs(share);
  return sum / 2;
}

// Sheep 248.23554. Half of its trajectories stay left of an axis for ever, the others fall onto the
// origin: flam3 shows 18 % of all hits here, after 8000 rounds as after 2000.
TEST_F(SamplerTest, LosesNoPointsToTheAxisOfDisc) {
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="2" disc="1" coefs="1 0 0 1 0 0" chaos="1 1 0"/>
         <xform weight="0.5" linear="1" coefs="0.431736 0 0 0.431736 0 0"/>
         <xform weight="0.5" bubble="0.2" coefs="0.0121754 0.825949 0 1 0 0" chaos="0"/>)",
      R"(size="64 64" scale="40" center="-0.81 0")"));
  Sampler sampler(context(), {.groups = 8});
  sampler.start(genome, {genome.size, 1, 0, false}, {}, 1);
  EXPECT_NEAR(total(drawn(sampler, 2e6).hits) / 2e6, 0.184, 0.035);
}

// A spiral that hundreds of rounds run down before a rare xform throws them back.
TEST_F(SamplerTest, FindsSlowAttractorsAtEveryQuality) {
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" linear="1" coefs="0.99725 0.0499 -0.0499 0.99725 0 0"/>
         <xform weight="0.002" linear="1" coefs="0.2 0 0 0.2 0.7 0"/>)",
      R"(size="96 72" scale="30")"));
  const HistogramShape shape = shapeOf(genome);
  const reference::Histogram right = reference::iterate(genome, shape, 8e6, 3);
  const auto drawnBy = [&](bool software, double samples) {
    const_cast<gpu::Device&>(context().device()).software = software;
    Sampler sampler(context());
    sampler.start(genome, shape, {}, 5, samples);
    return distance(drawn(sampler, samples), right);
  };
  const bool software = context().device().software;
  for (const double quality : {5, 20, 100, 400}) {
    const double samples = quality * 96 * 72;
    const double onGpu = drawnBy(false, samples), inSoftware = drawnBy(true, samples);
    RecordProperty("quality " + std::to_string(int(quality)),
                   fmt::format("{:.3f} {:.3f}", onGpu, inSoftware));
    EXPECT_LT(onGpu, inSoftware + 0.02) << quality;
    EXPECT_LT(inSoftware, 0.03 + 6 / quality) << quality;
  }
  const_cast<gpu::Device&>(context().device()).software = software;
}

// The first xform turns points about the origin, the second one, at every 500th round, takes them
// to a distance of 0.3 from it (sheep 242.01904). Only a trajectory that has not met it yet is
// elsewhere.
TEST_F(SamplerTest, WaitsForRareXforms) {
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" linear="1" coefs="0.8 0.6 -0.6 0.8 0 0"/>
         <xform weight="0.002" linear="1" coefs="0.001 0 0 0.001 0.3 0"/>)",
      R"(size="64 64" scale="20")"));
  Sampler sampler(context());
  sampler.start(genome, {genome.size, 1, 0, false}, {}, 1, 1e5);
  const reference::Histogram found = drawn(sampler, 1e5);
  double elsewhere = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      if (const double r = std::hypot(x - 31.5, y - 31.5); std::abs(r - 6) > 1.5)
        elsewhere += found.hits[found.index(x, y)] / found.samples;
  EXPECT_LT(elsewhere, 0.01);
}

// The first xform takes points from side to side of the camera's center, ever nearer: as many hits
// on one as it takes on from the other. A float has no place so near below 32, the number of the
// bucket.
TEST_F(SamplerTest, TellsSidesOfTheCenterHoweverNear) {
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" linear="1" coefs="-0.5 0 0 -0.5 0 0"/>
         <xform weight="0.15" linear="1" coefs="0 0 0 0 1 1"/>)",
      R"(size="64 64" scale="16")"));
  Sampler sampler(context());
  sampler.start(genome, {genome.size, 1, 0, false}, {}, 1);
  const reference::Histogram found = drawn(sampler, 1e6);
  const double before = found.hits[found.index(31, 31)], behind = found.hits[found.index(32, 32)];
  EXPECT_NEAR(behind / before, 1 / 1.15, 0.01);
}

// Each choice of the second xform is a hit on the right. Were each made for 32 neighbors, the
// variance of their number would be 13 times that of independent draws.
TEST_F(SamplerTest, GpusFindRareXformsInFewSamples) {
  const Genome genome = genomeOf(test::flameXml(
      R"(<xform weight="1" linear="1" coefs="0.3 0 0 0.3 -0.7 0"/>
         <xform weight="0.002" linear="1" coefs="0.01 0 0 0.01 1 0"/>)",
      R"(size="64 64" scale="16")"));
  const HistogramShape shape{genome.size, 1, 0, false};
  const bool software = context().device().software;
  const_cast<gpu::Device&>(context().device()).software = false;
  constexpr double kSamples = 1e5;
  double sum = 0, squares = 0;
  Sampler sampler(context());
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    sampler.start(genome, shape, {}, seed, kSamples);
    const reference::Histogram found = drawn(sampler, kSamples);
    double share = 0;
    for (int y = 0; y < 64; ++y)
      for (int x = 40; x < 64; ++x) share += found.hits[found.index(x, y)] / found.samples;
    sum += share, squares += share * share;
  }
  // Neighbors that went the same ways for long would be one trajectory.
  const Genome triangle = genomeOf(test::triangle());
  sampler.start(triangle, shapeOf(triangle), {}, 1, kSamples);
  const reference::Histogram found = drawn(sampler, kSamples),
                             right = reference::iterate(triangle, found.shape, kSamples, 7);
  EXPECT_LT(excessOfNoise(found, right), 1.2);
  RecordProperty("excess", std::to_string(excessOfNoise(found, right)));
  const_cast<gpu::Device&>(context().device()).software = software;
  const double mean = sum / 16, scatter = (squares / 16 - mean * mean) * kSamples / mean;
  EXPECT_NEAR(mean, 0.002 / 1.002, 0.0001);
  EXPECT_LT(scatter, 2) << "of independent draws: 1";
}

TEST_F(SamplerTest, CompilesOnlyForANewStructure) {
  Genome genome = genomeOf(rich());
  const HistogramShape shape = shapeOf(genome);
  const Settings settings;
  Sampler sampler(context());
  sampler.start(genome, shape, settings, 1);
  const Structure first = sampler.structure();
  genome.xforms[0].coefs.a = 0.1;
  genome.xforms[1].variations[0].weight = 0;  // an editor drags it through 0
  genome.xforms[2].weight = 5;
  sampler.start(genome, shape, settings, 1);
  EXPECT_EQ(sampler.structure(), first);
  genome.xforms[0].variations.push_back({90, 0.1, {}});
  sampler.start(genome, shape, settings, 1);
  EXPECT_NE(sampler.structure(), first);
}

TEST_F(SamplerTest, TakesWhatCannotBePlayedForAnError) {
  const Settings settings;
  const auto start = [&](const std::function<void(Genome&)>& spoil) {
    Genome genome = genomeOf(rich());
    const HistogramShape shape = shapeOf(genome);
    spoil(genome);
    Sampler(context()).start(genome, shape, settings, 1);
  };
  EXPECT_THROW(start([](Genome& g) { g.xforms.clear(); }), Error);
  EXPECT_THROW(start([](Genome& g) { g.xforms[0].weight = -1; }), Error);
  EXPECT_THROW(start([](Genome& g) { g.xforms[0].weight = NAN; }), Error);
  EXPECT_THROW(start([](Genome& g) {
                 for (Xform& x : g.xforms) x.weight = 0;
               }),
               Error);
  EXPECT_THROW(start([](Genome& g) { g.xforms[0].chaos = {0, 0, 0}; }), Error);
  EXPECT_THROW(start([](Genome& g) { g.xforms.resize(10000, g.xforms[0]); }), Error);
}

TEST_F(SamplerTest, PlaysOnWhenEveryPointIsBad) {
  Genome genome = genomeOf(test::triangle());
  for (Xform& xform : genome.xforms) xform.coefs.a = NAN;
  Sampler sampler(context());
  sampler.start(genome, shapeOf(genome), {}, 1);
  // The fifth point in a row is taken as it is: anywhere in the square around the origin.
  const reference::Histogram h = drawn(sampler, 2e4);
  EXPECT_NEAR(total(h.hits), h.samples, 0.5);
}

/// All hits of a game that leaves its only point in the middle of 4 x 4 buckets of one color, added
/// to the words that the buckets begin with (0: none); the middle one's color and count.
std::pair<std::uint32_t, std::uint32_t> filledBucket(gpu::Context& gpu, Accumulate accumulate,
                                                     Replay replay, double samples,
                                                     std::uint32_t hitsBefore) {
  Genome genome = genomeOf(test::triangle());
  for (Xform& xform : genome.xforms) xform.coefs = {0, 0, 0, 0, 0, 0}, xform.color = 0;
  genome.size = {4, 4};
  SamplerForms forms;
  forms.replay = replay;
  Sampler sampler(gpu, forms);
  const Settings settings{.accumulate = accumulate};
  sampler.start(genome, {genome.size, 1, 0, false}, settings, 1);
  std::vector<std::uint32_t> before(16 * 4, hitsBefore);
  for (std::size_t i = 0; i < before.size(); i += 4) before[i] = 255 * hitsBefore;
  const_cast<Histogram&>(sampler.histogram()).parts[0].upload(before);
  while (!sampler.step(100, samples)) {
  }
  const std::vector<std::uint32_t> words = wordsOf(sampler.histogram());
  const std::size_t middle = (2 * 4 + 2) * 4;
  return {words[middle], words[middle + 3]};
}

TEST_F(SamplerTest, FillsABucketWithoutOverflow) {
  const auto [color, count] = filledBucket(context(), Accumulate::Deferred, Replay::Host, 1.8e7, 0);
  EXPECT_EQ(count, 1u << 24);
  EXPECT_EQ(color, 255u << 24);
}

/// Sums of the shaders stop before they overflow, too. Histograms nearly full to begin with take
/// the place of the minutes that filling them takes.
TEST_F(SamplerTest, ShadersFillABucketWithoutOverflow) {
  constexpr std::uint32_t kNearly = FLAME_HITS_FULL - 1000;
  for (const Accumulate accumulate : {Accumulate::Atomic, Accumulate::Deferred}) {
    // More than the room that is left, 255 times.
    const auto [color, count] = filledBucket(context(), accumulate, Replay::Groups, 1.5e6, kNearly);
    EXPECT_GE(count, kNearly) << int(accumulate);
    EXPECT_GE(color, 255u * kNearly) << "the sum began anew: " << int(accumulate);
  }
}

TEST_F(SamplerTest, RestartsAsOftenAsAskedFor) {
  // Points leave the picture for good after some 20 steps: a trajectory that never begins anew
  // shows nothing, one that begins anew every 40 steps shows the beginning again and again.
  const Genome genome =
      genomeOf(test::flameXml(R"(<xform weight="1" linear="1" coefs="1 0 0 1 0.1 0"/>)",
                              R"(size="64 64" scale="10" temporal_samples="1")"));
  const auto hits = [&](int restart) {
    Sampler sampler(context());
    const Settings settings{.restart = restart};
    sampler.start(genome, shapeOf(genome), settings, 1);
    const reference::Histogram h = drawn(sampler, 1e5, 100);
    EXPECT_GE(h.samples, 1e5);
    return total(h.hits) / h.samples;
  };
  EXPECT_EQ(hits(0), 0);
  EXPECT_GT(hits(40), 0.2);
  // Of 512 steps some 20 are seen, though no trajectory is plotted for so long here.
  EXPECT_NEAR(hits(512), hits(40) * 40 / 512, 0.2 * hits(40) * 40 / 512);
}

/// Moments of a shutter are batches of flam3, each of which begins anew.
TEST_F(SamplerTest, RestartsWithEachMomentOfAPicture) {
  const auto hits = [&](int moments) {
    const Genome genome = genomeOf(
        test::flameXml(R"(<xform weight="1" linear="1" coefs="1 0 0 1 0.1 0"/>)",
                       fmt::format(R"(size="64 64" scale="10" temporal_samples="{}")", moments)));
    Sampler sampler(context());
    const Settings settings{.restart = 10000};
    sampler.start(genome, shapeOf(genome), settings, 1);
    return total(drawn(sampler, 4e5, 100).hits);
  };
  const double whole = hits(1), cut = hits(400);  // by 10,000 and by 1000
  EXPECT_NEAR(cut, 10 * whole, 2 * whole);
}

TEST_F(SamplerTest, ChoosesInSteps) {
  // Thresholds as flam3's table of 16384 entries gives them (sheep 80692: 100:1:100).
  const std::vector<std::uint32_t> thresholds = selectionThresholds({100, 1, 100});
  EXPECT_EQ(thresholds, (std::vector<std::uint32_t>{8152, 8233, 16384}));
  EXPECT_EQ(selectionThresholds({0, 1, 0}), (std::vector<std::uint32_t>{0, 16384, 16384}));
}

}  // namespace
}  // namespace fathom::flame
