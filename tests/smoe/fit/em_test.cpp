// SPDX-License-Identifier: BSD-3-Clause
// Expectation maximization and the linear refit.
#include "app/engine/smoe/fit/mixture.h"
#include "tests/smoe/fit/reference_gradient.h"
#include "app/engine/smoe/fit/experts.h"
#include "tests/smoe/fit/pictures.h"
#include "tests/smoe/model/models.h"
#include "tests/support/gpu_test.h"

#include <cmath>

namespace fathom::smoe {
namespace {

class FitEmTest : public test::GpuTest {
 protected:
  /// One iteration over all pictures with lists that hold nearly everything.
  static void iterate(FitEm& em, const TrainingSet& training, double tau) {
    em.begin();
    for (std::size_t i = 0; i < training.pictures.size(); ++i) {
      const PixelBox box{{0, 0}, training.size};
      FitRegion region(context(), training.pictures[i], box, training.coordinatesOf(i));
      std::vector<Record> sliced;
      for (const Record& r : em.records())
        sliced.push_back(slice(r, training.dims - 2, training.coordinatesOf(i)));
      region.setLists(buildComponentLists(sliced, box, tau));
      em.add(region);
    }
    em.finish();
  }

  static void expectReference(const TrainingSet& training, int count) {
    const std::vector<Gaussian> start = startMixture(training, count);
    Model frame;
    frame.dims = training.dims;
    frame.centerFractionBits = 20;
    FitPasses passes(context(), start.size(), frame.leading(), 20);
    FitEm em(passes, frame, start);
    iterate(em, training, 60);
    em.begin();
    std::vector<reference::Target> targets;
    for (std::size_t i = 0; i < training.pictures.size(); ++i)
      targets.push_back({&training.pictures[i], training.coordinatesOf(i)});
    const auto expected = reference::emIteration(start, training.dims, targets);
    for (std::size_t j = 0; j < start.size(); ++j) {
      const Record r = whiten(expected[j], training.dims, "expected"), found = em.records()[j];
      EXPECT_NEAR(found.center.x, r.center.x, 2e-3) << j;
      EXPECT_NEAR(found.w11, r.w11, 2e-3 * r.w11) << j;
      EXPECT_NEAR(found.w21, r.w21, 2e-3 * std::sqrt(r.w11 * r.w22)) << j;
      EXPECT_NEAR(found.c, r.c, 5e-3) << j;
      EXPECT_NEAR(found.color.g, r.color.g, 1e-4) << j;
      EXPECT_NEAR(found.h[2].x, r.h[2].x, 1e-4) << j;
      EXPECT_NEAR(found.m[0].x, r.m[0].x, 1e-3) << j;
      EXPECT_NEAR(found.leadH[1].y, r.leadH[1].y, 1e-4) << j;
      EXPECT_NEAR(found.leadW22, r.leadW22, 1e-3 * r.leadW22) << j;
    }
  }
};

TEST_F(FitEmTest, IterationIsThatOfTheReferenceForImages) {
  expectReference(*trainingOf(discs({29, 18})), 12);
}

TEST_F(FitEmTest, IterationIsThatOfTheReferenceForViews) {
  expectReference(*trainingOfViews({3, 2}, {21, 14}), 8);
}

TEST_F(FitEmTest, LikelihoodRises) {
  const auto training = trainingOf(discs({48, 40}));
  Model frame;
  frame.centerFractionBits = 20;
  FitPasses passes(context(), 40, 0, 20);
  FitEm em(passes, frame, startMixture(*training, 40));
  double before = -1e300;
  for (int i = 0; i < 6; ++i) {
    iterate(em, *training, 12);
    EXPECT_GT(em.logLikelihood(), before - 1e-4) << i;
    before = em.logLikelihood();
  }
}

TEST_F(FitEmTest, RefitFindsExpertsThatExplainThePicture) {
  // What a model decodes to, fitted with its own gates and gray experts: the colors come back.
  const glm::ivec2 size{40, 32};
  Model model = randomModel(11, 2, 12, size);
  Image picture(size.x, size.y);
  const auto colors = reference::decode(reference::recordsOf(model, {}), {size, {0, 0}, 1});
  for (std::size_t i = 0; i < colors.size(); ++i)
    picture.pixels[i] = glm::vec4(glm::vec3(colors[i]), 1);
  for (Component& c : model.components) {
    for (float& color : c.color) color = 0.5f;
    for (auto& row : c.h) row[0] = row[1] = 0;
  }
  FitPasses passes(context(), model.components.size(), 0, model.centerFractionBits);
  FitRegion region(context(), picture, {{0, 0}, size}, {0, 0});
  region.setLists(buildComponentLists(reference::recordsOf(model, {}), {{0, 0}, size}, 11));
  passes.upload(model.components);
  passes.decode(region, FitPasses::Keep::Products);
  const double before = passes.squaredError();
  FitRegion* regions[] = {&region};
  FitRefit refit(passes, regions, model.components);
  for (int i = 0; i < 60 && refit.step(); ++i) {
  }
  refit.finish();
  passes.decode(region, FitPasses::Keep::Products);
  EXPECT_LT(passes.squaredError(), 1e-4 * before);
}

}  // namespace
}  // namespace fathom::smoe
