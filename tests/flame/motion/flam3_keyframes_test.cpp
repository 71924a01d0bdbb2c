// SPDX-License-Identifier: BSD-3-Clause
// Genomes between keyframes beside those that flam3-genome writes for the same times: every
// quantity, to the six digits that it prints.
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/motion/keyframes.h"
#include "app/engine/flame/random.h"
#include "tests/support/program.h"

namespace fathom::flame {
namespace {

/// Six digits, of values that were themselves read from six digits.
void expectNear(double found, double expected, double size, const std::string& what) {
  EXPECT_NEAR(found, expected, 2e-5 * std::max(size, std::abs(expected))) << what;
}

void expectAlike(const Affine& found, const Affine& expected, const std::string& what) {
  for (double Affine::*member :
       {&Affine::a, &Affine::d, &Affine::b, &Affine::e, &Affine::c, &Affine::f})
    expectNear(found.*member, expected.*member, 1, what);
}

void expectAlike(const Xform& found, const Xform& expected, const std::string& what) {
  expectNear(found.weight, expected.weight, 1, what + " weight");
  expectNear(found.color, expected.color, 1, what + " color");
  expectNear(found.colorSpeed, expected.colorSpeed, 1, what + " color_speed");
  expectNear(found.opacity, expected.opacity, 1, what + " opacity");
  expectAlike(found.coefs, expected.coefs, what + " coefs");
  expectAlike(found.post, expected.post, what + " post");
  for (int v = 0; v < kFlam3Variations; ++v) {
    const std::string name(variations()[std::size_t(v)].name);
    if (name == "twintrian") continue;  // flam3-genome does not write it
    expectNear(weightIn(found, v), weightIn(expected, v), 1, what + " " + name);
    if (std::abs(weightIn(expected, v)) < 1e-9) continue;
    Xform a = found, b = expected;
    const VariationUse &mine = variationIn(a, v), &theirs = variationIn(b, v);
    for (std::size_t p = 0; p < variations()[std::size_t(v)].parameters.size(); ++p)
      expectNear(mine.parameters[p], theirs.parameters[p], 1, what + " " + name + " parameter");
  }
}

void expectAlike(const Genome& found, const Genome& expected, const std::string& what) {
  for (const auto& [member, name] : {std::pair{&Genome::scale, "scale"},
                                     {&Genome::zoom, "zoom"},
                                     {&Genome::rotate, "rotate"},
                                     {&Genome::filter, "filter"},
                                     {&Genome::quality, "quality"},
                                     {&Genome::temporalFilterWidth, "temporal_filter_width"},
                                     {&Genome::brightness, "brightness"},
                                     {&Genome::gamma, "gamma"},
                                     {&Genome::gammaThreshold, "gamma_threshold"},
                                     {&Genome::vibrancy, "vibrancy"},
                                     {&Genome::highlightPower, "highlight_power"},
                                     {&Genome::estimatorRadius, "estimator"},
                                     {&Genome::estimatorMinimum, "estimator_minimum"},
                                     {&Genome::estimatorCurve, "estimator_curve"}})
    expectNear(found.*member, expected.*member, 1, what + " " + name);
  for (int axis = 0; axis < 2; ++axis)
    expectNear(found.center[axis], expected.center[axis], 1, what + " center");
  // At a keyframe's own time flam3-genome writes the keyframe, without padding.
  ASSERT_GE(found.xforms.size(), expected.xforms.size()) << what;
  for (std::size_t i = expected.xforms.size(); i < found.xforms.size(); ++i)
    EXPECT_EQ(found.xforms[i].weight, 0) << what;
  for (std::size_t i = 0; i < expected.xforms.size(); ++i)
    expectAlike(found.xforms[i], expected.xforms[i], fmt::format("{} xform {}", what, i));
  ASSERT_GE(bool(found.finalXform), bool(expected.finalXform)) << what;
  if (expected.finalXform) expectAlike(*found.finalXform, *expected.finalXform, what + " final");
  int different = 0;
  for (std::size_t i = 0; i < 256; ++i)
    for (int channel = 0; channel < 3; ++channel)
      different += std::abs(found.palette[i][channel] - expected.palette[i][channel]) > 0.51 / 255;
  EXPECT_EQ(different, 0) << what << ": channels of the palette";
}

class Flam3Keyframes : public testing::Test {
 protected:
  /// What flam3 makes of genomes, which stand in a file that the first variable names.
  std::vector<Genome> theirs(const std::vector<Genome>& genomes, const std::string& variable,
                             std::vector<std::string> more = {}) {
    const std::string file = folder_.file("theirs.flam3");
    writeGenomes(file, genomes);
    RunOptions options{.environment = std::move(more)};
    options.environment.push_back(variable + "=" + file);
    const Outcome flam3 = test::runProgram({FATHOM_FLAM3_GENOME}, options);
    EXPECT_EQ(flam3.code, 0) << flam3.err;
    return parseGenomes(flam3.out, "flam3").genomes;
  }
  void expectSame(std::vector<Genome> keyframes) {
    for (std::size_t i = 0; i < keyframes.size(); ++i) keyframes[i].time = double(4 * i);
    // Both read the same six digits.
    const std::string file = folder_.file("read.flam3");
    writeGenomes(file, keyframes);
    const Keyframes ours(readGenomes(file).genomes);
    for (const Genome& expected : theirs(keyframes, "animate"))
      expectAlike(ours.at(expected.time), expected, fmt::format("time {}", expected.time));
  }
  /// A flock's loops and edges, frame by frame.
  void expectSameSequence(const std::vector<Genome>& flock, const std::string& stagger = "0") {
    const std::string file = folder_.file("flock.flam3");
    writeGenomes(file, flock);
    const std::vector<Genome> expected =
        theirs(flock, "sequence", {"nframes=6", "stagger=" + stagger});
    const std::vector<Genome> found =
        sheepSequence(readGenomes(file).genomes, 6, 1, std::stod(stagger));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      expectAlike(found[i], expected[i], fmt::format("frame {}", i));
  }
  /// Small genomes with few and with many xforms.
  static std::vector<Genome> some(std::uint64_t seed, int count) {
    std::vector<Genome> list;
    for (int i = 0; i < count; ++i)
      list.push_back(randomGenome(seed * 100 + std::uint64_t(i), {64, 48}));
    return list;
  }
  /// Of the seeds 1, 2, ... each.
  void expectSameOfSeeds(std::uint64_t seeds, int count,
                         const std::function<void(Genome&)>& change) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      std::vector<Genome> list = some(seed, count);
      for (Genome& g : list) change(g);
      SCOPED_TRACE(fmt::format("seed {}", seed));
      expectSame(list);
    }
  }
  TempFolder folder_;
};

TEST_F(Flam3Keyframes, MixLogarithmically) {
  expectSameOfSeeds(12, 2, [](Genome&) {});
}

TEST_F(Flam3Keyframes, MixLinearly) {
  expectSameOfSeeds(8, 2, [](Genome& g) { g.matrixInterpolation = MatrixInterpolation::Linear; });
}

TEST_F(Flam3Keyframes, FollowSmoothCurves) {
  expectSameOfSeeds(4, 5, [](Genome& g) { g.interpolation = Interpolation::Smooth; });
}

TEST_F(Flam3Keyframes, MixAsOldFilesDo) {
  for (const MatrixInterpolation how : {MatrixInterpolation::Old, MatrixInterpolation::Older})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      std::vector<Genome> list = some(seed, 2);
      list[1].xforms.resize(list[0].xforms.size(), list[1].xforms[0]);
      for (Genome& g : list) g.matrixInterpolation = how;
      SCOPED_TRACE(fmt::format("seed {}, {}", seed, int(how)));
      expectSame(list);
    }
}

TEST_F(Flam3Keyframes, MixPalettesInEachWay) {
  for (int how = 0; how < 4; ++how) {
    SCOPED_TRACE(how);
    expectSameOfSeeds(2, 2, [&](Genome& g) {
      g.paletteInterpolation = PaletteInterpolation(how), g.hsvRgbPaletteBlend = 0.25;
    });
  }
}

// Equally far both ways around: the rounding of hues decides, here as there.
TEST_F(Flam3Keyframes, MixComplementaryHuesTheSameWayAround) {
  std::vector<Genome> list = some(1, 2);
  const auto byte = [](std::size_t v) { return float(v) / 255; };
  for (std::size_t i = 0; i < 256; ++i) {
    // least <= middle <= most; its complement has the middle one as far from the other end.
    const std::size_t least = i % 40, most = 120 + i / 2,
                      middle = least + (i * 37) % (most - least);
    const glm::vec3 color(byte(most), byte(middle), byte(least));
    const glm::vec3 complement(byte(least), byte(most + least - middle), byte(most));
    const int turned = int(i % 3);
    for (int channel = 0; channel < 3; ++channel) {
      list[0].palette[i][channel] = color[(channel + turned) % 3];
      list[1].palette[i][channel] = complement[(channel + turned) % 3];
    }
  }
  expectSame(list);
}

TEST_F(Flam3Keyframes, LoopAndPassOver) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const MatrixInterpolation how : {MatrixInterpolation::Log, MatrixInterpolation::Linear}) {
      std::vector<Genome> flock = some(seed, 3);
      for (Genome& g : flock) g.matrixInterpolation = how;
      // Of some pairs only one turns.
      for (std::size_t k = 0; k < flock.size(); ++k)
        for (std::size_t i = 0; i < flock[k].xforms.size(); ++i)
          flock[k].xforms[i].animate = (k + i + seed) % 3 ? 1 : 0;
      SCOPED_TRACE(fmt::format("seed {}, {}", seed, int(how)));
      expectSameSequence(flock);
    }
}

TEST_F(Flam3Keyframes, PassOverOneXformAfterTheOther) {
  for (const char* stagger : {"0.5", "1"})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) expectSameSequence(some(seed, 2), stagger);
}

TEST_F(Flam3Keyframes, OscillateInSequences) {
  std::vector<Genome> flock = some(3, 2);
  flock[0].xforms[0].motions.push_back(
      {1, MotionFunction::Sin, {{"weight", "0.2"}, {"coefs", "0.1 0 0 0.1 0.5 0"}}});
  flock[0].xforms[0].motions.push_back({2, MotionFunction::Hill, {{"color", "0.4"}}});
  flock[1].xforms[0].motions.push_back(
      {3,
       MotionFunction::Triangle,
       {{"julian", "0.3"}, {"julian_power", "1"}, {"post", "0.1 0 0 0.1 0 0"}}});
  expectSameSequence(flock);
}

TEST_F(Flam3Keyframes, PadWhatIsMissing) {
  for (int v = 0; v < kFlam3Variations; ++v) {
    std::vector<Genome> list = some(std::uint64_t(v) + 1, 2);
    Xform more = list[0].xforms[0];
    more.variations.clear();
    variationIn(more, v).weight = 0.7;
    list[0].xforms.resize(std::max(list[0].xforms.size(), list[1].xforms.size()),
                          list[0].xforms[0]);
    list[0].xforms.push_back(more);
    if (v % 2) list[0].finalXform = more;
    if (v % 2) list[1].finalXform.reset();
    SCOPED_TRACE(std::string(variations()[std::size_t(v)].name));
    expectSame(list);
  }
}

}  // namespace
}  // namespace fathom::flame
