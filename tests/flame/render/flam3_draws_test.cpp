// SPDX-License-Identifier: BSD-3-Clause
// Our chaos game and image stage in double precision beside flam3-render, fed with flam3's own
// draws: the same points, so the same bytes. What may differ is a point on the edge of a bucket, or
// a level that is cut at a whole number.
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/picture_files.h"
#include "tests/flame/render/isaac.h"
#include "tests/support/program.h"

namespace fathom::flame {
namespace {

constexpr const char* kSeed = "fathom";
constexpr int kTrajectory = 3000;  // plotted points, then flam3 starts anew; fuse is 15

struct Pictures {
  std::vector<std::uint8_t> ours, theirs;
};

std::vector<std::uint8_t> drawn(const Genome& genome, test::Isaac& frames) {
  const Settings settings{.estimator = Estimator::Exact};
  test::IsaacDraws draws(frames.spawn());
  const double samples = genome.quality * std::pow(4, genome.zoom) * genome.size.x * genome.size.y;
  const auto histogram =
      reference::iterate(genome, shapeFor(genome, settings), samples, {15, kTrajectory}, draws);
  return levels8(reference::toneMap(histogram, genome, settings), false);
}

/// Renders all flames of the text with both; flam3 takes its seeds from one stream for all.
std::vector<Pictures> rendered(const std::string& xml) {
  const TempFolder folder;
  folder.write("in.flam3", xml);
  const Outcome flam3 = test::runProgram(
      {FATHOM_FLAM3_RENDER},
      {.environment = {"in=" + folder.file("in.flam3"), "prefix=" + folder.file("f"),
                       fmt::format("isaac_seed={}", kSeed),
                       fmt::format("sub_batch_size={}", kTrajectory), "nthreads=1", "bits=64",
                       "earlyclip=0", "format=ppm", "verbose=0"}});
  EXPECT_EQ(flam3.code, 0) << flam3.err;
  test::Isaac frames = test::Isaac::fromText(kSeed);
  std::vector<Pictures> pictures;
  for (const Genome& genome : parseGenomes(xml, "test").genomes)
    pictures.push_back({drawn(genome, frames),
                        test::ppmBytes(folder / fmt::format("f{:05}.ppm", pictures.size()))});
  return pictures;
}

std::string palette() {
  std::string text = "<palette count=\"256\" format=\"RGB\">\n";
  for (int i = 0; i < 256; ++i)
    text += fmt::format("{:02X}{:02X}{:02X}", i, 255 - i / 2, 128 + i / 2);
  return text + "\n</palette>\n";
}

/// One variation in the first xform, a second one that keeps the points together.
std::string flameOf(int variation) {
  const VariationInfo& info = variations()[std::size_t(variation)];
  // Where these are steep they would blow rounding up to other points; at this weight they
  // contract.
  const bool isSteep = info.name == "waves" || info.name == "popcorn" || info.name == "popcorn2" ||
                       info.name == "whorl";
  std::string attributes = fmt::format("{}=\"{}\"", info.name, isSteep ? 0.15 : 0.8);
  if (variation == kPreBlur) attributes += " linear=\"0.7\"";
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const ParameterInfo& p = info.parameters[i];
    const double value = p.low + (p.high - p.low) * (0.61 + 0.07 * double(i));
    attributes += fmt::format(" {}_{}=\"{:.4}\"", info.name, p.name, value);
  }
  return fmt::format(
      "<flame name=\"{}\" size=\"64 48\" scale=\"14\" quality=\"30\" estimator_radius=\"0\" "
      "brightness=\"8\">\n"
      "<xform weight=\"0.6\" color=\"0.9\" coefs=\"0.8 0.3 -0.4 0.7 0.25 -0.35\" {}/>\n"
      "<xform weight=\"0.4\" color=\"0.1\" coefs=\"0.5 0 0 0.5 0.4 0.3\" "
      "linear=\"1\"/>\n{}</flame>\n",
      info.name, attributes, palette());
}

/// A point that rounding moved over an edge changes the three bytes of a pixel or two.
void expectSameBytes(const Pictures& pictures, std::string_view what) {
  const auto& [ours, theirs] = pictures;
  ASSERT_EQ(ours.size(), theirs.size()) << what;
  std::size_t different = 0, lit = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    different += ours[k] != theirs[k];
    lit += theirs[k] != 0;
  }
  EXPECT_LE(different, ours.size() / 500) << what;
  EXPECT_GT(lit, 50u) << what;
}

TEST(Flam3, GivesTheSameBytesForEveryVariation) {
  std::string xml = "<flames>\n";
  for (int i = 0; i < kFlam3Variations; ++i) xml += flameOf(i);
  const auto pictures = rendered(xml + "</flames>\n");
  ASSERT_EQ(pictures.size(), std::size_t(kFlam3Variations));
  for (std::size_t i = 0; i < pictures.size(); ++i)
    expectSameBytes(pictures[i], variations()[i].name);
}

struct Feature {
  const char* name;
  const char* flame;   // attributes of the flame
  const char* third;   // attributes of its third xform
  const char* xforms;  // elements behind them
};

constexpr Feature kFeatures[] = {
    {"plain", "", "linear=\"1\"", ""},
    {"xaos", "", "linear=\"1\" chaos=\"0 2 0.5\"", ""},
    {"opacity", "", "linear=\"1\" opacity=\"0.6\"", ""},
    {"hidden", "", "linear=\"1\" opacity=\"0\"", ""},
    {"solo", "soloxform=\"2\"", "linear=\"1\"", ""},
    {"post", "", "julia=\"1\" post=\"0.7 0.2 -0.3 0.8 0.1 0.2\"", ""},
    {"color speed", "", "linear=\"1\" color=\"0.3\" color_speed=\"0.9\"", ""},
    {"bad values", "", "mobius=\"1\"", ""},
    {"final xform", "", "linear=\"1\"",
     "<finalxform coefs=\"1.1 0.2 -0.2 1.1 0 0.1\" spherical=\"0.3\" linear=\"0.7\"/>"},
    {"final xform at times", "", "linear=\"1\"",
     "<finalxform opacity=\"0.4\" color=\"1\" coefs=\"1 0 0 1 0.3 0\" linear=\"1\"/>"},
    {"final xform with draws", "", "linear=\"1\"",
     "<finalxform color_speed=\"0\" julian=\"1\" julian_power=\"3\" julian_dist=\"1\"/>"},
    {"symmetry", "", "linear=\"1\"", "<symmetry kind=\"-3\"/>"},
    {"rotate", "rotate=\"30\" center=\"0.2 -0.1\"", "linear=\"1\"", ""},
    {"zoom", "zoom=\"0.5\"", "linear=\"1\"", ""},
    {"linear palette", "palette_mode=\"linear\"", "linear=\"1\"", ""},
    {"supersample", "supersample=\"3\" filter=\"1.2\"", "linear=\"1\"", ""},
    {"estimator off", "estimator_radius=\"0\"", "linear=\"1\"", ""},
    {"estimator of buckets", "supersample=\"2\" estimator_radius=\"5\" estimator_curve=\"0.5\"",
     "linear=\"1\"", ""},
    {"estimator that always blurs",
     "supersample=\"2\" estimator_radius=\"4\" estimator_minimum=\"1\"", "linear=\"1\"", ""},
    {"tone", "gamma=\"2.5\" vibrancy=\"0.4\" highlight_power=\"1\" background=\"0.1 0 0.2\"",
     "linear=\"1\"", ""},
};

TEST(Flam3, GivesTheSameBytesForEveryFeature) {
  std::string xml = "<flames>\n";
  for (const Feature& feature : kFeatures)
    xml += fmt::format(
        "<flame name=\"{}\" size=\"80 60\" scale=\"20\" quality=\"30\" {}>\n"
        "<xform weight=\"1\" coefs=\"0.6 0.4 -0.4 0.6 0.5 -0.3\" linear=\"1\"/>\n"
        "<xform weight=\"0.3\" coefs=\"0.5 0 0 0.5 -0.6 0.6\" sinusoidal=\"1\"/>\n"
        "<xform weight=\"0.5\" coefs=\"0.4 0.1 0.2 0.5 -0.9 -0.8\" {}/>\n{}{}</flame>\n",
        feature.name, feature.flame, feature.third, feature.xforms, palette());
  const auto pictures = rendered(xml + "</flames>\n");
  ASSERT_EQ(pictures.size(), std::size(kFeatures));
  for (std::size_t i = 0; i < pictures.size(); ++i) expectSameBytes(pictures[i], kFeatures[i].name);
}

}  // namespace
}  // namespace fathom::flame
