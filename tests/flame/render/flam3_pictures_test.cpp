// SPDX-License-Identifier: BSD-3-Clause
// The program's pictures beside flam3-render's, at the same samples per pixel. Both draw at random,
// so that two pictures of flam3's own with different seeds say how close one can come.
// compare_with_flam3.py does the same for any genome, larger.
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/random.h"
#include "tests/support/program.h"

namespace fathom::flame {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int kSamples = 200;  // per pixel
constexpr int kWidth = 144;
constexpr int kTime = 5, kSeeds = 4;  // of frames

double meanSquare(const Bytes& a, const Bytes& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return squares / double(a.size());
}

double decibels(double square) { return 10 * std::log10(255.0 * 255 / std::max(square, 1e-9)); }

double psnr(const Bytes& a, const Bytes& b) { return decibels(meanSquare(a, b)); }

double meanDifference(const Bytes& a, const Bytes& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) - b[i];
  return sum / double(a.size());
}

class Flam3Pictures : public testing::Test {
 protected:
  /// What a program of flam3 makes of the genomes, in doubles.
  Bytes drawnBy(const char* program, const std::string& picture, const std::string& seed,
                const std::vector<std::string>& more) {
    RunOptions options{.environment = {"in=" + genome_, "nthreads=2", "isaac_seed=" + seed,
                                       "bits=64", "earlyclip=0", "format=ppm", "verbose=0"}};
    options.environment.insert(options.environment.end(), more.begin(), more.end());
    const Outcome flam3 = test::runProgram({program}, options);
    EXPECT_EQ(flam3.code, 0) << flam3.err;
    return test::ppmBytes(folder_ / picture);
  }
  Bytes theirs(const std::string& seed) {
    return drawnBy(
        FATHOM_FLAM3_RENDER, "theirs.ppm", seed,
        {"out=" + folder_.file("theirs.ppm"), "sub_batch_size=1000000", "transparency=0"});
  }
  Bytes ours(const std::string& accumulate) {
    outputOf({"flame", "render", genome_, "-o", folder_.file("ours.ppm"), "--accumulate",
              accumulate, "--quiet"});
    return test::ppmBytes(folder_ / "ours.ppm");
  }
  /// `tolerance`: dB that ours may be further from theirs than theirs are from each other. A small
  /// picture has few pixels to average over, so that PSNR itself scatters by some tenths.
  void expectAlike(Genome g, double tolerance) {
    const double ratio = double(kWidth) / g.size.x;
    g.size = {kWidth, int(g.size.y * ratio)};
    g.scale *= ratio;
    g.quality = kSamples;
    genome_ = folder_.file("genome.flam3");
    writeGenomes(genome_, std::vector<Genome>{g});
    const Bytes a = theirs("A"), b = theirs("B");
    ASSERT_EQ(a.size(), b.size());
    const double self = psnr(a, b), selfMean = std::abs(meanDifference(a, b));
    for (const char* mode : {"atomic", "deferred"}) {
      const Bytes found = ours(mode);
      ASSERT_EQ(found.size(), a.size());
      EXPECT_GE(psnr(found, a), self - tolerance) << mode << " of " << g.name;
      EXPECT_LE(std::abs(meanDifference(found, a)), std::max(0.25, 2 * selfMean)) << mode;
    }
  }

  Bytes theirFrame(const std::string& seed, int time) {
    return drawnBy(FATHOM_FLAM3_ANIMATE, fmt::format("theirs.{:05d}.ppm", time), seed,
                   {"prefix=" + folder_.file("theirs."), fmt::format("begin={}", time),
                    fmt::format("end={}", time), "sub_batch_size=100000"});
  }
  Bytes ourFrame(int seed, int time) {
    const std::string number = std::to_string(time);
    outputOf({"flame", "animate", genome_, "--begin", number, "--end", number, "-o",
              folder_.file("ours.%d.ppm"), "--again", "--quiet", "--seed", std::to_string(seed)});
    return test::ppmBytes(folder_ / fmt::format("ours.{}.ppm", time));
  }
  /// A frame while one genome becomes another and the shutter is open for three frames.
  void expectFrameAlike(TemporalFilter filter, MatrixInterpolation matrices, std::uint64_t seed) {
    std::vector<Genome> keyframes{randomGenome(seed, {128, 72}), randomGenome(seed + 1, {128, 72})};
    for (std::size_t i = 0; i < keyframes.size(); ++i) {
      Genome& g = keyframes[i];
      g.time = 12.0 * double(i);
      g.quality = kSamples, g.temporalSamples = 100;
      g.temporalFilter = filter, g.temporalFilterWidth = 3, g.temporalFilterExp = 1.5;
      g.matrixInterpolation = matrices;
    }
    genome_ = folder_.file("keyframes.flam3");
    writeGenomes(genome_, keyframes);
    std::vector<Bytes> theirs, ours;
    for (int drawn = 1; drawn <= kSeeds; ++drawn) {
      theirs.push_back(theirFrame(std::to_string(drawn), kTime));
      ours.push_back(ourFrame(drawn, kTime));
      ASSERT_EQ(ours.back().size(), theirs.front().size());
    }
    // Over all pairs: with two pictures alone PSNR scatters by half a dB.
    double self = 0, found = 0, mean = 0, selfMean = 0;
    for (int i = 0; i < kSeeds; ++i)
      for (int j = 0; j < kSeeds; ++j) {
        const Bytes &a = theirs[std::size_t(i)], &b = theirs[std::size_t(j)];
        found += meanSquare(ours[std::size_t(i)], b) / (kSeeds * kSeeds);
        mean += meanDifference(ours[std::size_t(i)], b) / (kSeeds * kSeeds);
        if (i == j) continue;
        self += meanSquare(a, b) / (kSeeds * (kSeeds - 1));
        selfMean = std::max(selfMean, std::abs(meanDifference(a, b)));
      }
    RecordProperty("self", fmt::format("{:.2f}", decibels(self)));
    RecordProperty("found", fmt::format("{:.2f}", decibels(found)));
    EXPECT_GE(decibels(found), decibels(self) - 0.5);
    EXPECT_LE(std::abs(mean), std::max(0.25, selfMean));
  }

  TempFolder folder_;
  std::string genome_;
};

TEST_F(Flam3Pictures, OfFramesWithABoxShutter) {
  expectFrameAlike(TemporalFilter::Box, MatrixInterpolation::Log, 4);
}
TEST_F(Flam3Pictures, OfFramesWithAGaussianShutter) {
  expectFrameAlike(TemporalFilter::Gaussian, MatrixInterpolation::Log, 7);
}
TEST_F(Flam3Pictures, OfFramesWithAnExponentialShutter) {
  expectFrameAlike(TemporalFilter::Exp, MatrixInterpolation::Linear, 4);
}

TEST_F(Flam3Pictures, OfItsTestFile) {
  const std::filesystem::path file = "/usr/share/flam3/test.flam3";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  for (const Genome& g : readGenomes(file).genomes) expectAlike(g, 0.75);
}

TEST_F(Flam3Pictures, OfGenomesByFlam3) {
  for (const char* seed : {"3", "5"}) {
    const Outcome made = test::runProgram(
        {FATHOM_FLAM3_GENOME},
        {.environment = {std::string("isaac_seed=fathom-") + seed, std::string("seed=") + seed}});
    ASSERT_EQ(made.code, 0) << made.err;
    expectAlike(parseGenomes(made.out, "flam3-genome").genomes.at(0), 1);
  }
}

TEST_F(Flam3Pictures, OfOurGenomes) {
  for (const char* name : {"corona", "whirlpool"})
    expectAlike(readGenomes(sourcePath(fmt::format("assets/flame/{}.flame", name))).genomes.at(0),
                0.75);
}

}  // namespace
}  // namespace fathom::flame
