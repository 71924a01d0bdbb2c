// SPDX-License-Identifier: BSD-3-Clause
// Light fields from end to end: a view is exactly a slice of the model, and a model of a scene's
// views predicts those between them, which it has not seen.
#include "app/engine/scene/load_scene.h"
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/model/reference.h"
#include "tests/smoe/model/models.h"
#include "tests/support/gpu_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::smoe {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr glm::ivec2 kSize{70, 50};

class LightFieldTest : public test::GpuTest {};

/// All components, so that nothing but slicing and arithmetic can differ.
DecodeOptions allComponents() {
  DecodeOptions options;
  options.relevance = Relevance::Window;
  options.windowBorder = 100'000;
  return options;
}

TEST_F(LightFieldTest, ViewsAreDirectEvaluationInFourDimensions) {
  const std::vector<Gaussian> mixture = randomMixture(5, 4, 60, kSize);
  Decoder decoder(context());
  decoder.setModel(randomModel(5, 4, 60, kSize));
  for (const ViewCoordinates at :
       {glm::dvec2(0, 0), glm::dvec2(-3, 2), glm::dvec2(1.37, -2.61), glm::dvec2(5.5, 4.2)}) {
    ViewWindow window;
    window.size = kSize, window.at = at;
    decoder.build(window, allComponents(), kForever);
    const std::vector<glm::vec4> found = decoder.downloadRaw(window);
    const std::vector<glm::dvec3> direct = reference::decodeMixture(mixture, 4, {kSize}, at);
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      for (int c = 0; c < 3; ++c)
        largest = std::max(largest, std::abs(double(found[i][c]) - direct[i][c]));
    EXPECT_LT(largest, 1e-5) << at.x << ", " << at.y;
  }
}

TEST_F(LightFieldTest, ModelOfASceneShowsViewsThatItHasNotSeen) {
  Progress progress;
  CaptureRequest request;
  request.grid = {5, 5}, request.size = {64, 48};
  ViewCapture capture(context(), loadScene("atrium", progress), request, progress);
  auto training = std::make_shared<TrainingSet>(capture.training(ColorSpace::Srgb, progress));
  holdOut(*training, 6);
  FitRequest fit;
  fit.components = 200, fit.emIterations = 6, fit.steps = 80;
  Fitter fitter(context(), training, fit);
  while (!fitter.step(kForever, progress)) {
  }
  Decoder decoder(context());
  decoder.setModel(fitter.model());
  const double heldOut = judged(decoder, heldOutViews(*training)).psnr;
  EXPECT_GT(heldOut, 24);

  std::vector<JudgedView> between;
  for (const ViewCoordinates at : {glm::dvec2(0.5, 0.5), glm::dvec2(-1.3, 0.7)})
    between.push_back({at, encoded(capture.view(at), training->colorSpace)});
  EXPECT_GT(judged(decoder, between).psnr, 24);
}

TEST_F(LightFieldTest, JudgesByTheMeanSquaredErrorOfAllViews) {
  const Model model = randomModel(6, 4, 20, kSize);
  Decoder decoder(context());
  decoder.setModel(model);
  const auto pictureOf = [&](ViewCoordinates at, float shift) {
    const Image linear = reference::toImage(
        reference::decode(reference::recordsOf(model, at), {kSize}), kSize, model.colorSpace);
    Image picture = encoded(linear, model.colorSpace);
    // Toward the middle, so that nothing is clamped.
    for (glm::vec4& p : picture.pixels)
      for (int c = 0; c < 3; ++c) p[c] += p[c] < 0.5f ? shift : -shift;
    return picture;
  };
  const std::vector<JudgedView> views{{{0, 0}, pictureOf({0, 0}, 0.1f)},
                                      {{1, 2}, pictureOf({1, 2}, 0.01f)}};
  const Judgment judgment = judged(decoder, views);
  EXPECT_NEAR(judgment.views[0], 20, 0.01);
  EXPECT_NEAR(judgment.views[1], 40, 0.05);
  EXPECT_NEAR(judgment.psnr, -10 * std::log10((0.01 + 0.0001) / 2), 0.02);
}

}  // namespace
}  // namespace fathom::smoe
