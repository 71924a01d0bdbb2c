// SPDX-License-Identifier: BSD-3-Clause
// `hairball`: translucent fibers that wander through a ball, and spheres over the whole depth
// range. Long lists of unordered fragments in the middle of the picture, none at its sides.
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/mesh_builder.h"

#include <cmath>

#include <glm/geometric.hpp>

namespace fathom {
namespace {

constexpr int kHairColors = 32;
constexpr std::int64_t kMaxSegments = 4'000'000;  // 8 million triangles, under 1 GiB
constexpr float kStep = 0.15f;                    // m, length of one segment
constexpr float kWidth = 0.0195f;                 // m, of a ribbon at its root

glm::vec3 hairColor(float t) {
  return glm::mix(glm::vec3(0.32f, 0.13f, 0.05f), glm::vec3(0.95f, 0.72f, 0.38f), t);
}

/// One fiber: a ribbon along a curl whose axis drifts, drawn back where it leaves the ball.
void addFiber(MeshBuilder& mesh, int segments, Random& random) {
  glm::vec3 p = random.direction() * (0.2f + 0.7f * std::sqrt(random.uniform()));
  glm::vec3 axis = random.direction();
  glm::vec3 direction = glm::normalize(glm::cross(axis, random.direction()) + axis * 0.3f);
  const float curl = random.uniform(0.15f, 0.6f);  // rad per segment
  std::uint32_t left = 0, right = 0;
  for (int s = 0; s <= segments; ++s) {
    const float t = float(s) / float(segments), radius = glm::length(p);
    const glm::vec3 side = glm::normalize(glm::cross(direction, axis));
    const glm::vec3 normal = glm::cross(side, direction);
    const glm::vec3 half = side * (0.5f * kWidth * (1.15f - 0.65f * t));
    // Little light reaches the middle of the ball.
    mesh.setOpenness(0.25f + 0.75f * std::min(1.0f, radius * radius));
    const std::uint32_t newLeft = mesh.vertex(p - half, normal, {0, t});
    const std::uint32_t newRight = mesh.vertex(p + half, normal, {1, t});
    if (s > 0) {
      mesh.triangle(left, right, newRight);
      mesh.triangle(left, newRight, newLeft);
    }
    left = newLeft, right = newRight;

    const float outside = std::max(0.0f, radius - 0.72f);
    direction = glm::normalize(direction + glm::cross(axis, direction) * curl +
                               random.direction() * 0.06f - p * (outside * 2.0f));
    axis = glm::normalize(axis + random.direction() * 0.15f);
    p += direction * kStep;
  }
  mesh.setOpenness(1);
}

void makeHairball(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  const int strands = arguments.count("strands"), segments = arguments.count("segments");
  if (std::int64_t(strands) * segments > kMaxSegments)
    fail("hairball: expected strands x segments of at most {}, found {} x {}", kMaxSegments,
         strands, segments);
  scene.camera.position = {0, 0, 3.3f};
  scene.camera.target = {0, 0, 0};
  scene.camera.verticalFovDeg = 40;
  scene.lighting.toSun = {0.5f, 0.8f, 0.5f};

  MeshBuilder mesh(scene);
  for (int i = 0; i < kHairColors; ++i) {
    MaterialLook look;
    look.color = hairColor(float(i) / (kHairColors - 1));
    look.alpha = 0.3f;
    look.shineThrough = 0.5f;
    look.gloss = 0.3f;
    mesh.addMaterial(look);
  }
  Random random(arguments.seed());
  progress.begin("growing fibers", strands);
  for (int i = 0; i < strands; ++i) {
    mesh.setMaterial(int(random.below(kHairColors)));
    addFiber(mesh, segments, random);
    if (i % 256 == 255) progress.advance(256);
  }

  mesh.setPart(1);
  Random sphereRandom(arguments.seed(), 1);
  addSpheres(mesh, {arguments.count("spheres"), 1.6f, 4.8f, 0.012f, 0.06f, 0.8f, 0.48f},
             scene.camera, sphereRandom);
  overrideAlpha(scene, arguments.get("alpha"));
  finishScene(scene, mesh.take(), {"hair", "spheres"}, BatchOrder::Spatial, progress);
}

}  // namespace

BuiltInScene hairballScene() {
  return {"hairball",
          "translucent fibers in a ball, and spheres over the whole depth range",
          {{"strands", 1, 200000, 6400, true, "fibers"},
           {"segments", 1, 200, 28, true, "pieces of a fiber"},
           {"spheres", 0, 20000, 256, true, "spheres"},
           seedParameter(),
           alphaParameter()},
          makeHairball};
}

}  // namespace fathom
