// SPDX-License-Identifier: BSD-3-Clause
// The camera's matrices and moves, against answers that one can work out by hand.
#include "app/engine/scene/camera.h"

#include <glm/gtc/constants.hpp>

namespace fathom {
namespace {

const float kPi = glm::pi<float>();

void expectNear(glm::vec3 a, glm::vec3 b, float tolerance = 1e-5f) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

Camera cameraAt(glm::vec3 position, glm::vec3 target) {
  return {.position = position, .target = target};
}

glm::vec3 ndc(const Camera& camera, float aspect, glm::vec3 p) {
  const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(p, 1);
  return glm::vec3(clip) / clip.w;
}

TEST(Camera, LooksAlongMinusZ) {
  const Camera camera = cameraAt({1, 2, 3}, {1, 2, -7});
  expectNear(glm::vec3(camera.view() * glm::vec4(1, 2, -7, 1)), {0, 0, -10});
  expectNear(glm::vec3(camera.view() * glm::vec4(2, 2, 3, 1)), {1, 0, 0});
}

TEST(Camera, TargetIsInTheMiddleOfThePicture) {
  const glm::vec3 p = ndc(cameraAt({3, 4, 5}, {-1, 0, 2}), 1.6f, {-1, 0, 2});
  EXPECT_NEAR(p.x, 0, 1e-5f);
  EXPECT_NEAR(p.y, 0, 1e-5f);
}

TEST(Camera, FieldOfViewSpansThePictureHeight) {
  Camera camera = cameraAt({0, 0, 0}, {0, 0, -1});
  camera.verticalFovDeg = 90;
  EXPECT_NEAR(ndc(camera, 2, {0, 5, -5}).y, 1, 1e-5f);
  EXPECT_NEAR(ndc(camera, 2, {10, 0, -5}).x, 1, 1e-5f);
}

TEST(Camera, NearAndFarBoundClipDepth) {
  Camera camera = cameraAt({0, 0, 0}, {0, 0, -1});
  camera.nearZ = 2, camera.farZ = 50;
  EXPECT_NEAR(ndc(camera, 1, {0, 0, -2}).z, -1, 1e-4f);
  EXPECT_NEAR(ndc(camera, 1, {0, 0, -50}).z, 1, 1e-4f);
}

TEST(Camera, StraightDownStillHasAPicture) {
  const glm::mat4 view = cameraAt({0, 5, 0}, {0, 0, 0}).view();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) EXPECT_TRUE(std::isfinite(view[i][j]));
  expectNear(glm::vec3(view * glm::vec4(0, 0, 0, 1)), {0, 0, -5});
}

TEST(Camera, QuarterOrbitStandsAtTheSide) {
  Camera camera = cameraAt({0, 0, 5}, {0, 0, 0});
  camera.orbit(kPi / 2, 0);
  expectNear(camera.position, {5, 0, 0}, 1e-4f);
  expectNear(camera.target, {0, 0, 0});
}

TEST(Camera, OrbitKeepsTheDistance) {
  Camera camera = cameraAt({1, 2, 5}, {0, 1, 0});
  const float before = glm::length(camera.position - camera.target);
  for (int i = 0; i < 50; ++i) camera.orbit(0.3f, 0.2f);
  EXPECT_NEAR(glm::length(camera.position - camera.target), before, 1e-3f);
}

TEST(Camera, OrbitNeverPassesThePole) {
  Camera camera = cameraAt({0, 0, 5}, {0, 0, 0});
  for (int i = 0; i < 100; ++i) camera.orbit(0, -0.2f);
  EXPECT_GT(camera.position.y, 4.9f);
  EXPECT_GT(camera.position.z, 0);  // still on its own side
  camera.orbit(0, 0.5f);
  EXPECT_GT(camera.position.z, 1);
}

TEST(Camera, LookTurnsAboutTheEye) {
  Camera camera = cameraAt({1, 1, 1}, {1, 1, -1});
  camera.look(kPi / 2, 0);
  expectNear(camera.position, {1, 1, 1});
  expectNear(camera.target, {-1, 1, 1}, 1e-4f);
}

TEST(Camera, PositivePitchLooksUp) {
  Camera camera = cameraAt({0, 0, 0}, {0, 0, -1});
  camera.look(0, 0.5f);
  EXPECT_NEAR(camera.target.y, std::sin(0.5f), 1e-5f);
}

TEST(Camera, DollyScalesTheDistance) {
  Camera camera = cameraAt({0, 0, 10}, {0, 0, 2});
  camera.dolly(0.5f);
  expectNear(camera.position, {0, 0, 6});
}

TEST(Camera, PanOfOneIsThePictureHeight) {
  Camera camera = cameraAt({0, 0, 5}, {0, 0, 0});
  camera.verticalFovDeg = 90;
  camera.pan({0, 1});
  expectNear(camera.position, {0, 10, 5}, 1e-4f);
  expectNear(camera.target, {0, 10, 0}, 1e-4f);
}

TEST(Camera, FlyMovesAlongItsAxes) {
  Camera camera = cameraAt({0, 0, 0}, {0, 0, -1});
  camera.fly({1, 2, 3});
  expectNear(camera.position, {1, 2, -3});
  expectNear(camera.target, {1, 2, -4});
}

TEST(Camera, DepthFitsTheBoundsInFront) {
  Camera camera = cameraAt({0, 0, 10}, {0, 0, 0});
  const Box box{{-1, -1, -2}, {1, 1, 3}};
  camera.fitDepth(box);
  EXPECT_LE(camera.nearZ, 7.0f);
  EXPECT_GT(camera.nearZ, 6.9f);
  EXPECT_GE(camera.farZ, 12.0f);
  EXPECT_LT(camera.farZ, 12.1f);
}

TEST(Camera, DepthStaysPositiveInsideTheBounds) {
  Camera camera = cameraAt({0, 0, 0}, {0, 0, -1});
  const Box box{{-10, -10, -10}, {10, 10, 10}};
  camera.fitDepth(box);
  EXPECT_GT(camera.nearZ, 0);
  EXPECT_LT(camera.nearZ, 0.1f);
  EXPECT_GE(camera.farZ, 10);
}

TEST(Camera, DepthIsUsableWithTheBoundsBehind) {
  Camera camera = cameraAt({0, 0, -20}, {0, 0, -30});
  const Box box{{-1, -1, -1}, {1, 1, 1}};
  camera.fitDepth(box);
  EXPECT_GT(camera.nearZ, 0);
  EXPECT_GT(camera.farZ, camera.nearZ);
}

TEST(Camera, FrameShowsAllCornersAndFillsThePicture) {
  for (const float aspect : {0.5f, 1.0f, 2.0f}) {
    Camera camera = cameraAt({2, 1, 3}, {0, 0, 0});
    const Box box{{-3, 0, 1}, {5, 2, 4}};
    camera.frame(box, aspect);
    float reach = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const glm::vec3 p(corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                        corner & 4 ? box.high.z : box.low.z);
      const glm::vec3 n = ndc(camera, aspect, p);
      reach = std::max({reach, std::abs(n.x), std::abs(n.y)});
      EXPECT_LE(std::abs(n.z), 1.0f);
    }
    EXPECT_LE(reach, 1.0f);
    EXPECT_GT(reach, 0.9f);
  }
}

TEST(Camera, PlaneInFocusStaysForEveryLensPoint) {
  Camera camera = cameraAt({1, 2, 3}, {1, 2, -7});
  const Camera moved = camera.throughLensPoint({0.25, -0.1}, 4, 1.5);
  expectNear(moved.position, {1.25f, 1.9f, 3});
  expectNear(ndc(moved, 1.5f, {1.5f, 2.5f, -1}), ndc(camera, 1.5f, {1.5f, 2.5f, -1}), 1e-4f);
  // Nearer things move against the camera, farther ones with it.
  EXPECT_LT(ndc(moved, 1.5f, {1, 2, 1}).x, ndc(camera, 1.5f, {1, 2, 1}).x - 0.01f);
  EXPECT_GT(ndc(moved, 1.5f, {1, 2, -6}).x, ndc(camera, 1.5f, {1, 2, -6}).x + 0.01f);
}

}  // namespace
}  // namespace fathom
