// SPDX-License-Identifier: BSD-3-Clause
// Whole fits of small pictures: how good they get, that nothing degenerates, that they are the same
// every time.
#include "app/engine/smoe/fit/fitter.h"

#include "app/engine/core/compare.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/model/file.h"
#include "tests/smoe/models.h"
#include "tests/support/gpu_test.h"

namespace fathom::smoe {
namespace {

constexpr double kToTheEnd = std::numeric_limits<double>::infinity();

class FitterTest : public test::GpuTest {
 protected:
  static FitRequest small(int components, int steps) {
    return {.components = components, .emIterations = 5, .refitIterations = 10, .steps = steps};
  }
  Model fitted(const std::shared_ptr<const TrainingSet>& training, const FitRequest& request) {
    Fitter fitter(context(), training, request);
    EXPECT_TRUE(fitter.step(kToTheEnd, progress_));
    return fitter.model();
  }
  static Image decoded(const Model& model, ViewCoordinates a = {0, 0}) {
    const glm::ivec2 size{model.width, model.height};
    const auto colors = reference::decode(reference::recordsOf(model, a), {size, {0, 0}, 1});
    Image picture(size.x, size.y);
    std::transform(colors.begin(), colors.end(), picture.pixels.begin(),
                   [](glm::dvec3 color) { return glm::vec4(glm::vec3(color), 1); });
    return picture;
  }
  static double judged(const Model& model, const Image& picture, ViewCoordinates a = {0, 0}) {
    return psnr(decoded(model, a), picture);
  }
  Progress progress_;
};

TEST_F(FitterTest, EachStageImprovesThePicture) {
  const Image picture = discs({96, 80});
  Fitter fitter(context(), trainingOf(picture), small(150, 100));
  fitter.step(kToTheEnd, progress_);
  double start = 0, em = 0, refit = 0;
  for (const FitPoint& point : fitter.curve()) {
    if (point.stage == "start") start = point.psnr;
    if (point.stage == "em") em = point.psnr;
    if (point.stage == "refit") refit = point.psnr;
  }
  EXPECT_GT(start, 20);
  EXPECT_GT(em, start);
  EXPECT_GT(refit, em + 0.5);
  EXPECT_GT(fitter.curve().back().psnr, refit + 1.5);
  // What the curve says is what the reference decodes.
  EXPECT_NEAR(judged(fitter.model(), picture), fitter.model().psnr, 0.1);
  validate(fitter.model(), "fitted");
}

TEST_F(FitterTest, PicturesWithoutFeaturesEndWithValidModels) {
  Image point = flat({40, 33}, glm::vec3(0.2f));
  point.at(17, 9) = glm::vec4(1);
  const std::pair<Image, double> cases[] = {{flat({40, 33}, glm::vec3(0.3f, 0.5f, 0.9f)), 60.0},
                                            {ramp({40, 33}), 45.0},
                                            {noise({40, 33}, 2), 9.0},
                                            {point, 35.0},
                                            {flat({1, 1}, glm::vec3(0.5f)), 60.0}};
  for (const auto& [picture, smallest] : cases) {
    const Model model = fitted(trainingOf(picture), small(30, 60));
    EXPECT_NO_THROW(validate(model, "fitted"));
    EXPECT_GT(judged(model, picture), smallest);
  }
}

TEST_F(FitterTest, OneComponentIsEnoughForARamp) {
  const Model model = fitted(trainingOf(ramp({24, 16})), small(1, 200));
  EXPECT_NO_THROW(validate(model, "fitted"));
  EXPECT_GT(judged(model, ramp({24, 16})), 50);
}

TEST_F(FitterTest, TheSameRequestGivesTheSameBytesInAnySlices) {
  const auto training = trainingOf(discs({56, 40}));
  const Model once = fitted(training, small(60, 50));
  Fitter again(context(), training, small(60, 50));
  int slices = 0;
  while (!again.step(1, progress_)) {
    again.model();
    again.errorMap();
    ++slices;
  }
  EXPECT_GT(slices, 10);
  EXPECT_EQ(again.model().components, once.components);
}

TEST_F(FitterTest, GoesOnAndAddsComponentsWhereTheErrorIs) {
  const Image picture = discs({64, 48});
  Fitter fitter(context(), trainingOf(picture), small(40, 40));
  fitter.step(kToTheEnd, progress_);
  const double before = fitter.curve().back().psnr;
  fitter.continueFor(60);
  EXPECT_FALSE(fitter.done());
  fitter.step(kToTheEnd, progress_);
  const double longer = fitter.curve().back().psnr;
  EXPECT_GT(longer, before);
  fitter.addComponents(25, 60);
  fitter.step(kToTheEnd, progress_);
  EXPECT_EQ(fitter.model().components.size(), 65u);
  EXPECT_GT(fitter.curve().back().psnr, longer + 0.5);
}

TEST_F(FitterTest, GoesOnFromAModel) {
  const auto training = trainingOf(discs({48, 48}));
  const Model first = fitted(training, small(40, 30));
  Fitter fitter(context(), training, small(40, 60), first);
  fitter.step(kToTheEnd, progress_);
  EXPECT_GT(fitter.curve().back().psnr, first.psnr);
  EXPECT_THROW(Fitter(context(), trainingOf(discs({47, 48})), small(40, 60), first), Error);
}

TEST_F(FitterTest, AShareOfSsimRaisesIt) {
  Image picture = noise({40, 32}, 3);
  for (glm::vec4& pixel : picture.pixels) pixel = glm::vec4(glm::vec3(pixel.g), 1);
  const auto training = trainingOf(picture);
  PictureDifference without, with;
  for (const float share : {0.0f, 0.8f}) {
    FitRequest request = small(30, 100);
    request.structure = share;
    (share > 0 ? with : without) = compare(decoded(fitted(training, request)), picture);
  }
  EXPECT_GT(with.ssim, without.ssim + 0.01);
  EXPECT_GT(with.psnr, without.psnr - 1);

  FitRequest request = small(3, 10);
  request.structure = 0.5f;
  EXPECT_THROW(Fitter(context(), trainingOf(flat({20, 10}, {1, 0, 0})), request), Error);
}

TEST_F(FitterTest, ErrorMapShowsWhatIsWrong) {
  const Image picture = discs({40, 24});
  Fitter fitter(context(), trainingOf(picture), small(10, 0));
  fitter.step(kToTheEnd, progress_);
  const Image map = fitter.errorMap().downloadImage(), found = decoded(fitter.model());
  for (std::size_t i = 0; i < map.pixels.size(); ++i)
    EXPECT_NEAR(map.pixels[i].g, std::abs(found.pixels[i].g - picture.pixels[i].g), 1e-3);
}

TEST_F(FitterTest, StopsWhenCancelled) {
  Fitter fitter(context(), trainingOf(discs({48, 48})), small(40, 1000));
  progress_.cancel();
  EXPECT_THROW(fitter.step(kToTheEnd, progress_), Cancelled);
}

TEST_F(FitterTest, ExpertsRefittedToRoundedGatesCostLess) {
  const Image picture = discs({64, 48});
  const auto training = trainingOf(picture);
  const Model model = fitted(training, small(60, 60));
  const Packer packer(model);
  const Refitter refit = refitterFor(context(), training);
  const EncodedModel plain = encodePacked(packer, 1.5),
                     refitted = encodePacked(packer, 1.5, "", refit);
  EXPECT_GT(judged(refitted.model, picture), judged(plain.model, picture) + 0.1);
  EXPECT_LT(double(refitted.bytes.size()), 0.98 * double(plain.bytes.size()));
  // Places stay, and then sizes; the rest makes up for that, but for differences of color of
  // slopes.
  // How many components differ, by what is asked of each before and after.
  const auto changed = [&](Refit what, const auto& differs) {
    Model after = model;
    refit(after, what);
    int count = 0;
    for (std::size_t j = 0; j < model.components.size(); ++j)
      count += differs(model.components[j], after.components[j]);
    return count;
  };
  const auto expectSamePlace = [](const Component& a, const Component& b) {
    EXPECT_EQ(a.cx, b.cx);
    EXPECT_EQ(a.cy, b.cy);
  };
  EXPECT_GT(changed(Refit::Sizes,
                    [&](const Component& a, const Component& b) {
                      expectSamePlace(a, b);
                      return std::abs(a.w11 - b.w11) > 1e-4f * a.w11;
                    }),
            10);
  const auto chroma = [](const Component& c) { return c.h[2][0] - c.h[1][0]; };
  for (const Refit what : {Refit::Sizes, Refit::Gates, Refit::Experts})
    EXPECT_GT(changed(what,
                      [&](const Component& a, const Component& b) {
                        EXPECT_NEAR(chroma(a), chroma(b), 1e-5f);
                        return std::abs(a.h[0][0] - b.h[0][0]) > 1e-4f;
                      }),
              10);
  EXPECT_GT(changed(Refit::Gates,
                    [&](const Component& a, const Component& b) {
                      expectSamePlace(a, b);
                      EXPECT_FLOAT_EQ(a.w11, b.w11);
                      EXPECT_FLOAT_EQ(a.w22, b.w22);
                      return std::abs(a.c - b.c) > 1e-4f;
                    }),
            10);
  EXPECT_GT(changed(Refit::Colors,
                    [](const Component& a, const Component& b) {
                      EXPECT_TRUE(std::equal(&a.h[0][0], &a.h[0][0] + 6, &b.h[0][0]));
                      return a.color[0] != b.color[0];
                    }),
            30);
  EXPECT_FALSE(refitterFor(context(), trainingOfViews({3, 3}, {16, 16})));
}

TEST_F(FitterTest, LightFieldsShowViewsThatWereHeldOut) {
  auto training = trainingOfViews({5, 5}, {48, 40});
  training->heldOut = {6, 13};
  const Model model = fitted(training, small(120, 60));
  EXPECT_NO_THROW(validate(model, "fitted"));
  EXPECT_EQ(model.views, glm::ivec2(5, 5));
  for (const std::size_t i : training->heldOut)
    EXPECT_GT(judged(model, training->pictures[i], training->coordinatesOf(i)), 27) << i;
}

TEST_F(FitterTest, ViewsBetweenThoseOfTheGridAreNearlyAsGood) {
  const auto training = trainingOfViews({5, 5}, {48, 40});
  const Model model = fitted(training, small(500, 60));
  double views = 0, between = 0;  // dB
  for (const glm::dvec2 at : {glm::dvec2(-1, 0), {0, 1}, {1, -1}, {0, 0}}) {
    views += judged(model, discs(training->size, at), at) / 4;
    between += judged(model, discs(training->size, at + 0.5), at + 0.5) / 4;
  }
  EXPECT_LT(views - between, 2);
}

TEST_F(FitterTest, VideosAreFittedFrameByFrame) {
  auto training = trainingOfViews({1, 9}, {40, 32});
  training->dims = 3;
  training->frames = 9;
  training->views = {1, 1};
  const Model model = fitted(training, small(100, 40));
  EXPECT_NO_THROW(validate(model, "fitted"));
  EXPECT_EQ(model.frames, 9);
  EXPECT_GT(judged(model, training->pictures[7], {7, 0}), 24);
}

TEST_F(FitterTest, VideosAreFittedAlongFastMotion) {
  auto training = trainingOfViews({1, 9}, {40, 32});
  training->dims = 3, training->frames = 9, training->views = {1, 1};
  const Image wide = discs({80, 32});
  const auto at = [&](double frame) {  // 4 px per frame
    Image picture(40, 32);
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 40; ++x) picture.at(x, y) = wide.at(x + int(4 * frame), y);
    return picture;
  };
  for (int i = 0; i < 9; ++i) training->pictures[std::size_t(i)] = at(i);
  const Model model = fitted(training, small(150, 60));
  double frames = 0, between = 0;  // dB
  for (const int i : {1, 3, 5, 7}) {
    frames += judged(model, at(i), {i, 0}) / 4;
    between += judged(model, at(i + 0.5), {i + 0.5, 0}) / 4;
  }
  EXPECT_LT(frames - between, 5);  // 7 from components that stand still
}

}  // namespace
}  // namespace fathom::smoe
