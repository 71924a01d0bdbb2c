// SPDX-License-Identifier: BSD-3-Clause
// Views of a scene: parallax as the formula says, edges smooth, folders complete or not there.
#include "app/engine/smoe/fit/training.h"

#include "app/engine/scene/built_in/mesh_builder.h"
#include "tests/support/gpu_test.h"

namespace fathom::smoe {
namespace {

class ViewCaptureTest : public test::GpuTest {
 protected:
  Progress progress_;
};

/// Two white cards, one above the other, 2 m and 4 m in front of a camera that looks along -z.
std::shared_ptr<const Scene> twoCards(float gloss = 0, float alpha = 1) {
  auto scene = std::make_shared<Scene>();
  scene->name = "two cards";
  scene->camera.position = {0, 0, 0};
  scene->camera.target = {0, 0, -1};
  scene->camera.verticalFovDeg = 90;
  MeshBuilder mesh(*scene);
  const MaterialLook look{
      .color = glm::vec3(0), .alpha = alpha, .emission = glm::vec3(1), .gloss = gloss};
  mesh.addMaterial(look);
  mesh.rectangle({-0.5f, 0.5f, -2}, {1, 0, 0}, {0, 0.5f, 0});
  mesh.rectangle({-1, -2, -4}, {2, 0, 0}, {0, 1, 0});
  Progress progress;
  finishScene(*scene, mesh.take(), {"all"}, BatchOrder::Kept, progress);
  return scene;
}

CaptureRequest smallRequest() { return {.grid = {3, 3}, .size = {64, 48}}; }

/// The middle of what is bright in the upper or lower half, px.
glm::dvec2 centroid(const Image& image, bool upper) {
  glm::dvec3 sum(0);
  for (int y = upper ? 0 : image.height / 2; y < (upper ? image.height / 2 : image.height); ++y)
    for (int x = 0; x < image.width; ++x)
      sum += glm::dvec3(x + 0.5, y + 0.5, 1) * double(image.at(x, y).r);
  return glm::dvec2(sum) / sum.z;
}

TEST_F(ViewCaptureTest, NearestAndFarthestMoveByTheDisparityAskedFor) {
  ViewCapture capture(context(), twoCards(), smallRequest(), progress_);
  const CaptureFacts& facts = capture.facts();
  EXPECT_NEAR(facts.nearZ, 2, 1e-3);
  EXPECT_NEAR(facts.farZ, 4, 1e-3);
  EXPECT_NEAR(facts.focus, 2 / (1 / 2.0 + 1 / 4.0), 1e-3);
  EXPECT_NEAR(facts.disparityLow, -1, 1e-3);
  EXPECT_NEAR(facts.disparityHigh, 1, 1e-3);

  const Image middle = capture.view({0, 0});
  for (const glm::dvec2 a : {glm::dvec2(1, 0), glm::dvec2(-1, 1), glm::dvec2(0.5, -0.25)}) {
    const Image moved = capture.view(a);
    const glm::dvec2 near = centroid(moved, true) - centroid(middle, true);
    const glm::dvec2 far = centroid(moved, false) - centroid(middle, false);
    EXPECT_NEAR(near.x, -a.x, 0.05) << a.x << ", " << a.y;
    EXPECT_NEAR(near.y, -a.y, 0.05);
    EXPECT_NEAR(far.x, a.x, 0.05);
    EXPECT_NEAR(far.y, a.y, 0.05);
  }
}

TEST_F(ViewCaptureTest, FocusIsKeptWhenAskedFor) {
  CaptureRequest request = smallRequest();
  request.focus = 4, request.disparity = 0.5;
  ViewCapture capture(context(), twoCards(), request, progress_);
  EXPECT_NEAR(capture.facts().disparityLow, -0.5, 1e-3);
  EXPECT_NEAR(capture.facts().disparityHigh, 0, 1e-3);
  const glm::dvec2 far =
      centroid(capture.view({1, 1}), false) - centroid(capture.view({0, 0}), false);
  EXPECT_NEAR(far.x, 0, 0.02);
  EXPECT_NEAR(far.y, 0, 0.02);
}

TEST_F(ViewCaptureTest, EdgesAreSmooth) {
  CaptureRequest request = smallRequest();
  ViewCapture capture(context(), twoCards(), request, progress_);
  const Image view = capture.view({0.3, 0.4});
  int between = 0;
  for (const glm::vec4& p : view.pixels) between += p.r > 0.05f && p.r < 0.95f;
  EXPECT_GT(between, 20);
}

TEST_F(ViewCaptureTest, HighlightsAreLeftOut) {
  const Image plain = ViewCapture(context(), twoCards(), smallRequest(), progress_).view({0, 0});
  const Image glossy = ViewCapture(context(), twoCards(1), smallRequest(), progress_).view({0, 0});
  EXPECT_TRUE(test::exact(glossy.pixels, plain.pixels));
}

TEST_F(ViewCaptureTest, TranslucentThingsAreEven) {
  ViewCapture capture(context(), twoCards(0, 0.25f), smallRequest(), progress_);
  const Image view = capture.view({0, 0});
  for (int y = 13; y < 17; ++y)
    for (int x = 28; x < 36; ++x) EXPECT_EQ(view.at(x, y).r, 0.25f) << x << ", " << y;
}

TEST_F(ViewCaptureTest, FolderHoldsTheSameViews) {
  const TempFolder folder;
  ViewCapture capture(context(), twoCards(), smallRequest(), progress_);
  writeViews(capture, folder.file("views"), progress_);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"views"});
  const TrainingSet direct = capture.training(ColorSpace::Srgb, progress_);
  const TrainingSet back = readTraining(folder / "views", ColorSpace::Srgb, progress_);
  EXPECT_EQ(back.views, direct.views);
  EXPECT_EQ(back.viewOrigin, direct.viewOrigin);
  ASSERT_EQ(back.pictures.size(), direct.pictures.size());
  for (std::size_t i = 0; i < back.pictures.size(); ++i)
    EXPECT_TRUE(test::rounding(back.pictures[i], direct.pictures[i], 0.5f / 255 + 1e-5f)) << i;
}

TEST_F(ViewCaptureTest, InterruptedFolderIsNotThere) {
  const TempFolder folder;
  ViewCapture capture(context(), twoCards(), smallRequest(), progress_);
  Progress cancelled;
  cancelled.cancel();
  EXPECT_THROW(writeViews(capture, folder.file("views"), cancelled), Cancelled);
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(ViewCaptureTest, RefusesAnEmptySight) {
  auto scene = std::make_shared<Scene>(*twoCards());
  scene->camera.target = {0, 0, 1};
  EXPECT_EQ(messageOf([&] { ViewCapture(context(), scene, smallRequest(), progress_); }),
            "two cards: expected a scene in the camera's sight, found nothing");
}

}  // namespace
}  // namespace fathom::smoe
