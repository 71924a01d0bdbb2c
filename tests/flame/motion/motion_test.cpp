// SPDX-License-Identifier: BSD-3-Clause
// Shutters, and frames on disk: what `fathom flame animate` draws, keeps and refuses.
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/engine/flame/random.h"
#include "tests/flame/genomes.h"
#include "tests/support/program.h"

namespace fathom::flame {
namespace {

TEST(Shutter, TakesBothEndsIn) {
  const std::vector<ShutterMoment> moments = shutterMoments(TemporalFilter::Box, 2, 0, 5);
  ASSERT_EQ(moments.size(), 5u);
  EXPECT_DOUBLE_EQ(moments.front().offset, -1);
  EXPECT_DOUBLE_EQ(moments[2].offset, 0);
  EXPECT_DOUBLE_EQ(moments.back().offset, 1);
  for (const ShutterMoment& moment : moments) EXPECT_EQ(moment.weight, 1);
  const std::vector<ShutterMoment> middle = shutterMoments(TemporalFilter::Gaussian, 2, 0, 1);
  ASSERT_EQ(middle.size(), 1u);
  EXPECT_EQ(middle[0].offset, 0);
  EXPECT_EQ(middle[0].weight, 1);
}

// Figures of flam3's own filters.
TEST(Shutter, WeighsFiveMomentsAsFlam3) {
  const auto expectWeights = [](TemporalFilter filter, double exponent,
                                std::vector<double> weights) {
    const std::vector<ShutterMoment> moments = shutterMoments(filter, 1, exponent, 5);
    for (std::size_t i = 0; i < weights.size(); ++i)
      EXPECT_NEAR(moments[i].weight, weights[i], 6e-7);
  };
  expectWeights(TemporalFilter::Gaussian, 0, {0.013300, 0.236928, 1, 1, 0.236928});
  expectWeights(TemporalFilter::Exp, 1.5, {0.089443, 0.252982, 0.464758, 0.715542, 1});
  expectWeights(TemporalFilter::Exp, -2, {1, 0.64, 0.36, 0.16, 0.04});
  expectWeights(TemporalFilter::Box, 0, {1, 1, 1, 1, 1});
}

TEST(Shutter, WeighsAtMostOne) {
  for (const double exponent : {-2.0, 0.0, 1.5}) {
    const auto moments = shutterMoments(TemporalFilter::Exp, 1, exponent, 8);
    double most = 0;
    for (const ShutterMoment& moment : moments) most = std::max(most, moment.weight);
    EXPECT_DOUBLE_EQ(most, 1);
    EXPECT_EQ(moments.front().weight == most, exponent <= 0);
  }
}

std::vector<Genome> keyframes(int count, double step = 4) {
  std::vector<Genome> list;
  for (int i = 0; i < count; ++i) {
    Genome g = randomGenome(20 + std::uint64_t(i), {48, 32});
    g.time = step * i;
    g.quality = 20, g.temporalSamples = 40;
    list.push_back(std::move(g));
  }
  return list;
}

Exposure exposureWith(TemporalFilter filter) {
  std::vector<Genome> list = keyframes(2);
  for (Genome& g : list)
    g.temporalFilter = filter, g.temporalFilterExp = 1, g.temporalFilterWidth = 1;
  return {std::make_shared<const Keyframes>(list), 2};
}

TEST(Exposure, SpendsAsManySamplesOnEachMoment) {
  const Exposure exposure = exposureWith(TemporalFilter::Exp);
  EXPECT_TRUE(exposure.moves());
  EXPECT_EQ(exposure.timeAt(0), 1.5);
  EXPECT_EQ(exposure.timeAt(1), 2.5);
  const double step = 1.0 / 39;  // of 40 moments, both ends included
  for (int i = 0; i < 40; ++i) EXPECT_NEAR(exposure.timeAt((i + 0.5) / 40), 1.5 + i * step, 1e-12);
}

TEST(Exposure, WeighsAsItsFilter) {
  const Exposure exposure = exposureWith(TemporalFilter::Exp);
  EXPECT_TRUE(exposure.weighs());
  EXPECT_NEAR(exposure.weightBetween(0.1, 0.125), 5.0 / 40, 1e-12);  // the fifth
  EXPECT_NEAR(exposure.weightBetween(0, 0.05), 1.5 / 40, 1e-12);     // the first two
  EXPECT_NEAR(exposure.weightBetween(0.9875, 1), 1, 1e-12);          // half of the last
  EXPECT_NEAR(exposure.weightBetween(0, 1), 20.5 / 40, 1e-12);
  const Exposure box = exposureWith(TemporalFilter::Box);
  EXPECT_FALSE(box.weighs());
  EXPECT_DOUBLE_EQ(box.weightBetween(0.3, 0.4), 1);
}

TEST(Exposure, TakesTheMeanOfThePalettesOfItsMoments) {
  std::vector<Genome> list = keyframes(2);
  for (Genome& g : list) g.paletteInterpolation = PaletteInterpolation::Rgb;
  const Keyframes motion(list);
  const Exposure exposure(std::make_shared<const Keyframes>(list), 2, Shutter{3, 100});
  ASSERT_EQ(exposure.momentCount(), 100u);
  // Many moments, few, parts of two.
  for (const auto& [first, last] : {std::pair(0, 1250), {8750, 10000}, {300, 600}, {4750, 4875}}) {
    glm::dvec3 mean(0);
    for (int i = first; i < last; ++i)
      mean += glm::dvec3(motion.paletteAt(exposure.timeAt((i + 0.5) / 10000))[9]);
    mean /= last - first;
    const glm::dvec3 found(exposure.paletteBetween(first / 1e4, last / 1e4)[9]);
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(found[channel], mean[channel], 5e-5) << first << " to " << last;
  }
}

TEST(Exposure, StandsStillForOneGenome) {
  const Exposure exposure(std::make_shared<const Keyframes>(keyframes(1)), 2);
  EXPECT_FALSE(exposure.moves());
  EXPECT_EQ(exposure.timeAt(0.7), 2);
}

TEST(KeyframeTimes, MustAscend) {
  std::vector<Genome> list = keyframes(3);
  list[2].time = list[1].time, list[2].name = "late";
  EXPECT_EQ(messageOf([&] { const Keyframes made(list); }),
            "flame late: expected a time after that of the flame before (4), found 4");
}

TEST(KeyframeTimes, BeforeTheFirstTheMotionGoesOnBackwards) {
  std::vector<Genome> list = keyframes(2);
  list[0].brightness = 4, list[1].brightness = 6;
  const Keyframes made(list);
  EXPECT_DOUBLE_EQ(made.at(-4).brightness, 2);
  EXPECT_DOUBLE_EQ(made.at(2).brightness, 5);
  EXPECT_DOUBLE_EQ(made.at(8).brightness, 8);
}

// While the shutter is open across a keyframe, a final xform may be there for half of the time.
TEST(Extent, HoldsAFinalXformThatComes) {
  std::vector<Genome> list = keyframes(3);
  for (Genome& g : list) g.finalXform.reset();
  list[2].finalXform = list[2].xforms[0];
  const Keyframes made(list);
  EXPECT_FALSE(made.extent(1, 3).finalXform);
  EXPECT_EQ(made.extent(5, 6).finalXform->opacity, 1);
  const Genome both = made.extent(3, 5);
  ASSERT_TRUE(both.finalXform);
  EXPECT_GT(both.finalXform->opacity, 0);
  EXPECT_LT(both.finalXform->opacity, 1);
}

TEST(Aligned, TakesOverThePetalsOfAFlowerButNotItsHoles) {
  std::vector<Genome> list = keyframes(2);
  const int flower = variationNamed("flower");
  for (Genome& g : list) g.xforms[0].variations.clear();
  variationIn(list[0].xforms[0], flower) = {flower, 0.5, {0.3, 4}};
  variationIn(list[1].xforms[0], kLinear).weight = 1;
  const VariationUse use = variationIn(aligned(list)[1].xforms[0], flower);
  EXPECT_EQ(use.weight, 0);
  EXPECT_EQ(use.parameters[0], 0.3);
  EXPECT_EQ(use.parameters[1], 0);
}

class Animate : public testing::Test {
 protected:
  Outcome animate(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"flame", "animate", file_, "-o", folder_.file("f.%03d.png")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runFathom(arguments);
  }
  std::string frame(int i) const { return folder_.file(fmt::format("f.{:03d}.png", i)); }
  std::size_t filesThere() const {
    return std::size_t(std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }
  TempFolder folder_;
  std::string file_ = [this] {
    writeGenomes(folder_.file("k.flame"), keyframes(2));
    return folder_.file("k.flame");
  }();
};

TEST_F(Animate, GivesTheSameBytesForTheSameSeed) {
  ASSERT_EQ(animate({"--begin", "1", "--end", "1"}).code, 0);
  const std::string first = readText(frame(1));
  ASSERT_EQ(animate({"--begin", "1", "--end", "1", "--again"}).code, 0);
  EXPECT_EQ(readText(frame(1)), first);
  ASSERT_EQ(animate({"--begin", "1", "--end", "1", "--again", "--seed", "2"}).code, 0);
  EXPECT_NE(readText(frame(1)), first);
}

TEST_F(Animate, KeepsFramesThatAreThere) {
  ASSERT_EQ(animate({"--end", "1"}).code, 0);
  folder_.write("f.000.png", "damaged");
  const auto made = std::filesystem::last_write_time(frame(1));
  const Outcome outcome = animate({"--end", "2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("1 of 3 frames were there and kept"));
  EXPECT_EQ(std::filesystem::last_write_time(frame(1)), made);
  EXPECT_NE(readText(frame(0)), "damaged");
  EXPECT_TRUE(std::filesystem::exists(frame(2)));
}

// Nothing can be tidied up then: what counts is that no frame is under its name half written, and
// that the frames of a film that went on are those of one that was never stopped.
TEST_F(Animate, GoesOnWhereItWasKilled) {
  ASSERT_EQ(animate().code, 0);
  EXPECT_EQ(filesThere(), 5u);  // four frames up to the last flame, and the keyframes
  std::vector<std::string> whole;
  for (int i = 0; i < 4; ++i) whole.push_back(readText(frame(i)));
  for (int i = 0; i < 4; ++i) std::filesystem::remove(frame(i));
  EXPECT_EQ(runFathom({"flame", "animate", file_, "-o", folder_.file("f.%03d.png")},
                      {.killWhenThere = frame(1)})
                .code,
            128 + 9);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(readText(frame(i)), whole[std::size_t(i)]) << i;
  EXPECT_FALSE(std::filesystem::exists(frame(3)));
  const auto made = std::filesystem::last_write_time(frame(0));
  ASSERT_EQ(animate().code, 0);
  EXPECT_EQ(std::filesystem::last_write_time(frame(0)), made);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(readText(frame(i)), whole[std::size_t(i)]) << i;
}

TEST_F(Animate, DrawsAnewWhatIsOlderThanItsKeyframes) {
  folder_.write("f.001.png", "old");
  std::filesystem::last_write_time(
      frame(1), std::filesystem::last_write_time(file_) - std::chrono::seconds(5));
  ASSERT_EQ(animate({"--begin", "1", "--end", "1"}).code, 0);
  EXPECT_NE(readText(frame(1)), "old");
}

TEST_F(Animate, NamesWhatIsWrong) {
  EXPECT_THAT(refusalOf({"flame", "animate", file_, "-o", folder_.file("f.mp4")},
                        {.environment = {"PATH=/nonexistent"}}),
              HasSubstr("expected ffmpeg to make a video with, found none in PATH"));
  EXPECT_THAT(animate({"--begin", "3", "--end", "1"}).err, HasSubstr("--end: expected 3 or later"));
  EXPECT_THAT(runFathom({"flame", "animate", file_, "-o", folder_.file("f.png")}).err,
              HasSubstr("expected %d in the name"));
  std::vector<Genome> list = keyframes(2);
  list[1].time = 0;
  writeGenomes(file_, list);
  EXPECT_THAT(animate().err, HasSubstr("--sequence N makes loops and edges"));
  list[1].time = 4, list[1].size = {50, 32};
  writeGenomes(file_, list);
  EXPECT_THAT(animate().err, HasSubstr("expected flames of one size (48 x 32), found 50 x 32"));
}

TEST_F(Animate, MakesLoopsAndEdgesOfAFlock) {
  ASSERT_EQ(animate({"--sequence", "2"}).code, 0);
  EXPECT_EQ(filesThere(), 7u);  // 2 + 2 + 2 frames, and the flock
  const std::string film = folder_.file("film.flame");
  outputOf({"flame", "sequence", file_, "--frames", "2", "-o", film});
  const std::vector<Genome> list = readGenomes(film).genomes;
  ASSERT_EQ(list.size(), 7u);
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(list[i].time, double(i));
}

}  // namespace
}  // namespace fathom::flame
