// SPDX-License-Identifier: BSD-3-Clause
// Model files there and back: floats, quantized, mixtures.
#include "app/engine/smoe/model/file.h"

#include "app/engine/core/error.h"
#include "tests/smoe/model/model_files.h"
#include "tests/smoe/model/models.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

Model read(const std::string& file) {
  Progress progress;
  return readModel(std::as_bytes(std::span(file)), "test.smoe", progress);
}

void expectSameShape(const Model& a, const Model& b) {
  EXPECT_EQ(a.dims, b.dims);
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(a.views, b.views);
  EXPECT_EQ(a.viewOrigin, b.viewOrigin);
  EXPECT_EQ(a.colorSpace, b.colorSpace);
  EXPECT_EQ(a.centerFractionBits, b.centerFractionBits);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.fit, b.fit);
  EXPECT_EQ(a.psnr, b.psnr);
}

class Dims : public testing::TestWithParam<int> {};

TEST_P(Dims, FloatsComeBackBitForBit) {
  Model model = randomModel(1, GetParam(), 37, {300, 200});
  model.colorSpace = ColorSpace::Ycbcr709;
  model.source = "a \"name\" with quotes, \xc3\xa4";
  model.fit = "by hand";
  model.psnr = 34.567;
  const Model back = read(fileOf(model));
  expectSameShape(model, back);
  EXPECT_EQ(model.components, back.components);
}

TEST_P(Dims, QuantizedFilesHoldWhatQuantizedSays) {
  const Model model = randomModel(2, GetParam(), 41, {300, 200});
  for (const int bits : {4, 7, 12, 16, 24}) {
    const Model back = read(fileOf(model, bits));
    expectSameShape(model, back);
    EXPECT_EQ(quantized(model, {bits, bits, bits, bits, bits}).components, back.components);
  }
}

TEST_P(Dims, FileBytesAreKnownBeforehand) {
  const Model model = randomModel(3, GetParam(), 41, {300, 200});
  EXPECT_EQ(fileOf(model).size(), fileBytes(model));
  EXPECT_EQ(fileOf(model, 11).size(), fileBytes(model, {11, 11, 11, 11, 11}));
}

/// Steps of 24 bits are finer than a pixel's error can show; four bits are coarse.
TEST_P(Dims, QuantizingErrsByAtMostHalfAStep) {
  const Model model = randomModel(4, GetParam(), 200, {300, 200});
  const Model fine = quantized(model, {24, 24, 24, 24, 24});
  const Model coarse = quantized(model, {10, 10, 10, 10, 10});
  double smallest = 1e9, largest = -1e9;
  for (const Component& component : model.components) {
    smallest = std::min(smallest, double(component.c));
    largest = std::max(largest, double(component.c));
  }
  for (std::size_t j = 0; j < model.components.size(); ++j) {
    const Record r = exact(model.components[j], model);
    EXPECT_NEAR(r.c, exact(coarse.components[j], model).c, (largest - smallest) / 1023 / 2 + 1e-6);
    EXPECT_NEAR(1, exact(fine.components[j], model).w11 / r.w11, 1e-6);
    EXPECT_NEAR(r.w21, exact(fine.components[j], model).w21, 1e-6);
    EXPECT_NEAR(r.center.x, exact(fine.components[j], model).center.x, 4e-5);
    EXPECT_NEAR(r.h[2].y, exact(fine.components[j], model).h[2].y, 1e-6);
  }
}

/// The covariance of other software, in all the selections that the format knows.
TEST_P(Dims, MixturesAreFactoredWhileReading) {
  const glm::ivec2 size{30, 20};
  const std::vector<Gaussian> mixture = randomMixture(5, GetParam(), 25, size);
  const ViewCoordinates a{1.25, -0.5};
  const auto expected = reference::decodeMixture(mixture, GetParam(), {size}, a);
  for (const char* covariance : {"full", "upper", "selection"}) {
    const Model model = read(mixtureFile(mixture, GetParam(), size, covariance, "f64"));
    EXPECT_EQ(fractionBitsFor(size.x, size.y), model.centerFractionBits);
    const auto colors = reference::decode(reference::recordsOf(model, a), {size});
    EXPECT_LT(largestDifference(expected, colors), 1e-5) << covariance;
    const Model narrow = read(mixtureFile(mixture, GetParam(), size, covariance, "f32"));
    const auto rough = reference::decode(reference::recordsOf(narrow, a), {size});
    EXPECT_LT(largestDifference(expected, rough), 1e-3) << covariance;
  }
}

INSTANTIATE_TEST_SUITE_P(ModelFile, Dims, testing::Values(2, 3, 4));

TEST(ModelFile, PriorsAreNormalized) {
  std::vector<Gaussian> mixture = randomMixture(6, 2, 10, {30, 20});
  for (Gaussian& g : mixture) g.prior *= 1.0009;
  const Model model = read(mixtureFile(mixture, 2, {30, 20}, "upper", "f64"));
  EXPECT_NEAR(whiten(randomMixture(6, 2, 10, {30, 20})[0], 2, "test").c,
              double(model.components[0].c), 1e-6);
}

TEST(ModelFile, IsKnownByItsFirstBytes) {
  const test::TempFolder folder;
  writeModel(folder / "a.smoe", randomModel(7, 2, 3, {30, 20}));
  folder.write("b.smoe", "SMOEMDL2 and more");
  folder.write("c.smoe", "SMOE");
  EXPECT_TRUE(isModelFile(folder / "a.smoe"));
  EXPECT_FALSE(isModelFile(folder / "b.smoe"));
  EXPECT_FALSE(isModelFile(folder / "c.smoe"));
  EXPECT_FALSE(isModelFile(folder / "none.smoe"));
}

TEST(ModelFile, KeepsTheOldOneWhenTheNewModelIsBroken) {
  const test::TempFolder folder;
  Model model = randomModel(8, 2, 3, {30, 20});
  writeModel(folder / "a.smoe", model);
  const std::string before = test::readText(folder / "a.smoe");
  model.components[1].w22 = -1;
  EXPECT_THROW(writeModel(folder / "a.smoe", model), Error);
  EXPECT_EQ(before, test::readText(folder / "a.smoe"));
  EXPECT_EQ(std::vector<std::string>{"a.smoe"}, folder.names());
}

TEST(ModelFile, SaysWhyItCannotBeOpened) {
  const test::TempFolder folder;
  Progress progress;
  EXPECT_THROW(readModel(folder / "none.smoe", progress), Error);
}

TEST(ModelFile, ReportsProgressAndCanBeCancelled) {
  const std::string file = fileOf(randomModel(9, 4, 100, {30, 20}));
  Progress progress;
  readModel(std::as_bytes(std::span(file)), "test.smoe", progress);
  EXPECT_NEAR(1, progress.fraction(), 1e-9);
  progress.cancel();
  EXPECT_THROW(readModel(std::as_bytes(std::span(file)), "test.smoe", progress), Cancelled);
}

/// Measured against the picture before quantization: the errors of a fit and of quantization add
/// up, and beside a fit of 47 dB an error at 70 dB costs 0.02 dB.
TEST(Quantization, OfSixteenBitsKeepsThePicture) {
  const glm::ivec2 size{96, 96};
  const Model model = randomModel(10, 2, 1000, size);
  const auto colors = reference::decode(reference::recordsOf(model, {}), {size});
  const auto psnrOf = [&](const Quantization& bits) {
    const auto other = reference::decode(reference::recordsOf(quantized(model, bits), {}), {size});
    double sum = 0;
    for (std::size_t i = 0; i < colors.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const double d = std::clamp(colors[i][k], 0.0, 1.0) - std::clamp(other[i][k], 0.0, 1.0);
        sum += d * d;
      }
    return -10 * std::log10(sum / double(3 * colors.size()));
  };
  EXPECT_GT(psnrOf(Quantization::archive()), 70);
  EXPECT_GT(psnrOf(Quantization::compact()), 50);
  EXPECT_LT(psnrOf(Quantization::compact()), psnrOf(Quantization::archive()));
}

TEST(Quantization, HoldsOneValueFarFromZero) {
  Model model = randomModel(7, 3, 5, {64, 48});
  for (Component& c : model.components) c.leadCenter[0] = 1e30f;
  for (const Component& c : quantized(model, Quantization::archive()).components)
    EXPECT_EQ(c.leadCenter[0], 1e30f);
}

TEST(Quantization, HoldsAModelOfOneComponent) {
  const Model model = modelOf(std::vector{disc({5, 5}, 3, {0.1, 0.2, 0.3})}, {10, 10});
  EXPECT_EQ(model.components, read(fileOf(model, 8)).components);
}

}  // namespace
}  // namespace fathom::smoe
